package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one entry of a leaf at a time, and finds all its parts in one pass over its bytes: what a walk through many
 * entries needs. Makes no object but those it is asked for. For one thread.
 */
public final class LeafView {
    private @Nullable PageImage page;
    private byte[] array = new byte[0];
    private long baseTime;

    /** Whether keys have no prefix. */
    private boolean whole;

    private byte flags;
    private int suffixAt;
    private int timeAt;
    private long time;
    private int payloadAt;

    /** Where the entry ends, and the next one begins. */
    private int end;

    /** The entry that begins at {@link #end}; a walk from left to right reads each slot once. */
    private int next;

    /** Goes to another leaf, to none of its entries yet. */
    public void enter(PageImage leaf) {
        page = leaf.requireLeaf();
        array = leaf.bytes().array();
        baseTime = leaf.baseTime();
        whole = leaf.hasWholeKeys();
        next = 0;
        end = leaf.count() == 0 ? 0 : leaf.entryAt(0);
    }

    /** Looks at an entry of the leaf. */
    public void look(int index) {
        PageImage leaf = page();
        Objects.checkIndex(index, leaf.count());
        byte[] bytes = array;
        int at = index == next ? end : leaf.entryAt(index);
        flags = bytes[at];
        int length = bytes[at + 1];
        int suffix = at + 2;
        if (length < 0) {
            length = (int) PageFormat.varint(bytes, at + 1);
            suffix = PageFormat.behindVarint(bytes, at + 1);
        }
        int stamp = suffix + length;
        int sinceBase = bytes[stamp];
        if (sinceBase >= 0 && bytes[stamp + 1] >= 0) {
            time = baseTime + sinceBase;
            payloadAt = stamp + 2;
        } else {
            time = baseTime + PageFormat.varint(bytes, stamp);
            payloadAt = PageFormat.behindVarint(bytes, PageFormat.behindVarint(bytes, stamp));
        }
        suffixAt = suffix;
        timeAt = stamp;
        next = index + 1;
        end = leaf.entryEnd(index);
    }

    public boolean isTombstone() {
        return flags == PageFormat.TOMBSTONE;
    }

    /** As {@link PageImage#isReference}. */
    public boolean isReference() {
        return flags == PageFormat.REFERENCE;
    }

    /** The key: a slice of the page if it stands there whole, else in an array of its own. */
    public Bytes key() {
        int length = timeAt - suffixAt;
        return whole ? Bytes.wrap(array, suffixAt, length) : Bytes.wrap(page().key(suffixAt, length));
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
        return page().client((int) PageFormat.varint(array, PageFormat.behindVarint(array, timeAt)));
    }

    private PageImage page() {
        if (page == null) {
            throw new IllegalStateException("no leaf is looked at");
        }
        return page;
    }
}
