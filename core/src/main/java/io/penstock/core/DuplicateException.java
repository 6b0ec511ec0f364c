package io.penstock.core;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a write would give two records the same search key of a unique index; nothing was changed. Choose another
 * value.
 */
public final class DuplicateException extends StoreException {
    private static final long serialVersionUID = 1;

    public DuplicateException(String message, @Nullable Object... particulars) {
        super(ErrorCode.DUPLICATE_KEY, message, null, particulars);
    }
}
