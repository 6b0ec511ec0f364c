package io.penstock.core.page;

import io.penstock.core.Bytes;

/** Ledger pages: a header, and bytes that only the commit layer can read. */
public final class LedgerPages {
    private LedgerPages() {}

    /** The page with {@code body}; the header's kind must be {@link PageKind#LEDGER}. */
    public static PageImage encode(PageHeader header, Bytes body) {
        if (header.kind() != PageKind.LEDGER) {
            throw new IllegalArgumentException("not a ledger: " + header.kind());
        }
        PageComposer page = new PageComposer(header, (long) header.bytes() + body.length());
        body.copyTo(page.array, page.prefixAt);
        return page.seal(EntryIndex.NONE);
    }
}
