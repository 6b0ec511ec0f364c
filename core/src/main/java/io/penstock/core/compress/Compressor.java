package io.penstock.core.compress;

import io.penstock.core.Bytes;

/**
 * A compression algorithm. A pure function of its arguments, apart from new releases of its library; safe for use by
 * many threads.
 */
public interface Compressor {
    /**
     * Compresses {@code plain} into {@code target} from {@code at} on, and returns the length; 0 when it does not fit.
     */
    int compress(Bytes plain, byte[] target, int at);

    /**
     * Decompresses into {@code target}, and uses no more memory than that, whatever the bytes are.
     *
     * @return false when they are not compressed, or stand for more or fewer bytes
     */
    boolean decompress(Bytes compressed, byte[] target);
}
