package io.penstock.core.disk;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DiskFailureTest {
    private static UnavailableException failure(Exception cause) {
        return DiskFailure.of("the directory's lock file cannot be used", cause, "directory", "data");
    }

    static Stream<Exception> whatMayNotBeWritten() {
        return Stream.of(
                new AccessDeniedException("data/lock"),
                new ReadOnlyFileSystemException(),
                new FileSystemException("data/lock", null, "Read-only file system"),
                new FileSystemException("data/lock", null, "Operation not permitted"));
    }

    /** Who starts a program with the wrong rights is told to mend them, and not to wait and retry. */
    @ParameterizedTest
    @MethodSource
    void whatMayNotBeWritten(Exception cause) {
        assertThat(failure(cause))
                .isInstanceOf(RefusedException.class)
                .is(code(ErrorCode.DISK_UNUSABLE))
                .hasMessageContaining("directory=data")
                .hasCause(cause);
    }

    @Test
    void aFullDiskIsToBeFreed() {
        assertThat(failure(new IOException("No space left on device")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("No space left on device; free some");
        assertThat(failure(new FileSystemException("data/lock", null, "Disk quota exceeded")))
                .isInstanceOf(RefusedException.class);
    }

    /** An interrupt closes the lock's file, and with it ends the lock: it is not owned then. */
    @Test
    void aDirectoryThatAnInterruptedThreadOpensIsNotOwned(@TempDir Path directory) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> DirectoryLock.take(directory)).is(code(ErrorCode.INTERRUPTED));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        DirectoryLock.take(directory).close();
    }

    @Test
    void allElseMayPass() {
        assertThat(failure(new IOException("Input/output error")))
                .isNotInstanceOf(RefusedException.class)
                .is(code(ErrorCode.UNAVAILABLE));
    }
}
