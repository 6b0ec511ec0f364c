package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.core.ClosedException;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.dao.support.PersistenceExceptionTranslator;

/**
 * Translates the exceptions of the store into those of Spring, by what the caller is to do: a conflict into {@link
 * OptimisticLockingFailureException}, which says to try the transaction again. Safe for use by many threads.
 */
public final class PenstockExceptionTranslator implements PersistenceExceptionTranslator {
    @Override
    public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException failure) {
        return failure instanceof StoreException ours ? translate(ours) : null;
    }

    static DataAccessException translate(StoreException failure) {
        String message = String.valueOf(failure.getMessage());
        return switch (failure) {
            case ConflictException conflict -> new OptimisticLockingFailureException(message, conflict);
            case DuplicateException taken -> new DuplicateKeyException(message, taken);
            case RefusedException refused -> new NonTransientDataAccessResourceException(message, refused);
            case UnavailableException away -> new TransientDataAccessResourceException(message, away);
            case OutcomeUnknownException unknown -> new DataAccessResourceFailureException(message, unknown);
            case CorruptDataException corrupt -> new InvalidDataAccessResourceUsageException(message, corrupt);
            case InvalidRequestException invalid -> new InvalidDataAccessApiUsageException(message, invalid);
            case ClosedException closed -> new InvalidDataAccessApiUsageException(message, closed);
        };
    }

    static RuntimeException translated(RuntimeException failure) {
        return failure instanceof StoreException ours ? translate(ours) : failure;
    }

    /** A conflict of a store that is known, so that no other one tries to mend it. */
    private static final class Conflict extends OptimisticLockingFailureException {
        private static final long serialVersionUID = 1;

        private final transient Penstock store;

        Conflict(ConflictException cause, Penstock store) {
            super(String.valueOf(cause.getMessage()), cause);
            this.store = store;
        }
    }

    /**
     * Returns the conflict that another run may mend: not that of another store, nor with a value that the caller has
     * read before. Else null.
     */
    static @Nullable ConflictException mendable(Throwable failure, Penstock store) {
        Throwable cause = failure instanceof OptimisticLockingFailureException ? failure.getCause() : failure;
        return cause instanceof ConflictException conflict
                        && conflict.code() == ErrorCode.CONFLICT
                        && !(failure instanceof Conflict known && known.store != store)
                ? conflict
                : null;
    }

    /** Returns the store's own conflict for that of Spring, so that a body runs again; other exceptions as they are. */
    static RuntimeException conflict(RuntimeException failure, Penstock store) {
        return Objects.requireNonNullElse(mendable(failure, store), failure);
    }

    /** Runs {@code body}, which is of {@code store}, and throws what Spring's users expect. */
    static <T extends @Nullable Object> T translating(Penstock store, Supplier<T> body) {
        try {
            return body.get();
        } catch (ConflictException conflict) {
            throw new Conflict(conflict, store);
        } catch (StoreException failure) {
            throw translate(failure);
        }
    }
}
