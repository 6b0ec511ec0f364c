package io.penstock.core.compress.zstd;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.compress.Compressor;

/** Opens the {@link ZstdCompressor}, which cannot even be loaded without its library; so no signature here names it. */
public final class ZstdLibrary {
    private ZstdLibrary() {}

    /** @throws InvalidRequestException when the library is missing, or unfit for this machine */
    public static Compressor open() {
        try {
            return ZstdCompressor.instance();
        } catch (LinkageError missing) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "pages are compressed with zstd and its library cannot be loaded here; add"
                            + " com.github.luben:zstd-jni to the class path",
                    missing,
                    "cause",
                    missing);
        }
    }
}
