package io.penstock.commit.engine;

import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.OverflowReferences;
import java.time.Duration;
import java.util.stream.Stream;

/** Large payloads, as garbage collection sees them. */
public record OverflowObjects(OverflowStore store) implements NamedObjects {
    @Override
    public String prefix() {
        return store.prefix();
    }

    @Override
    public Stream<String> namedBy(PageImage leaf) {
        return OverflowReferences.of(leaf).stream()
                .map(reference -> store.objectKey(leaf.id().tree(), reference));
    }

    @Override
    public Duration ageMin() {
        return OverflowStore.LIFE_MIN;
    }
}
