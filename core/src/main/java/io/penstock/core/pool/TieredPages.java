package io.penstock.core.pool;

import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import java.util.Optional;
import java.util.function.Function;

/** Encodes and decodes the pages of trees for the {@link PageTier}. Safe for use by many threads. */
record TieredPages(PageTier tier, Function<PageId, String> objectKey) {
    /** A page of the second level that the store was not yet asked about. An entry that is not a page is dropped. */
    Optional<PageFrame> find(PageId id) {
        try {
            return tier.find(id)
                    .map(kept -> new PageFrame(
                            PageImage.decode(kept.bytes(), id, objectKey.apply(id)), kept.version(), Long.MIN_VALUE));
        } catch (CorruptDataException damaged) {
            tier.drop(id);
            return Optional.empty();
        }
    }

    /** Keeps a page, unless it is a ledger: those are rewritten with every checkpoint. */
    void keep(PageFrame frame) {
        if (frame.image().header().kind() != PageKind.LEDGER) {
            tier.keep(frame.image().id(), new PageTier.Kept(frame.image().bytes(), frame.version()));
        }
    }
}
