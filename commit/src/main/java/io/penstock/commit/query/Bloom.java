package io.penstock.commit.query;

import io.penstock.core.Bytes;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A Bloom filter: says of a value that it is certainly not among some, or perhaps. With ten bits a value and seven
 * places each, one of 120 others is taken for one of them. Pure.
 */
final class Bloom {
    static final int BITS_PER_VALUE = 10;
    private static final int PLACES = 7;

    private Bloom() {}

    /**
     * The bits a value with which so large a part of other values is taken for one of these.
     *
     * @param falsePositives above 0, below 1
     */
    static int bits(double falsePositives) {
        return (int) Math.ceil(-PLACES / Math.log(1 - Math.pow(falsePositives, 1.0 / PLACES)));
    }

    /** The filter of some values; empty, and then of no use, for none. */
    static Bytes of(List<Bytes> values, int bitsPerValue) {
        byte[] bits = new byte[(values.size() * bitsPerValue + 7) / 8];
        for (Bytes value : values) {
            long hash = hash(value);
            for (int i = 0; i < PLACES; i++) {
                int place = place(hash, i, bits.length);
                bits[place >>> 3] |= (byte) (1 << (place & 7));
            }
        }
        return Bytes.wrap(bits);
    }

    /** Whether a value may be among those of a filter that is not empty. */
    static boolean mayHave(Bytes bits, Bytes value) {
        long hash = hash(value);
        for (int i = 0; i < PLACES; i++) {
            int place = place(hash, i, bits.length());
            if ((bits.at(place >>> 3) & 1 << (place & 7)) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int place(long hash, int i, int bytes) {
        long mixed = (hash >>> 32) + i * (hash | 1L);
        return (int) Long.remainderUnsigned(mixed, bytes * 8L);
    }

    /** The checksum of a value, spread over 64 bits by the finalizer of SplitMix64. */
    private static long hash(Bytes value) {
        CRC32C crc = new CRC32C();
        crc.update(value.array(), value.offset(), value.length());
        long z = crc.getValue() + 0x9e3779b97f4a7c15L * (value.length() + 1);
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
