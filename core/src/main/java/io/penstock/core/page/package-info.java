/**
 * Pages: their bytes ({@link io.penstock.core.page.PageImage}, {@link io.penstock.core.page.NodeEntries}), reading and
 * writing them as objects ({@link io.penstock.core.page.PageManager}) and keeping them in memory ({@link
 * io.penstock.core.page.BufferPool}). The byte diagram is in {@code docs/FORMATS.md}.
 */
package io.penstock.core.page;
