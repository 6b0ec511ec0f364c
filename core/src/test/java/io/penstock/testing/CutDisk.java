package io.penstock.testing;

import io.penstock.core.disk.FileAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A disk that remembers every change, and can tell what a power cut at any moment may leave: what was flushed, and of
 * the rest any part. A write that was not flushed may be there, lost, or torn; a name in a directory that was not
 * flushed may be there or not; neither waits for what came before it. For one thread.
 */
public final class CutDisk implements FileAccess {
    private static final int SECTOR_BYTES = 512;

    private final Path root;
    private final List<Change> changes = new ArrayList<>();
    private final Map<Integer, byte[]> oldContents = new HashMap<>();
    private final Map<Path, Integer> oldNames = new TreeMap<>();
    private final Set<Path> oldDirectories = new HashSet<>();
    private final Map<Path, Integer> names = new HashMap<>();
    private int files;

    /** @param root what is in it counts as flushed */
    public CutDisk(Path root) throws IOException {
        this.root = root;
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.toList()) {
                if (Files.isDirectory(path)) {
                    oldDirectories.add(path);
                } else {
                    oldContents.put(files, Files.readAllBytes(path));
                    oldNames.put(path, files++);
                }
            }
        }
        names.putAll(oldNames);
    }

    /** The number of changes and flushes so far: the moments at which the power can fail. */
    public int moments() {
        return changes.size();
    }

    @Override
    public FileChannel open(Path file, OpenOption... options) throws IOException {
        if (Files.isDirectory(file)) {
            return new Watched(FileChannel.open(file, options), -1, file);
        }
        boolean isNew = !Files.exists(file);
        FileChannel real = FileChannel.open(file, options);
        if (isNew) {
            names.put(file, files);
            changes.add(new Named(file, files++));
        } else if (List.of(options).contains(StandardOpenOption.TRUNCATE_EXISTING)) {
            changes.add(new Truncated(names.get(file), 0));
        }
        return new Watched(real, names.get(file), file);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        List<Path> missing = new ArrayList<>();
        for (Path at = directory; !Files.exists(at); at = at.getParent()) {
            missing.addFirst(at);
        }
        Files.createDirectories(directory);
        missing.forEach(made -> changes.add(new DirectoryMade(made)));
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        FileAccess.SYSTEM.move(from, to);
        int file = names.remove(from);
        names.put(to, file);
        changes.add(new Moved(from, to, file));
    }

    @Override
    public boolean deleteIfExists(Path file) throws IOException {
        boolean was = Files.deleteIfExists(file);
        if (was) {
            changes.add(new Removed(file, names.remove(file)));
        }
        return was;
    }

    /** Makes {@code target} what the power cut at {@code moment} has left. */
    public void cut(int moment, Loss loss, RandomGenerator random, Path target) throws IOException {
        Map<Integer, byte[]> contents = new HashMap<>(oldContents);
        Map<Path, Integer> left = new TreeMap<>(oldNames);
        Set<Path> directories = new HashSet<>(oldDirectories);
        int last = random.nextInt(moment + 1);
        for (int i = 0; i < moment; i++) {
            Change change = changes.get(i);
            boolean isKept = isFlushed(change, i, moment)
                    || switch (loss) {
                        case NOTHING -> true;
                        case ALL -> false;
                        case THE_LAST -> i < last;
                        case ANY -> random.nextBoolean();
                    };
            if (isKept) {
                change.apply(contents, left, directories);
            } else if (change instanceof Wrote wrote && loss == Loss.ANY) {
                wrote.tear(contents, random);
            }
        }
        write(contents, left, directories, target);
    }

    private void write(Map<Integer, byte[]> contents, Map<Path, Integer> left, Set<Path> directories, Path target)
            throws IOException {
        for (Path directory : directories.stream().sorted().toList()) {
            if (areThere(directory, directories)) {
                Files.createDirectories(target.resolve(root.relativize(directory)));
            }
        }
        for (Map.Entry<Path, Integer> name : left.entrySet()) {
            if (areThere(name.getKey().getParent(), directories)) {
                Files.write(
                        target.resolve(root.relativize(name.getKey())),
                        contents.getOrDefault(name.getValue(), new byte[0]));
            }
        }
    }

    /** Whether a directory and all above it are there. */
    private boolean areThere(Path directory, Set<Path> directories) {
        return directory.equals(root)
                || directories.contains(directory) && areThere(directory.getParent(), directories);
    }

    private boolean isFlushed(Change change, int from, int moment) {
        for (int i = from + 1; i < moment; i++) {
            if (change.isFlushedBy(changes.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** What becomes of changes that were not flushed. */
    public enum Loss {
        NOTHING,
        ALL,
        THE_LAST,
        ANY
    }

    private sealed interface Change {
        default void apply(Map<Integer, byte[]> contents, Map<Path, Integer> names, Set<Path> directories) {}

        default boolean isFlushedBy(Change later) {
            return false;
        }
    }

    private record Wrote(int file, long position, byte[] bytes) implements Change {
        @Override
        public void apply(Map<Integer, byte[]> contents, Map<Path, Integer> names, Set<Path> directories) {
            put(contents, 0, bytes.length);
        }

        private void put(Map<Integer, byte[]> contents, int from, int to) {
            byte[] before = contents.getOrDefault(file, new byte[0]);
            byte[] after = Arrays.copyOf(before, (int) Math.max(before.length, position + to));
            System.arraycopy(bytes, from, after, (int) position + from, to - from);
            contents.put(file, after);
        }

        /** Some of it reached the disk: its first bytes, some sectors, or only the file's new length. */
        void tear(Map<Integer, byte[]> contents, RandomGenerator random) {
            switch (random.nextInt(4)) {
                case 0 -> put(contents, 0, random.nextInt(bytes.length + 1));
                case 1 -> put(contents, bytes.length, bytes.length);
                case 2 -> {
                    for (int at = 0; at < bytes.length; at += SECTOR_BYTES) {
                        if (random.nextBoolean()) {
                            put(contents, at, Math.min(bytes.length, at + SECTOR_BYTES));
                        }
                    }
                }
                default -> {}
            }
        }

        @Override
        public boolean isFlushedBy(Change later) {
            return later instanceof Flushed flushed && flushed.file == file;
        }
    }

    private record Truncated(int file, long size) implements Change {
        @Override
        public void apply(Map<Integer, byte[]> contents, Map<Path, Integer> names, Set<Path> directories) {
            byte[] before = contents.getOrDefault(file, new byte[0]);
            contents.put(file, Arrays.copyOf(before, (int) Math.min(before.length, size)));
        }

        @Override
        public boolean isFlushedBy(Change later) {
            return later instanceof Flushed flushed && flushed.file == file;
        }
    }

    private record Named(Path path, int file) implements Change {
        @Override
        public void apply(Map<Integer, byte[]> contents, Map<Path, Integer> names, Set<Path> directories) {
            names.put(path, file);
        }

        @Override
        public boolean isFlushedBy(Change later) {
            return later instanceof NamesFlushed flushed && flushed.directory.equals(path.getParent());
        }
    }

    private record Moved(Path from, Path to, int file) implements Change {
        @Override
        public void apply(Map<Integer, byte[]> contents, Map<Path, Integer> names, Set<Path> directories) {
            names.remove(from, file);
            names.put(to, file);
        }

        @Override
        public boolean isFlushedBy(Change later) {
            return later instanceof NamesFlushed flushed && flushed.directory.equals(to.getParent());
        }
    }

    private record Removed(Path path, int file) implements Change {
        @Override
        public void apply(Map<Integer, byte[]> contents, Map<Path, Integer> names, Set<Path> directories) {
            names.remove(path, file);
        }

        @Override
        public boolean isFlushedBy(Change later) {
            return later instanceof NamesFlushed flushed && flushed.directory.equals(path.getParent());
        }
    }

    private record DirectoryMade(Path path) implements Change {
        @Override
        public void apply(Map<Integer, byte[]> contents, Map<Path, Integer> names, Set<Path> directories) {
            directories.add(path);
        }

        @Override
        public boolean isFlushedBy(Change later) {
            return later instanceof NamesFlushed flushed && flushed.directory.equals(path.getParent());
        }
    }

    private record Flushed(int file) implements Change {}

    private record NamesFlushed(Path directory) implements Change {}

    private final class Watched extends WatchedChannel {
        private final int file;
        private final Path path;

        Watched(FileChannel real, int file, Path path) {
            super(real);
            this.file = file;
            this.path = path;
        }

        @Override
        int written(ByteBuffer bytes, long position) throws IOException {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            changes.add(new Wrote(file, position, copy));
            return real.write(bytes, position);
        }

        @Override
        void truncated(long size) {
            changes.add(new Truncated(file, size));
        }

        @Override
        void forced() {
            changes.add(file < 0 ? new NamesFlushed(path) : new Flushed(file));
        }
    }
}
