package io.penstock.core.page;

/** A page that is planned but not yet written: its exact size is known before a byte of it exists. Immutable. */
public interface PageLayout {
    /** The size of the encoded page in bytes; above any valid page size when it does not fit an array. */
    long bytes();

    /** Returns these entries under another header of the same kind of page. They are not laid out again. */
    PageLayout under(PageHeader header);

    /** The page. */
    PageImage encode();
}
