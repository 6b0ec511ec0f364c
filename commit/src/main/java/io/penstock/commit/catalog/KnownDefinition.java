package io.penstock.commit.catalog;

import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The definition of one collection as one handle knows it, and the time when the handle last read it from the store.
 * Safe for use by many threads.
 */
public final class KnownDefinition {
    private final Catalog catalog;
    private final Timekeeper time;
    private final String name;
    private final Supplier<CollectionDefinition> wanted;

    /** The time when the store was last asked; null before the first use. */
    private volatile @Nullable Long checkedNanos;

    /** @param wanted the definition that is written when the store has none */
    public KnownDefinition(Catalog catalog, Timekeeper time, String name, Supplier<CollectionDefinition> wanted) {
        this.catalog = catalog;
        this.time = time;
        this.name = name;
        this.wanted = wanted;
    }

    /** Whether the definition was used before. */
    public boolean isUsed() {
        return checkedNanos != null;
    }

    /** Records that the catalog's definition is current as of now. */
    public void check() {
        checkedNanos = time.nanoTime();
    }

    /** The newest known definition. On first use it is written to the store if the store has none. */
    public CollectionDefinition get() {
        if (checkedNanos == null) {
            catalog.define(wanted.get());
            check();
        }
        return catalog.find(name).orElseThrow();
    }

    /** The definition, read again if it was last read longer than {@code age} ago. */
    public CollectionDefinition within(Duration age) {
        CollectionDefinition known = get();
        Long checked = checkedNanos;
        if (checked != null && time.nanoTime() - checked < age.toNanos()) {
            return known;
        }
        CollectionDefinition fresh = catalog.refresh(name).orElse(known);
        check();
        return fresh;
    }
}
