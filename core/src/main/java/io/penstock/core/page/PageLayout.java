package io.penstock.core.page;

/** A page that is planned but not written: its size is known exactly before a byte of it exists. Immutable. */
public interface PageLayout {
    /** The size of the encoded page in bytes; more than any page may have when it does not fit an array. */
    long bytes();

    /** The page. */
    PageImage encode();
}
