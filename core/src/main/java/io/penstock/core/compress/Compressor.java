package io.penstock.core.compress;

import io.penstock.core.Bytes;

/** One algorithm. A pure function of its arguments, apart from new releases of its library; safe for many threads. */
public interface Compressor {
    /** How many bytes of {@code target} from {@code at} on {@code plain} takes compressed; 0 when it does not fit. */
    int compress(Bytes plain, byte[] target, int at);

    /**
     * Fills {@code target} with what {@code compressed} stands for; whatever the bytes are, it takes no more memory.
     *
     * @return false when they are not compressed, or stand for more or fewer bytes
     */
    boolean decompress(Bytes compressed, byte[] target);
}
