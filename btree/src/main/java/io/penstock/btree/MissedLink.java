package io.penstock.btree;

import io.penstock.core.page.InnerEntries;

/**
 * A page that a descent reached through its left sibling instead of its parent, which may lack it.
 *
 * @param level the page's level
 * @param entry the entry that the parent should have
 */
record MissedLink(int level, InnerEntries.Entry entry) {}
