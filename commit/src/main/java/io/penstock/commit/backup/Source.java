package io.penstock.commit.backup;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.engine.LostPayloads;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.session.SessionState;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The parts of an open store that backups and copies are taken from, and that is filled with them.
 *
 * @param objects the store's objects, retrying
 */
public record Source(
        Tasks tasks,
        StoreState handle,
        Catalog catalog,
        LogCheckpoints logs,
        SessionState.Shared shared,
        ObjectStore objects,
        OverflowStore overflows) {
    /**
     * An object with a record's large payload, or a part of it.
     *
     * @param name its key after the common prefix of all of them
     */
    record Payload(String name, long bytes) {}

    /** The objects with a record's large payload. */
    List<Payload> payload(LogRecord record) {
        return OverflowParts.decode(record.change().livePayload()).objects().stream()
                .map(object -> new Payload(
                        overflows
                                .objectKey(record.tree(), object)
                                .substring(overflows.prefix().length()),
                        overflows.objectBytes(object)))
                .toList();
    }

    /**
     * Checks that a record's large payload which is not there was replaced.
     *
     * @throws io.penstock.core.CorruptDataException when it was lost
     */
    void requireReplaced(LogRecord record) {
        new LostPayloads(catalog, logs, shared).requireReplaced(record);
    }

    /** Whether there is a page of a tree. */
    boolean hasPages(TreeId tree) {
        return !shared.pages().listed(tree, 1).isEmpty();
    }

    Domain domain(CollectionDefinition collection) {
        return logs.domain(Objects.requireNonNull(collection.domain(), "only collections of domains are backed up"));
    }

    /**
     * The trees of a collection that are backed up: the primary one, and those of the indexes that all writers keep. An
     * index that was added later may lack entries, and what pages and the log note of that is not the same in another
     * store.
     */
    static Stream<TreeId> saved(CollectionDefinition collection) {
        return Stream.concat(
                Stream.of(collection.treeId()),
                collection.indexes().stream()
                        .filter(index -> index.added() == 0)
                        .map(IndexDefinition::treeId));
    }

    /**
     * The collections of the store, each as it must be for a cut.
     *
     * @throws InvalidRequestException when one is not in a domain, or on its way; when an index is not built yet
     */
    List<CollectionDefinition> collections() {
        List<CollectionDefinition> all = catalog.listAgain();
        if (!catalog.unreadable().isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.CATALOG_DAMAGED,
                    "definitions of collections cannot be read, so a backup would lack them; restore them, see verify",
                    "collections",
                    String.join(",", catalog.unreadable().keySet()));
        }
        for (CollectionDefinition each : all) {
            if (each.domain() == null || each.moving() != null) {
                throw new InvalidRequestException(
                        ErrorCode.DOMAIN_MISMATCH,
                        "a collection is in no domain, or on its way, so no log has its changes and there is no cut of"
                                + " it; move it into a domain, or export it and drop it",
                        "collection",
                        each.name());
            }
            for (IndexDefinition index : each.indexes()) {
                if (!index.isReady()) {
                    throw new InvalidRequestException(
                            ErrorCode.INDEX_NOT_READY,
                            "an index is being built, or its build failed; build it again, or drop it by"
                                    + " Admin.dropIndex, then repeat the backup",
                            "collection",
                            each.name(),
                            "index",
                            index.name());
                }
            }
        }
        return all;
    }
}
