package io.penstock.btree;

import io.penstock.core.page.InnerEntries;

/**
 * A page that a descent found through its left sibling, not its parent: perhaps the parent lacks it.
 *
 * @param level the page's level
 * @param entry what the parent should have
 */
record MissedLink(int level, InnerEntries.Entry entry) {}
