package io.penstock.bench.program;

import io.penstock.cli.program.UsageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory that is removed on close, and when the process ends, even by Ctrl-C. */
public final class TemporaryDirectory implements AutoCloseable {
    /** The maximum number of attempts to remove the directory: other threads may still write into it. */
    private static final int ATTEMPTS_MAX = 20;

    private final Path path;
    private final Thread atExit;
    private volatile boolean kept;

    public TemporaryDirectory() {
        this(create(), false);
    }

    private TemporaryDirectory(Path path, boolean kept) {
        this.path = path;
        this.kept = kept;
        atExit = Thread.ofPlatform().name("remove-temporary-directory").unstarted(this::remove);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    private static Path create() {
        try {
            return Files.createTempDirectory("penstock-tpcw-");
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary directory can be made; free space or set java.io.tmpdir", e);
        }
    }

    /**
     * Returns a temporary directory, or the one given by {@code --dir}, which stays. It is created if it is missing.
     *
     * @throws UsageException if it is not empty: no file may be overwritten
     */
    public static TemporaryDirectory orEmpty(@Nullable Path given) {
        if (given == null) {
            return new TemporaryDirectory();
        }
        if (Files.exists(given) && !Files.isDirectory(given)) {
            throw new UsageException("--dir " + given + " is not a directory; name another");
        }
        try {
            Files.createDirectories(given);
            try (Stream<Path> files = Files.list(given)) {
                if (files.findAny().isPresent()) {
                    throw new UsageException("--dir " + given + " is not empty; empty it, or name another");
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new UsageException("--dir " + given + " cannot be made or read; name a writable place");
        }
        return new TemporaryDirectory(given, true);
    }

    public Path path() {
        return path;
    }

    /** Keeps the directory, because its content is worth a look. */
    public void keep() {
        kept = true;
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // The process is ending: the hook runs, and finds nothing to do.
        }
    }

    private void remove() {
        for (int attempt = 0; !kept && attempt < ATTEMPTS_MAX && Files.exists(path); attempt++) {
            try (Stream<Path> files = Files.walk(path)) {
                List<Path> deepestFirst =
                        files.sorted(Comparator.reverseOrder()).toList();
                for (Path file : deepestFirst) {
                    Files.deleteIfExists(file);
                }
            } catch (NoSuchFileException gone) {
                // Removed by another thread; look again.
            } catch (IOException | UncheckedIOException busy) {
                Thread.onSpinWait();
            }
        }
    }
}
