package io.penstock.core.seal;

import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.pool.PageTier;
import io.penstock.core.pool.TierStats;
import io.penstock.core.seal.Sealing.Kind;
import io.penstock.core.seal.Sealing.Place;
import java.util.Optional;

/** A tier whose pages are sealed in the one below. What does not open is not found. Safe for use by many threads. */
record SealedTier(PageTier inner, Sealing sealing) implements PageTier {
    private static Place place(PageId id, Kept kept) {
        return new Place(Kind.TIER, id + " " + kept.version().tag());
    }

    @Override
    public Optional<Kept> find(PageId id) {
        try {
            return inner.find(id).map(kept -> new Kept(sealing.open(place(id, kept), kept.bytes()), kept.version()));
        } catch (CorruptDataException damaged) {
            inner.drop(id);
            return Optional.empty();
        }
    }

    @Override
    public boolean holds(PageId id) {
        return inner.holds(id);
    }

    @Override
    public void keep(PageId id, Kept page) {
        inner.keep(id, new Kept(sealing.seal(place(id, page), page.bytes()), page.version()));
    }

    @Override
    public void drop(PageId id) {
        inner.drop(id);
    }

    @Override
    public TierStats stats() {
        return inner.stats();
    }

    @Override
    public void close() {
        inner.close();
    }
}
