package io.penstock.core.overflow;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A stream of an overflow object that reads a few blocks at a time, and checks each before it returns a byte of it. */
final class OverflowStream extends InputStream {
    /** The number of blocks per request: enough to amortise its latency, few enough to be held in memory. */
    private static final int BLOCKS = 4;

    private final OverflowStore store;
    private final OverflowName name;
    private final OverflowReference reference;
    private final BlockFormat format;
    private final CRC32C checksum = new CRC32C();
    private byte[] buffer = new byte[0];
    private int next;
    private long fetched;

    OverflowStream(OverflowStore store, OverflowName name, OverflowReference reference, BlockFormat format) {
        this.store = store;
        this.name = name;
        this.reference = reference;
        this.format = format;
    }

    /** Fetches the next range; false when the object does not exist. */
    boolean fill() {
        Optional<Bytes> blocks = store.blocks(name, reference.length(), fetched, BLOCKS * format.blockBytes());
        if (blocks.isEmpty()) {
            return false;
        }
        int length = (int) Math.min((long) BLOCKS * format.dataBytes(), reference.length() - fetched);
        byte[] range = new byte[length];
        format.open(blocks.get(), name, store.block(fetched), range, 0);
        checksum.update(range);
        fetched += length;
        if (fetched == reference.length()) {
            OverflowStore.require(reference, name, (int) checksum.getValue());
        }
        buffer = range;
        next = 0;
        return true;
    }

    @Override
    public int read() {
        return hasMore() ? buffer[next++] & 0xff : -1;
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
        int count = Math.min(length, buffer.length - next);
        System.arraycopy(buffer, next, target, at, count);
        next += count;
        return count;
    }

    @Override
    public int available() {
        return buffer.length - next;
    }

    private boolean hasMore() {
        if (next < buffer.length) {
            return true;
        }
        if (fetched == reference.length()) {
            return false;
        }
        if (!fill()) {
            throw new ConflictException(
                    "a payload was replaced or deleted while it was read; open it again",
                    "bytes",
                    reference.length(),
                    "read",
                    fetched);
        }
        return true;
    }
}
