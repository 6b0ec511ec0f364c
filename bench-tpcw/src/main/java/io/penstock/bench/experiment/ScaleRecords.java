package io.penstock.bench.experiment;

import io.penstock.core.Bytes;
import java.nio.ByteBuffer;

/**
 * Records computed from their numbers. Keys in the order of numbers are unsorted. A key contains its number, so a scan
 * can check that it met every record once. Pure.
 */
final class ScaleRecords {
    static final int KEY_BYTES = 16;
    static final int PAYLOAD_BYTES = 100;

    /** Apart from the numbers that keys are made of, whatever the version. */
    private static final long PAYLOAD_SEED = 0x5ca1ab1e00000000L;

    private ScaleRecords() {}

    /** A mixture of the number's bits, which sorts it among the others, then the number. */
    static Bytes key(long number) {
        return Bytes.wrap(ByteBuffer.allocate(KEY_BYTES)
                .putLong(mix(number))
                .putLong(number)
                .array());
    }

    /** @param version of the record: another one, another payload */
    static Bytes payload(long number, int version) {
        ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
        long state = mix(number) + PAYLOAD_SEED + version;
        while (payload.remaining() >= Long.BYTES) {
            state = mix(state);
            payload.putLong(state);
        }
        return Bytes.wrap(payload.putInt((int) state).array());
    }

    /** The number of the record with this key; -1 when none has it. */
    static long number(Bytes key) {
        if (key.length() != KEY_BYTES) {
            return -1;
        }
        ByteBuffer bytes = ByteBuffer.wrap(key.array(), key.offset(), key.length());
        long mixed = bytes.getLong();
        long number = bytes.getLong();
        return mixed == mix(number) ? number : -1;
    }

    /** Every bit of the result depends on every bit given, and no two give the same (the finalizer of SplitMix64). */
    private static long mix(long bits) {
        long mixed = bits + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
