package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one entry of a leaf at a time, and finds all its parts in one pass over its bytes: what a walk through many
 * entries needs. Makes no object but those it is asked for. For one thread.
 */
public final class LeafView {
    private @Nullable PageImage page;
    private byte[] array = new byte[0];
    private byte flags;
    private int suffixAt;
    private int suffixLength;
    private long time;
    private int clientAt;
    private int payloadAt;
    private int end;

    /** Looks at entry {@code index} of {@code leaf}. */
    public void look(PageImage leaf, int index) {
        int at = leaf.leafEntryAt(index);
        page = leaf;
        array = leaf.bytes().array();
        flags = array[at];
        suffixLength = (int) PageFormat.varint(array, at + 1);
        suffixAt = PageFormat.behindVarint(array, at + 1);
        int timeAt = suffixAt + suffixLength;
        time = leaf.baseTime() + PageFormat.varint(array, timeAt);
        clientAt = PageFormat.behindVarint(array, timeAt);
        payloadAt = PageFormat.behindVarint(array, clientAt);
        end = leaf.entryEnd(index);
    }

    public boolean isTombstone() {
        return flags == PageFormat.TOMBSTONE;
    }

    /** As {@link PageImage#isReference}. */
    public boolean isReference() {
        return flags == PageFormat.REFERENCE;
    }

    /** The key, in an array of its own. */
    public Bytes key() {
        return Bytes.wrap(page().key(suffixAt, suffixLength));
    }

    /** The payload, as a slice of the page; empty for a tombstone. */
    public Bytes payload() {
        return Bytes.wrap(array, payloadAt, end - payloadAt);
    }

    /** The time of the stamp, as in {@link Stamp#time()}. */
    public long time() {
        return time;
    }

    /** When and by whom the entry was written. */
    public Stamp stamp() {
        return new Stamp(time, new ClientId(client()));
    }

    /** Whether {@code stamp} is newer than the entry's. */
    public boolean isOlderThan(Stamp stamp) {
        int byTime = Long.compareUnsigned(stamp.time(), time);
        return byTime > 0 || (byTime == 0 && Long.compareUnsigned(stamp.client().value(), client()) > 0);
    }

    private long client() {
        return page().client((int) PageFormat.varint(array, clientAt));
    }

    private PageImage page() {
        if (page == null) {
            throw new IllegalStateException("no entry is looked at");
        }
        return page;
    }
}
