package io.penstock.core.page;

/** What the body of a page holds. The code is part of the format. */
public enum PageKind {
    /** Records, sorted by key. */
    LEAF(1),
    /** Separators and child page numbers. */
    INNER(2),
    /** Opaque bytes of the commit layer: the home page of a PU queue. */
    LEDGER(3),
    /**
     * Records, as a leaf; but the page is given up: nobody writes it any more, and its left sibling takes over its
     * entries and its keys. As long as that one still names it as its right sibling, its entries count.
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
