package io.penstock.core.disk;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The operations by which the local cloud changes what is on the disk. Tests put a disk in their place that is full, or
 * that loses in a power cut what was not flushed. Safe for use by many threads.
 */
public interface FileAccess {
    /** The file system itself. */
    FileAccess SYSTEM = new FileAccess() {};

    /** Opens a file, or a directory for {@link #flushDirectory}. */
    default FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, options);
    }

    /** Creates a directory with all missing parents. */
    default void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
    }

    /** Renames a file in one step, over another if there is one. */
    default void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Removes a file if it exists. */
    default boolean deleteIfExists(Path file) throws IOException {
        return Files.deleteIfExists(file);
    }

    /** Creates a directory with all missing parents, whose names survive a power cut. */
    default void makeDirectories(Path directory) throws IOException {
        List<Path> missing = new ArrayList<>();
        Path at = directory.toAbsolutePath();
        while (at != null && !Files.exists(at)) {
            missing.add(at);
            at = at.getParent();
        }
        createDirectories(directory);
        for (Path made : missing) {
            Path above = made.getParent();
            if (above != null) {
                flushDirectory(above);
            }
        }
    }

    /** Makes the names in a directory survive a power cut. On Windows, where none can be opened, it does nothing. */
    default void flushDirectory(Path directory) throws IOException {
        if (File.separatorChar == '\\') {
            return;
        }
        try (FileChannel channel = open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
