package io.penstock.core.overflow;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;

/**
 * A stream of a range of a large payload, read some blocks at a time; each is checked before a byte of it is returned.
 * For one thread.
 */
final class OverflowStream extends InputStream {
    private final OverflowStore store;
    private final TreeId tree;
    private final OverflowParts payload;
    private final ByteRange range;
    private final Runnable requireReplaced;

    /** The bytes that were fetched last. */
    private Bytes buffer = Bytes.EMPTY;

    /** The next byte of it. */
    private int next;

    /** The place in the payload up to which it was fetched. */
    private long fetched;

    /** The object with the payload from there on; their number for the tail. */
    private int object;

    OverflowStream(OverflowStore store, TreeId tree, OverflowParts payload, ByteRange range, Runnable requireReplaced) {
        this.store = store;
        this.tree = tree;
        this.payload = payload;
        this.range = range;
        this.requireReplaced = requireReplaced;
        this.fetched = range.offset();
    }

    /** Fetches the next bytes, if there are any left; false when their object does not exist. */
    boolean fill() {
        long left = range.offset() + range.length() - fetched;
        if (left == 0) {
            return true;
        }
        while (object < payload.objects().size() && payload.start(object + 1) <= fetched) {
            object++;
        }
        Optional<Bytes> found = object < payload.objects().size()
                ? store.range(tree, payload.objects().get(object), fetched - payload.start(object), left)
                : Optional.of(tail(left));
        found.ifPresent(bytes -> {
            buffer = bytes;
            next = 0;
            fetched += bytes.length();
        });
        return found.isPresent();
    }

    private Bytes tail(long left) {
        int from = (int) (fetched - payload.start(object));
        return payload.tail().slice(from, from + (int) left);
    }

    @Override
    public int read() {
        return hasMore() ? buffer.at(next++) & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int at, int length) {
        Objects.checkFromIndexSize(at, length, target.length);
        if (length == 0) {
            return 0;
        }
        if (!hasMore()) {
            return -1;
        }
        int count = Math.min(length, available());
        System.arraycopy(buffer.array(), buffer.offset() + next, target, at, count);
        next += count;
        return count;
    }

    @Override
    public int available() {
        return buffer.length() - next;
    }

    private boolean hasMore() {
        if (available() == 0 && !fill()) {
            requireReplaced.run();
            throw new ConflictException(
                    "a payload was replaced or deleted while it was read; open it again",
                    "bytes",
                    range.length(),
                    "read",
                    fetched - range.offset());
        }
        return available() > 0;
    }
}
