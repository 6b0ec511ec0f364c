package io.penstock.core;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when another client was first: a write condition did not hold, and nothing was changed. Read again, then
 * retry.
 */
public final class ConflictException extends StoreException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable String collection;
    private final transient @Nullable String index;
    private final transient @Nullable Bytes key;

    public ConflictException(String message, @Nullable Object... particulars) {
        this(ErrorCode.CONFLICT, message, null, null, null, null, particulars);
    }

    public ConflictException(ErrorCode code, String message, @Nullable Object... particulars) {
        this(code, message, null, null, null, null, particulars);
    }

    public ConflictException(String message, Throwable cause, @Nullable Object... particulars) {
        this(ErrorCode.CONFLICT, message, cause, null, null, null, particulars);
    }

    private ConflictException(
            ErrorCode code,
            String message,
            @Nullable Throwable cause,
            @Nullable String collection,
            @Nullable String index,
            @Nullable Bytes key,
            @Nullable Object... particulars) {
        super(code, message, cause, particulars);
        this.collection = collection;
        this.index = index;
        this.key = key;
    }

    /**
     * A conflict of isolated transactions.
     *
     * @param index null when a record itself was read
     * @param key null when it is unknown; it is in no message
     */
    public static ConflictException of(
            String message,
            @Nullable String collection,
            @Nullable String index,
            @Nullable Bytes key,
            @Nullable Object... particulars) {
        return new ConflictException(ErrorCode.CONFLICT, message, null, collection, index, key, particulars);
    }

    /** The collection of the record that another transaction has written, where that is known. */
    public Optional<String> collection() {
        return Optional.ofNullable(collection);
    }

    /** The index by which the transaction has read what was written since; empty when it was not by an index. */
    public Optional<String> index() {
        return Optional.ofNullable(index);
    }

    /**
     * The key of that record, for the program alone: the collection's {@code KeyCodec} decodes it. No message and no
     * log has it.
     */
    public Optional<Bytes> key() {
        return Optional.ofNullable(key);
    }
}
