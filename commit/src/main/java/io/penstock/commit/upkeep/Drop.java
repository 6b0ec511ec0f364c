package io.penstock.commit.upkeep;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.indexing.CollectionParts;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.task.Tasks;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The end of all records of a collection: one conditional put of its definition, however many there are. The trees that
 * it had are noted there, so that log records for them are discarded; garbage collection removes their pages and queues
 * once every client has noticed. New records go to trees with new numbers, so that no old message and no old page can
 * reach them. Safe for use by many threads.
 */
public final class Drop {
    private final Catalog catalog;
    private final ClientContext membership;
    private final Tasks tasks;

    /** @throws InvalidRequestException when the handle is read only */
    public Drop(CollectionParts parts) {
        parts.handle().requireWritable();
        this.catalog = parts.catalog();
        this.membership = parts.indexing().membership();
        this.tasks = parts.tasks();
    }

    /** Drops a collection; returns false when the store has none of that name. */
    public boolean drop(String collection) {
        return end(collection, definition -> definition.dropping(now())).isPresent();
    }

    /** Empties a collection. */
    public void truncate(String collection) {
        UnaryOperator<CollectionDefinition> emptied =
                definition -> definition.emptying(() -> TreeId.draw(tasks.random(), collection), now());
        if (end(collection, emptied).isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND, "the store has no such collection; check its name", "collection", collection);
        }
    }

    private long now() {
        return membership.serverClock().nowMillis();
    }

    private Optional<CollectionDefinition> end(String collection, UnaryOperator<CollectionDefinition> change) {
        membership.serverClock().requireKnownInStep();
        Optional<CollectionDefinition> found = catalog.refresh(collection);
        // Not one that others make meanwhile under the same name, nor again one of which it is not known whether it was
        // ended just now.
        found.ifPresent(before -> catalog.end(before, definition -> change.apply(requireNoDomain(definition))));
        return found;
    }

    /**
     * Refuses a collection of a domain: its readers and writers are validated against a log that would not show the
     * drop.
     */
    private static CollectionDefinition requireNoDomain(CollectionDefinition definition) {
        if (definition.domain() != null) {
            throw new InvalidRequestException(
                    ErrorCode.DOMAIN_MISMATCH,
                    "the collection belongs to a domain, whose changes all go through its commit log; remove its"
                            + " records with deleteRange",
                    "collection",
                    definition.name(),
                    "domain",
                    definition.domain());
        }
        return definition;
    }
}
