package io.penstock.core.compress.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.penstock.core.Bytes;
import io.penstock.core.compress.Compressor;

/** {@link Compressor} by zstd-jni. Each call has a context of its own in native memory, and frees it. */
final class ZstdCompressor implements Compressor {
    /**
     * The level of compression. Pages are rewritten often; level 3, the default, takes far longer and saves few bytes
     * of JSON.
     */
    private static final int LEVEL = 1;

    private static final ZstdCompressor INSTANCE = new ZstdCompressor();

    private ZstdCompressor() {}

    /** Fails with a {@link LinkageError} where the library, or its part for this machine, is missing. */
    static Compressor instance() {
        // The cheapest call into native code.
        Zstd.maxCompressionLevel();
        return INSTANCE;
    }

    @Override
    public int compress(Bytes plain, byte[] target, int at) {
        try {
            return (int) Zstd.compressByteArray(
                    target, at, target.length - at, plain.array(), plain.offset(), plain.length(), LEVEL);
        } catch (ZstdException failure) {
            if (failure.getErrorCode() == Zstd.errDstSizeTooSmall()) {
                return 0;
            }
            throw failure;
        }
    }

    @Override
    public boolean decompress(Bytes compressed, byte[] target) {
        try {
            return Zstd.decompressByteArray(
                            target, 0, target.length, compressed.array(), compressed.offset(), compressed.length())
                    == target.length;
        } catch (ZstdException damaged) {
            return false;
        }
    }
}
