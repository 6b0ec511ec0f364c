package io.penstock.commit.indexing;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.report.IndexReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Makes an index of a collection in use unique. First the definition says so, and a fence in the commit log makes every
 * writer learn it: from then on no writer adds a duplicate that the index shows. Then the index is made whole, and a
 * second fence ends the transactions that saw it before. Last comes the check: what it finds was there before. All
 * state is in the catalog, so that it can be repeated after a crash. One run; for one thread.
 */
record UniqueProof(Indexing indexing, String collection, DeclaredIndex index) {
    /** The most search keys that are looked at again, one by one. */
    private static final int LOOKS_MAX = 1000;

    void run() {
        // A new epoch, also for a proof that was begun before: only the last one to begin may end it.
        CollectionDefinition begun = change(definition -> inForce(definition)
                ? definition
                : with(requireBuilt(definition), each -> each.onlyUnique().whole())
                        .adding(List.of()));
        if (inForce(begun)) {
            return;
        }
        fence(begun);
        var unused = indexing.scrub(() -> begun, index);
        fence(begun);
        Findings found = look(begun);
        CollectionDefinition ended = change(definition -> definition.epoch() == begun.epoch()
                ? with(definition, each -> found.isProof() ? each.withBuilt(null) : each.ordinary())
                : definition);
        requireProven(found, ended);
    }

    /**
     * The search keys that several records have, and the records that the index shows no search key of: too long for
     * it, or changed by others all the time.
     */
    private record Findings(long duplicates, long pending) {
        boolean isProof() {
            return duplicates == 0 && pending == 0;
        }
    }

    private CollectionDefinition requireBuilt(CollectionDefinition definition) {
        if (definition.requireAtRest().domain() == null) {
            throw new InvalidRequestException(
                    ErrorCode.DOMAIN_MISMATCH,
                    "a unique index needs isolation, and the collection belongs to no domain; move it into one first",
                    "collection",
                    collection,
                    "index",
                    index.name());
        }
        if (index.in(definition).filter(IndexDefinition::isReady).isEmpty()) {
            throw changed();
        }
        return definition;
    }

    private void requireProven(Findings found, CollectionDefinition ended) {
        if (found.duplicates > 0) {
            throw new DuplicateException(
                    "several records have one search key, so the index stays an ordinary one; see Index.duplicates, put"
                            + " or delete these records, and build again",
                    "collection",
                    collection,
                    "index",
                    index.name(),
                    "duplicates",
                    found.duplicates);
        }
        if (found.pending > 0) {
            throw new ConflictException(
                    "records are not in the index yet, so it stays an ordinary one; build again, and if they do not"
                            + " become fewer, put or delete those whose keys together are too long for an entry",
                    "collection",
                    collection,
                    "index",
                    index.name(),
                    "pending",
                    found.pending);
        }
        if (!inForce(ended)) {
            throw changed();
        }
    }

    private ConflictException changed() {
        return new ConflictException(
                "the indexes of the collection were changed meanwhile; build again", "collection", collection);
    }

    private boolean inForce(CollectionDefinition definition) {
        return index.in(definition)
                .filter(stored -> stored.unique() && stored.built() == null)
                .isPresent();
    }

    private CollectionDefinition with(CollectionDefinition definition, UnaryOperator<IndexDefinition> change) {
        return definition.changing(each -> each.name().equals(index.name()) ? change.apply(each) : each);
    }

    private CollectionDefinition change(UnaryOperator<CollectionDefinition> change) {
        return indexing.trees().catalog().change(collection, change);
    }

    private void fence(CollectionDefinition definition) {
        var unused = indexing.fence(Objects.requireNonNull(definition.domain()), definition);
    }

    /** Pages are of many times, so each search key that is repeated there is looked at again. */
    private Findings look(CollectionDefinition definition) {
        List<Bytes> repeated = new ArrayList<>();
        IndexReport report = indexing.check(definition, index, searchKey -> {
            if (repeated.size() < LOOKS_MAX) {
                repeated.add(searchKey);
            }
        });
        long duplicates = report.duplicates() > LOOKS_MAX
                ? report.duplicates()
                : repeated.stream().filter(index.repeated()).count();
        return new Findings(duplicates, report.pending());
    }
}
