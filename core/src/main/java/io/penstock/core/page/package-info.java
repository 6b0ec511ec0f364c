/**
 * The bytes of pages: images of whole pages ({@link io.penstock.core.page.PageImage}), the entries they are made of
 * ({@link io.penstock.core.page.NodeEntries}) and parts of large leaves ({@link io.penstock.core.page.LeafHead}). Pure:
 * nothing here does I/O. The byte diagram is in {@code docs/FORMATS.md}.
 */
package io.penstock.core.page;
