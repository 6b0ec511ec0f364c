package io.penstock;

import io.penstock.commit.settings.Bounds;
import io.penstock.core.Bytes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a program has given to bodies of one transaction. An id is a record of a collection of its domain, which
 * the transaction writes with all else: so a second transaction of that id finds it, or conflicts. It is looked for as
 * soon as the body uses a collection, which tells the domain. For one thread.
 */
final class GivenIds {
    private final Transaction transaction;
    private @Nullable Given innermost;
    private boolean looking;

    /** One id, of a body that is being run. */
    private static final class Given {
        private final String id;
        private final @Nullable Given outer;

        /** The collection that does not have it; null as long as that is not known. */
        private @Nullable RecordCollection<String, Bytes> missing;

        /** Whether an earlier transaction of this id was committed. */
        private boolean repeated;

        Given(String id, @Nullable Given outer) {
            this.id = id;
            this.outer = outer;
        }
    }

    /** Ends a body whose transaction was committed before. */
    private static final class Repeated extends RuntimeException {
        private static final long serialVersionUID = 1;

        Repeated() {
            super("the transaction of this id was committed before; let this exception pass", null, false, false);
        }
    }

    GivenIds(Transaction transaction) {
        this.transaction = transaction;
    }

    /** Runs a body, unless a transaction of its id was committed: then nothing that the body does counts. */
    <T> Optional<T> run(String id, TransactionBody<T> body) {
        Given given = new Given(id, innermost);
        innermost = given;
        try {
            T result = transaction.call(body);
            if (given.repeated) {
                transaction.abort();
                return Optional.empty();
            }
            if (!transaction.isOver()) {
                note(given);
            }
            return Optional.of(Bounds.requirePresent("the body's result", result));
        } catch (RuntimeException failure) {
            if (given.repeated) {
                transaction.abort();
                return Optional.empty();
            }
            throw failure;
        } finally {
            innermost = given.outer;
        }
    }

    /** Looks for all ids whose domain was not known before the transaction came to a collection. */
    void look(RecordCollection<?, ?> collection) {
        Given given = innermost;
        if (given == null || looking) {
            return;
        }
        looking = true;
        try {
            look(given, collection);
        } finally {
            looking = false;
        }
    }

    private void look(Given given, RecordCollection<?, ?> collection) {
        if (given.outer != null) {
            look(given.outer, collection);
        }
        if (given.missing == null && !given.repeated) {
            RecordCollection<String, Bytes> ids =
                    collection.store().ids(collection.declaration().definition());
            given.repeated = transaction.get(ids, given.id).isPresent();
            given.missing = ids;
        }
        if (given.repeated) {
            throw new Repeated();
        }
    }

    /** Writes all ids, for a body that commits its transaction itself. */
    void noteAll() {
        for (Given given = innermost; given != null; given = given.outer) {
            note(given);
        }
    }

    private void note(Given given) {
        if (given.missing != null && !given.repeated) {
            transaction.put(given.missing, given.id, Bytes.EMPTY);
        }
    }
}
