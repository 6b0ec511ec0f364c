package io.penstock.core.page;

/** The kind of a page's body. The code is part of the format. */
public enum PageKind {
    /** Records, sorted by key. */
    LEAF(1),
    /** Separators and child page numbers. */
    INNER(2),
    /** Opaque bytes of the commit layer: the home page of a PU queue. */
    LEDGER(3),
    /**
     * Records, as in a leaf, but the page is retired: no writer changes it any more, and its left sibling takes over
     * its entries and keys. Its entries count as long as that sibling still links to it.
     */
    RETIRED(4);

    private final byte code;

    PageKind(int code) {
        this.code = (byte) code;
    }

    boolean holdsRecords() {
        return this == LEAF || this == RETIRED;
    }

    byte code() {
        return code;
    }
}
