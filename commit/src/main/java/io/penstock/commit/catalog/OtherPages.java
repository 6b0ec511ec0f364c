package io.penstock.commit.catalog;

/**
 * The sizes of leaves of a collection whose pages were changed after it was made.
 *
 * @param leafBytes the size at which leaves split from now on
 * @param leafBytesMax the largest such size there ever was: so large leaves may be until compaction has split them
 */
record OtherPages(int leafBytes, int leafBytesMax) {
    OtherPages {
        CollectionDefinition.requirePageBytes(leafBytes);
        CollectionDefinition.requirePageBytes(leafBytesMax);
    }
}
