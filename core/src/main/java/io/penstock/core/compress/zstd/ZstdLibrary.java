package io.penstock.core.compress.zstd;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.compress.Compressor;

/** The way to {@link ZstdCompressor}, which cannot even be loaded without its library; so this names nothing of it. */
public final class ZstdLibrary {
    private ZstdLibrary() {}

    /** @throws InvalidRequestException when the library is not there, or not for this machine */
    public static Compressor open() {
        try {
            return ZstdCompressor.instance();
        } catch (LinkageError missing) {
            throw new InvalidRequestException(
                    "pages are compressed with zstd and its library cannot be loaded here; add"
                            + " com.github.luben:zstd-jni to the class path",
                    missing,
                    "cause",
                    missing);
        }
    }
}
