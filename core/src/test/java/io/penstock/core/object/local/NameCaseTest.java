package io.penstock.core.object.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.ShiftedTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A local object store where the names of files do not tell upper case from lower, as on macOS by default. */
class NameCaseTest extends ObjectStoreContract {
    private static final List<String> KEYS =
            List.of("shop/catalog/Orders.json", "shop/catalog/orders.json", "Shop/x", "shop/\u00c4/A", "shop/a%4A");

    /** Only the answer is that of such a file system: what is put there must not need more. */
    private static class NoCase implements FileAccess {
        int movesLeft = Integer.MAX_VALUE;

        @Override
        public boolean tellsCase(Path existing) {
            return false;
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            if (--movesLeft < 0) {
                throw new IOException("the process is killed here");
            }
            FileAccess.super.move(from, to);
        }
    }

    @TempDir
    private Path directory;

    private final Tasks tasks = new ShiftedTasks();
    private LocalObjectStore store;

    @BeforeEach
    void openStore() {
        store = open(new NoCase());
    }

    private LocalObjectStore open(FileAccess access) {
        return LocalObjectStore.open(directory, tasks, Durability.OS_CACHE, access);
    }

    @AfterEach
    void namesDifferInMoreThanCase() throws IOException {
        store.close();
        assertNamesNeedNoCase();
    }

    private void assertNamesNeedNoCase() throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                assertThat(names.add(file.toString().toLowerCase(Locale.ROOT)))
                        .as("%s", file)
                        .isTrue();
                String plain = directory.relativize(file).toString().replaceAll("%[0-9A-F]{2}", "");
                assertThat(plain).isEqualTo(plain.toLowerCase(Locale.ROOT));
            }
        }
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    @Test
    void aDirectoryOfAnEarlierReleaseGetsItsNames() throws IOException {
        Files.delete(directory.resolve("folded"));
        Files.createFile(directory.resolve("foreign.d"));
        fill(open(FileAccess.SYSTEM));
        store = open(new NoCase());
        assertFilled();
    }

    /** The pass is cut off before every one of its renames, and goes on at the next open. */
    @Test
    void aPassThatIsCutOffGoesOn() throws IOException {
        int moves = 0;
        for (boolean cut = true; cut; moves++) {
            clear();
            fill(open(FileAccess.SYSTEM));
            NoCase killed = new NoCase();
            killed.movesLeft = moves;
            try {
                open(killed).close();
                cut = false;
            } catch (UnavailableException expected) {
                assertThat(directory.resolve("folded")).doesNotExist();
            }
            store = open(new NoCase());
            assertFilled();
            assertNamesNeedNoCase();
        }
        assertThat(moves).isGreaterThan(KEYS.size() - 1);
    }

    /** As of a backup from macOS that is restored on Linux. */
    @Test
    void aCopyIsReadWhereNamesTellCase() {
        fill(store);
        store = open(FileAccess.SYSTEM);
        assertFilled();
        store.put("shop/catalog/New.json", Bytes.EMPTY, WriteCondition.IF_ABSENT);
        store = open(new NoCase());
        assertThat(store.get("shop/catalog/New.json")).isPresent();
    }

    @Test
    void namesOfDevicesOfWindowsAreNotUsed() {
        KeyPaths paths = new KeyPaths(directory, false);
        assertThat(paths.file("con.json").getFileName()).hasToString("%63on.json.o");
        assertThat(paths.file("lpt1/a")).isEqualTo(directory.resolve("%6Cpt1.d/a.o"));
        assertThat(paths.file("console").getFileName()).hasToString("console.o");
    }

    @Test
    void whereNamesTellCaseNothingChanges() {
        assertThat(new KeyPaths(directory, true).file("con/Orders.json"))
                .isEqualTo(directory.resolve("con.d/Orders.json.o"));
    }

    @Test
    void theSystemIsAskedWhetherNamesTellCase(@TempDir Path elsewhere) throws IOException {
        Path existing = Files.createFile(elsewhere.resolve("lower"));
        boolean tellsCase = !Files.exists(elsewhere.resolve("LOWER"));
        assertThat(FileAccess.SYSTEM.tellsCase(existing)).isEqualTo(tellsCase);
        Files.createFile(elsewhere.resolve("lower2"));
        if (tellsCase) {
            Files.createFile(elsewhere.resolve("LOWER2"));
        }
        assertThat(FileAccess.SYSTEM.tellsCase(elsewhere.resolve("lower2"))).isFalse();
    }

    private static void fill(ObjectStore store) {
        KEYS.forEach(key -> store.put(key, Bytes.utf8(key), WriteCondition.IF_ABSENT));
    }

    private void assertFilled() {
        for (String key : KEYS) {
            assertThat(store.get(key).orElseThrow().body().toUtf8()).isEqualTo(key);
            assertThatThrownBy(() -> store.put(key, Bytes.EMPTY, WriteCondition.IF_ABSENT))
                    .hasMessageContaining("exists already");
        }
        assertThat(ObjectStores.listAll(store, "").stream().map(Listing.Entry::key))
                .containsExactlyInAnyOrderElementsOf(KEYS);
    }

    private void clear() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(directory)) {
                    Files.delete(file);
                }
            }
        }
    }
}
