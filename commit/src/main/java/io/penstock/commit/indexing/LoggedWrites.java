package io.penstock.commit.indexing;

import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Intent;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.ReadSet;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The writes of a repair in a domain. They go through the commit log like those of any transaction: so readers learn of
 * them, and a repair that has read an old record fails. For one thread.
 *
 * @param primary the tree of the records that a repair goes by
 * @param isInDomain whether the collection is still in the domain, by a definition that is read now
 */
record LoggedWrites(Domain domain, Supplier<TransactionId> ids, TreeId primary, BooleanSupplier isInDomain) {
    /** The most times that a batch is done again since its records were written meanwhile. */
    private static final int ATTEMPTS_MAX = 20;

    /**
     * Writes what follows from some records, as they are.
     *
     * @param look reads the records from pages that are checked now, and says what follows
     * @param changes that are a part of that, by tree
     * @return the result of {@code look} that was written; empty, and nothing is written, when others kept changing the
     *     records, or the collection has left the domain
     */
    <T> Optional<T> write(List<Bytes> records, Supplier<T> look, Function<T, Map<TreeId, List<RecordChange>>> changes) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            long position = domain.applyAll();
            T due = look.get();
            List<LogRecord> writes = new ArrayList<>();
            changes.apply(due)
                    .forEach((tree, ofTree) ->
                            ofTree.forEach(change -> writes.add(new LogRecord(tree, change.stamped(Stamp.ZERO)))));
            if (writes.isEmpty()) {
                return Optional.of(due);
            }
            // It is looked at after the position: a move from then on puts a fence, by which the commit fails.
            if (!isInDomain.getAsBoolean()) {
                return Optional.empty();
            }
            if (isCommitted(new Intent(ids.get(), position, reads(records), writes))) {
                return Optional.of(due);
            }
        }
        return Optional.empty();
    }

    private ReadSet reads(List<Bytes> records) {
        ReadSet reads = new ReadSet();
        records.forEach(key -> reads.add(primary, key));
        reads.add(primary, Bytes.EMPTY); // which a fence writes
        return reads;
    }

    private boolean isCommitted(Intent intent) {
        try {
            var unused = domain.commit(intent);
            return true;
        } catch (ConflictException changed) {
            return false;
        }
    }
}
