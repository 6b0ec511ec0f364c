package io.penstock.core.disk;

import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions for failed operations on a disk: refused when the disk is full or may not be written, else
 * unavailable; of a code of its own when the thread was interrupted.
 */
public final class DiskFailure {
    /** The phrases by which operating systems report a full disk: Linux, its quotas, Windows. */
    private static final List<String> FULL = List.of("no space left", "quota exceeded", "not enough space");

    private static final List<String> READ_ONLY =
            List.of("read-only file system", "permission denied", "operation not permitted");

    private DiskFailure() {}

    /**
     * The failure of an operation that changed nothing. A disk that is full, or that may not be written, is a {@link
     * RefusedException}: to try again at once does not help. Its line says what the operating system said.
     *
     * @param what did not happen, as in "an object was not written"
     */
    public static UnavailableException of(String what, Throwable cause, @Nullable Object... particulars) {
        if (says(cause, FULL)) {
            return new RefusedException(
                    ErrorCode.DISK_FULL,
                    what + ": " + reason(cause) + "; free some, nothing has to be opened again",
                    cause,
                    particulars);
        }
        if (isReadOnly(cause)) {
            return new RefusedException(
                    ErrorCode.DISK_UNUSABLE,
                    what + ": the disk cannot be written (" + reason(cause) + "); mend its rights or its mount",
                    cause,
                    particulars);
        }
        if (cause instanceof ClosedByInterruptException) {
            return new UnavailableException(
                    ErrorCode.INTERRUPTED, what + ": the thread was interrupted; retry the call", cause, particulars);
        }
        return new UnavailableException(what + "; see the cause, then retry", cause, particulars);
    }

    private static boolean isReadOnly(Throwable cause) {
        return cause instanceof AccessDeniedException
                || cause instanceof ReadOnlyFileSystemException
                || says(cause, READ_ONLY);
    }

    private static boolean says(Throwable cause, List<String> phrases) {
        String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        return cause instanceof IOException && phrases.stream().anyMatch(message::contains);
    }

    /** The words of the operating system, without the file's name, which the particulars have. */
    private static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        String known = message.toLowerCase(Locale.ROOT);
        return says(cause, FULL) && known.contains("no space left") ? "No space left on device" : message;
    }
}
