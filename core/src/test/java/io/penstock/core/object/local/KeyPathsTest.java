package io.penstock.core.object.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.ShiftedTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of files that need no file system that tells upper case from lower, as macOS and Windows do not by default. */
class KeyPathsTest {
    private static final List<String> KEYS =
            List.of("shop/catalog/Orders.json", "shop/catalog/orders.json", "Shop/x", "shop/\u00c4/A", "shop/a%4A");

    @Test
    void namesDifferInMoreThanCase(@TempDir Path directory) throws IOException {
        try (LocalObjectStore store = LocalObjectStore.open(directory, new ShiftedTasks(), Durability.OS_CACHE)) {
            KEYS.forEach(key -> store.put(key, Bytes.utf8(key), WriteCondition.IF_ABSENT));
            assertThat(ObjectStores.listAll(store, "").stream().map(Listing.Entry::key))
                    .containsExactlyInAnyOrderElementsOf(KEYS);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String plain = directory.relativize(file).toString().replaceAll("%[0-9A-F]{2}", "");
                assertThat(plain).isEqualTo(plain.toLowerCase(Locale.ROOT));
            }
        }
    }

    @Test
    void namesOfDevicesOfWindowsAreNotUsed() {
        Path root = Path.of("root");
        KeyPaths paths = new KeyPaths(root);
        assertThat(paths.file("con.json").getFileName()).hasToString("%63on.json.o");
        assertThat(paths.file("lpt1/a")).isEqualTo(root.resolve("%6Cpt1.d/a.o"));
        assertThat(paths.file("console").getFileName()).hasToString("console.o");
    }
}
