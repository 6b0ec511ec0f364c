package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The record, in a leaf's extension, of the page that it last took over when two leaves were merged: {@code page 8 |
 * version 8 | millis 8}.
 *
 * @param of the retired page and the version in which it was retired; images of it up to that version are outdated
 * @param millis the time of the takeover, by the writer's clock
 */
public record LeafMerge(Origin of, long millis) {
    static final int BYTES = 3 * Long.BYTES;

    Bytes encode() {
        byte[] bytes = new byte[BYTES];
        PageFormat.putI64(bytes, 0, of.page());
        PageFormat.putI64(bytes, Long.BYTES, of.version());
        PageFormat.putI64(bytes, 2 * Long.BYTES, millis);
        return Bytes.wrap(bytes);
    }

    static Optional<LeafMerge> decode(Bytes extension) {
        Bytes value = PageExtension.value(extension, PageExtension.TAKEOVER);
        if (value.length() != BYTES) {
            return Optional.empty();
        }
        byte[] array = value.array();
        int at = value.offset();
        Origin of = new Origin(PageFormat.i64(array, at), PageFormat.i64(array, at + Long.BYTES));
        return Optional.of(new LeafMerge(of, PageFormat.i64(array, at + 2 * Long.BYTES)));
    }

    /** The pages, with versions, that a page with this origin and extension declares outdated. */
    static List<Origin> outdated(Origin origin, Bytes extension) {
        List<Origin> all = new ArrayList<>(2);
        if (origin.page() != PageId.NONE) {
            all.add(origin);
        }
        decode(extension).ifPresent(takeover -> all.add(takeover.of));
        return all;
    }
}
