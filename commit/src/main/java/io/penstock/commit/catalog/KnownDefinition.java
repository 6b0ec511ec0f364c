package io.penstock.commit.catalog;

import io.penstock.core.InvalidRequestException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The definition of one collection as one handle knows it. The handle goes on with a collection that was emptied, or
 * dropped and made anew, as long as it agrees with what was declared. Safe for use by many threads.
 */
public final class KnownDefinition {
    private final Catalog catalog;
    private final String name;
    private final Supplier<CollectionDefinition> wanted;

    private volatile boolean used;

    /** The tree of the collection that was last seen to agree; null if nothing was declared, so that any does. */
    private volatile @Nullable String agreed;

    /** @param wanted the definition that is written when the store has none */
    public KnownDefinition(Catalog catalog, String name, Supplier<CollectionDefinition> wanted) {
        this.catalog = catalog;
        this.name = name;
        this.wanted = wanted;
    }

    /** Whether the definition was used before. */
    public boolean isUsed() {
        return used;
    }

    /** Takes the catalog's definition as it is. */
    public void take() {
        used = true;
    }

    /**
     * The newest known definition, about a minute old at most. On first use it is written to the store if the store has
     * none.
     *
     * @throws InvalidRequestException when the collection was dropped since
     */
    public CollectionDefinition get() {
        if (!used) {
            agreed = catalog.define(wanted.get()).tree();
            used = true;
        }
        return checked(catalog.inUse(name).orElseThrow(this::dropped));
    }

    /** As {@link #get()}, at a time of the monotonic clock. */
    public CollectionDefinition get(long nowNanos) {
        return used ? checked(catalog.inUse(name, nowNanos).orElseThrow(this::dropped)) : get();
    }

    /** The definition, read again if it was last read longer than {@code age} ago. */
    public CollectionDefinition within(Duration age) {
        var unused = get();
        return checked(catalog.within(name, age).or(() -> catalog.inUse(name)).orElseThrow(this::dropped));
    }

    private CollectionDefinition checked(CollectionDefinition found) {
        String before = agreed;
        if (before != null && !before.equals(found.tree())) {
            agreed = found.agreeing(wanted.get()).tree();
        }
        return found;
    }

    private InvalidRequestException dropped() {
        return new InvalidRequestException(
                "the collection was dropped; open it again to make a new one", "collection", name);
    }
}
