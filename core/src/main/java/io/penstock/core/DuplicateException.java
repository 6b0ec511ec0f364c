package io.penstock.core;

import org.jspecify.annotations.Nullable;

/** Another record has what a unique index allows once; nothing was changed. Choose another value. */
public final class DuplicateException extends StoreException {
    private static final long serialVersionUID = 1;

    public DuplicateException(String message, @Nullable Object... particulars) {
        super(message, null, particulars);
    }
}
