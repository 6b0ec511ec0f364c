package io.penstock.btree;

import io.penstock.core.PageId;

/**
 * One fault of a tree.
 *
 * @param page the page with the fault
 * @param rule the rule that is broken
 * @param detail what was found; without bytes of keys or payloads
 */
public record Violation(PageId page, String rule, String detail) {}
