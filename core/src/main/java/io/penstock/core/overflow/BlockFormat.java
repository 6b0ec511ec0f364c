package io.penstock.core.overflow;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The bytes of an overflow object: blocks of one size, the last one shorter, each with its own checksum, so that a
 * range of the object can be trusted without the rest. Pure.
 *
 * <pre>
 * block := 'P' | 'O' | u8 format version | 0 | u32 CRC32C of client, number, index of the block, data | data
 * </pre>
 *
 * @param blockBytes the length of a block with its head
 */
record BlockFormat(int blockBytes) {
    static final int HEAD_BYTES = 8;

    private static final int AT_CHECKSUM = 4;
    private static final int VERSION = 1;

    /** The mark of a block: 'P', 'O', the version and 0, as a little-endian number. */
    private static final int MARK = 'P' | 'O' << 8 | VERSION << 16;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Bytes of payload in a whole block. */
    int dataBytes() {
        return blockBytes - HEAD_BYTES;
    }

    /** The length of the object that holds a payload. */
    long objectBytes(long payloadBytes) {
        return payloadBytes + HEAD_BYTES * Math.ceilDiv(payloadBytes, dataBytes());
    }

    /** Writes the head of the block at {@code at}, whose data is in its place already. */
    void seal(byte[] array, int at, int dataLength, OverflowName object, long index) {
        INTS.set(array, at, MARK);
        INTS.set(array, at + AT_CHECKSUM, checksum(array, at + HEAD_BYTES, dataLength, object, index));
    }

    /**
     * Checks whole blocks and copies their data.
     *
     * @param blocks some blocks of the object, from number {@code first} on
     * @return the number of payload bytes copied
     * @throws CorruptDataException when a block is damaged
     */
    int open(Bytes blocks, OverflowName object, long first, byte[] target, int targetAt) {
        int copied = 0;
        long index = first;
        for (int at = 0; at < blocks.length(); at += blockBytes, index++) {
            int length = Math.min(blockBytes, blocks.length() - at) - HEAD_BYTES;
            int from = blocks.offset() + at;
            if (length < 1
                    || (int) INTS.get(blocks.array(), from) != MARK
                    || (int) INTS.get(blocks.array(), from + AT_CHECKSUM)
                            != checksum(blocks.array(), from + HEAD_BYTES, length, object, index)) {
                throw new CorruptDataException(
                        "a block of an overflow object fails a check; do not trust it, restore it or run verify",
                        "key",
                        object.key(),
                        "block",
                        index);
            }
            System.arraycopy(blocks.array(), from + HEAD_BYTES, target, targetAt + copied, length);
            copied += length;
        }
        return copied;
    }

    private static int checksum(byte[] array, int dataAt, int dataLength, OverflowName object, long index) {
        byte[] place = new byte[3 * Long.BYTES];
        LONGS.set(place, 0, object.client().value());
        LONGS.set(place, Long.BYTES, object.number());
        LONGS.set(place, 2 * Long.BYTES, index);
        CRC32C crc = new CRC32C();
        crc.update(place);
        crc.update(array, dataAt, dataLength);
        return (int) crc.getValue();
    }
}
