package io.penstock.bench.damage;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.core.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The files of a small local store whose process was killed: applied records, and commits that wait in its queues. */
final class LocalSpecimen implements AutoCloseable {
    private static final int BOOKS = 16;
    private static final int FILES = 2;
    private static final int ITEMS = 3;
    private static final Duration CLOSE_WITHIN = Duration.ofMillis(250);

    private final TemporaryDirectory directory = new TemporaryDirectory();
    private final Shop.Content content = new Shop.Content();
    private final AtomicInteger copies = new AtomicInteger();

    LocalSpecimen() {
        Path living = directory.path().resolve("living");
        try (Penstock store = Penstock.open(settings(living).checkpointing(false))) {
            Shop shop = new Shop(store, false);
            for (int i = 0; i < BOOKS; i++) {
                write(shop, ConsistencyLevel.MONOTONIC, Shop.BOOKS + "/" + i, "author" + i % 3 + " applied");
            }
            for (int i = 0; i < FILES; i++) {
                write(shop, ConsistencyLevel.MONOTONIC, Shop.FILES + "/" + i, "large ".repeat(50));
            }
            for (int i = 0; i < ITEMS; i++) {
                write(shop, ConsistencyLevel.SERIALIZABLE, Shop.STOCK + "/" + i, "applied");
            }
            store.admin().checkpoint();
            copy(living, earlier());
            write(shop, ConsistencyLevel.MONOTONIC, Shop.BOOKS + "/0", "author0 changed");
            write(shop, ConsistencyLevel.MONOTONIC, Shop.FILES + "/0", "changed ".repeat(50));
            write(shop, ConsistencyLevel.SERIALIZABLE, Shop.STOCK + "/0", "changed");
            store.admin().checkpoint();
            write(shop, ConsistencyLevel.SERIALIZABLE, Shop.STOCK + "/1", "waits");
            write(shop, ConsistencyLevel.MONOTONIC, Shop.BOOKS + "/1", "author1 waits");
            write(shop, ConsistencyLevel.ATOMIC, Shop.BOOKS + "/2", "author2 waits");
            write(shop, ConsistencyLevel.ATOMIC, Shop.FILES + "/1", "waits ".repeat(50));
            copy(living, template());
        }
    }

    private void write(Shop shop, ConsistencyLevel level, String path, String value) {
        shop.put(level, Map.of(path, value));
        content.put(path, value);
    }

    Shop.Content content() {
        return content;
    }

    /** What is damaged is applied by no close, however long it tries; others apply what it leaves. */
    static Settings settings(Path directory) {
        return Settings.local(directory, Durability.OS_CACHE)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(512)
                .advanced(advanced -> advanced.sweeping(false))
                .closeWithin(CLOSE_WITHIN);
    }

    private Path template() {
        return directory.path().resolve("template");
    }

    private Path earlier() {
        return directory.path().resolve("earlier");
    }

    /** The files, by their names within the directory. */
    List<Path> files() {
        Path template = template();
        try (Stream<Path> all = Files.walk(template)) {
            return all.filter(Files::isRegularFile)
                    .map(template::relativize)
                    .filter(file -> !file.endsWith("lock"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] bytes(Path file) {
        return bytes(template(), file);
    }

    /** What a file was before; empty when it was not there. */
    Optional<byte[]> bytesBefore(Path file) {
        return Files.exists(earlier().resolve(file)) ? Optional.of(bytes(earlier(), file)) : Optional.empty();
    }

    private static byte[] bytes(Path directory, Path file) {
        try {
            return Files.readAllBytes(directory.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A copy of all files, to be damaged. */
    Path copy() {
        Path copy = directory.path().resolve("copy" + copies.getAndIncrement());
        copy(template(), copy);
        return copy;
    }

    static void remove(Path copy) {
        try (Stream<Path> all = Files.walk(copy)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            // Not the socket of a living owner.
            for (Path path : all.filter(path -> Files.isDirectory(path) || Files.isRegularFile(path))
                    .toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        directory.close();
    }
}
