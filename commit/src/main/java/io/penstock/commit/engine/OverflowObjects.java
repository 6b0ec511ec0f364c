package io.penstock.commit.engine;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.OverflowReferences;
import java.time.Duration;
import java.util.Objects;
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
    public Stream<String> namedBy(Bytes message, String name) {
        return PuMessage.decode(message, name).records().stream()
                .filter(record -> record.change().isReference())
                .map(this::objectKey);
    }

    private String objectKey(LogRecord record) {
        Bytes reference = Objects.requireNonNull(record.change().payloadOrNull());
        return store.objectKey(record.tree(), OverflowReference.decode(reference));
    }

    @Override
    public Duration ageMin() {
        return OverflowStore.LIFE_MIN;
    }
}
