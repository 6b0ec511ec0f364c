package io.penstock.commit.indexing;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.index.IndexEntry;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * An index as a program declares it. Safe for use by many threads.
 *
 * @param keys the name of the codec of its search keys
 * @param unique whether no two records may have the same search key
 * @param covering whether entries may include a part of their records
 * @param repeated whether several records have a search key now, in one state of the domain
 * @param entryOf gives the entry of a primary key and payload, with its part, if the record has one
 */
public record DeclaredIndex(
        String name,
        String keys,
        boolean unique,
        boolean covering,
        Predicate<Bytes> repeated,
        BiFunction<Bytes, Bytes, Optional<IndexEntry>> entryOf) {
    /**
     * Returns this index in a definition of its collection, if it is there.
     *
     * @throws InvalidRequestException when another client has added one of this name with other search keys
     */
    public Optional<IndexDefinition> in(CollectionDefinition definition) {
        Optional<IndexDefinition> stored = definition.index(name);
        if (stored.isPresent() && !stored.get().keys().equals(keys)) {
            throw new InvalidRequestException(
                    ErrorCode.DEFINITION_MISMATCH,
                    "the index is defined differently in the store; use its definition or another name",
                    "collection",
                    definition.name(),
                    "index",
                    name,
                    "stored",
                    stored.get().keys(),
                    "wanted",
                    keys);
        }
        return stored;
    }

    /** Gives the entries of this index as it is stored: with parts only if its definition notes that there may be. */
    BiFunction<Bytes, Bytes, Optional<IndexEntry>> entryOf(IndexDefinition stored) {
        return stored.covering() ? entryOf : withoutPart();
    }

    /** Gives entries that include nothing. */
    BiFunction<Bytes, Bytes, Optional<IndexEntry>> withoutPart() {
        return (key, payload) -> entryOf.apply(key, payload).map(entry -> new IndexEntry(entry.key()));
    }
}
