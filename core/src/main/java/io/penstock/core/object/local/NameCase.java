package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether names of files tell upper case from lower below a directory. By default they do not on macOS and Windows.
 * There the directory gets a file {@code folded}, so that a copy of it is read in the same way on any machine, and
 * files of earlier releases get the names of {@link KeyPaths} that need no case.
 */
final class NameCase {
    private static final String FOLDED = "folded";
    private static final Bytes WHY =
            Bytes.utf8("capital letters in names of files are %41 to %5A here, since the file system did not tell them"
                    + " from small ones\n");

    private final Path root;
    private final Path unfinished;
    private final Disk disk;

    /** @param unfinished an existing directory below {@code root} */
    NameCase(Path root, Path unfinished, Disk disk) {
        this.root = root;
        this.unfinished = unfinished;
        this.disk = disk;
    }

    /** The paths of keys; files that have other names get theirs. For one thread, before any other use. */
    KeyPaths paths() throws IOException {
        if (Files.exists(root.resolve(FOLDED))) {
            return new KeyPaths(root, false);
        }
        if (disk.tellsCase(unfinished)) {
            return new KeyPaths(root, true);
        }
        KeyPaths paths = new KeyPaths(root, false);
        rename(root, paths);
        note(); // last: a pass that was cut off begins again
        return paths;
    }

    private void rename(Path directory, KeyPaths paths) throws IOException {
        boolean changed = false;
        for (KeyPaths.Name name : KeyWalk.names(directory, name -> true)) {
            Path path = directory.resolve(name.fileName());
            if (name.kind() != KeyPaths.Kind.OBJECT) {
                rename(path, paths);
            }
            String now = paths.nameOf(name);
            if (!now.equals(name.fileName())) {
                disk.move(path, directory.resolve(now));
                changed = true;
            }
        }
        if (changed) {
            disk.flushDirectory(directory);
        }
    }

    private void note() throws IOException {
        Path written = unfinished.resolve(FOLDED);
        disk.writeNew(written, ByteBuffer.allocate(0), WHY);
        disk.move(written, root.resolve(FOLDED));
        disk.flushDirectory(root);
    }
}
