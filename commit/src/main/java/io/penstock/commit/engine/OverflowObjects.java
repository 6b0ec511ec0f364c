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

/**
 * Large payloads, as garbage collection sees them: objects that entries of leaves name, under a prefix of their own.
 * Safe for use by many threads.
 */
public record OverflowObjects(OverflowStore store) {
    /** The prefix of the keys of all of them, and of no other key. */
    public String prefix() {
        return store.prefix();
    }

    /** The keys of those that a leaf names. */
    public Stream<String> namedBy(PageImage leaf) {
        return OverflowReferences.of(leaf).stream()
                .map(reference -> store.objectKey(leaf.id().tree(), reference));
    }

    /**
     * The keys of those that log records name which were parked, or put into quarantine.
     *
     * @param name of the message, for the error
     * @throws io.penstock.core.CorruptDataException when it is no message of a PU queue
     */
    public Stream<String> namedBy(Bytes message, String name) {
        return PuMessage.decode(message, name).records().stream()
                .filter(record -> record.change().isReference())
                .map(this::objectKey);
    }

    private String objectKey(LogRecord record) {
        Bytes reference = Objects.requireNonNull(record.change().payloadOrNull());
        return store.objectKey(record.tree(), OverflowReference.decode(reference));
    }

    /**
     * The least age at which one is removed when no leaf names it: longer than it takes from its writing until the last
     * log record that names it is applied, or in quarantine. Here age is a proof, so mind paused writers.
     */
    public Duration ageMin() {
        return OverflowStore.LIFE_MIN;
    }
}
