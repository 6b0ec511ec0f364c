package io.penstock.btree;

import io.penstock.core.PageId;

/**
 * One thing that is wrong with a tree.
 *
 * @param page where
 * @param rule what should hold
 * @param detail what was found; without bytes of keys or payloads
 */
public record Violation(PageId page, String rule, String detail) {}
