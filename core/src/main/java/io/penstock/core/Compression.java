package io.penstock.core;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The compression of a collection's pages in the store. In memory pages are never compressed. */
public enum Compression {
    /** No compression. The default. */
    NONE(0),

    /** Zstandard, if {@code com.github.luben:zstd-jni} is on the class path. */
    ZSTD(1);

    private final byte code;

    Compression(int code) {
        this.code = (byte) code;
    }

    /** The code in a stored page. */
    public byte code() {
        return code;
    }

    /** The name in the catalog and on the command line, such as {@code zstd}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The compression with this {@link #label}; empty when there is none. */
    public static Optional<Compression> labelled(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst();
    }
}
