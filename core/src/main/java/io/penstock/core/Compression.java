package io.penstock.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How the pages of a collection are compressed in the store. In memory they never are. */
public enum Compression {
    /** Not at all. The default. */
    NONE(0),

    /** Zstandard, if {@code com.github.luben:zstd-jni} is on the class path. */
    ZSTD(1);

    private final byte code;

    Compression(int code) {
        this.code = (byte) code;
    }

    /** What a stored page says it is compressed by. */
    public byte code() {
        return code;
    }

    /** The name in the catalog and on the command line, such as {@code zstd}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one of that {@link #label}; empty when there is none. */
    public static Optional<Compression> labelled(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }
}
