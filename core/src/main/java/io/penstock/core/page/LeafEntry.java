package io.penstock.core.page;

/**
 * The parts of one leaf entry that is to be stored again, read in one go. It is filled anew for each entry, so that a
 * page is gone through without an object per entry. For one thread.
 */
final class LeafEntry {
    int keyLength;
    long time;

    /** The number of its client in the page's dictionary. */
    int client;

    int payloadLength;
}
