package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Visits the objects of a directory tree in the order of their keys' bytes, from one key on and within one prefix, and
 * opens no directory that cannot hold a match. For one thread.
 */
record KeyWalk(Bytes prefix, Bytes startAfter, Visitor visitor) {
    /** Walks {@code root}; false when the visitor ended it. */
    boolean walk(Path root) throws IOException {
        return walk(root, Bytes.EMPTY);
    }

    private boolean walk(Path directory, Bytes above) throws IOException {
        for (KeyPaths.Name name : wantedNames(directory, above)) {
            Bytes key = above.concat(name.sortKey());
            Path path = directory.resolve(name.fileName());
            boolean goOn = switch (name.kind()) {
                case OBJECT -> visitor.visit(key, path);
                case DIRECTORY, CHUNK -> walk(path, key);
            };
            if (!goOn) {
                return false;
            }
        }
        return true;
    }

    private boolean mayHoldWanted(Bytes shared) {
        boolean mayMatch = shared.startsWith(prefix) || prefix.startsWith(shared);
        // Keys below begin with `shared`: all are greater than startAfter, or all smaller, unless it begins so as well.
        return mayMatch && (shared.compareTo(startAfter) > 0 || startAfter.startsWith(shared));
    }

    private boolean isWanted(KeyPaths.Name name, Bytes above) {
        Bytes key = above.concat(name.sortKey());
        return switch (name.kind()) {
            case OBJECT -> key.startsWith(prefix) && key.compareTo(startAfter) > 0;
            case DIRECTORY, CHUNK -> mayHoldWanted(key);
        };
    }

    private List<KeyPaths.Name> wantedNames(Path directory, Bytes above) throws IOException {
        List<KeyPaths.Name> names = names(directory, name -> isWanted(name, above));
        names.sort(Comparator.comparing(KeyPaths.Name::sortKey));
        return names;
    }

    /**
     * The names in a directory that are wanted, in any order; none if it is missing, or a foreign file. Filtered before
     * they are sorted: a page far into a large directory costs no more than one at its start.
     */
    static List<KeyPaths.Name> names(Path directory, Predicate<KeyPaths.Name> wanted) throws IOException {
        List<KeyPaths.Name> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                Path fileName = entry.getFileName();
                KeyPaths.Name name = fileName == null ? null : KeyPaths.parse(fileName.toString());
                if (name != null && wanted.test(name)) {
                    names.add(name);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return new ArrayList<>();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Visits one object at a time. */
    interface Visitor {
        /** Visits the object in {@code file}; false ends the walk. */
        boolean visit(Bytes key, Path file) throws IOException;
    }
}
