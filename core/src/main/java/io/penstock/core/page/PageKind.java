package io.penstock.core.page;

/** What the body of a page holds. The code is part of the format. */
public enum PageKind {
    /** Records, sorted by key. */
    LEAF(1),
    /** Separators and child page numbers. */
    INNER(2),
    /** Opaque bytes of the commit layer: the home page of a PU queue. */
    LEDGER(3);

    private final byte code;

    PageKind(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }
}
