package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Compression;
import io.penstock.core.Durability;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.StoredPage;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that has a compressed collection but not the library gets one clear error. */
class MissingLibraryTest {
    private static final PageId ID = new PageId(new TreeId(1), 2);
    private static final String TOLD =
            "InvalidRequestException: pages are compressed with zstd and its library cannot be"
                    + " loaded here; add com.github.luben:zstd-jni to the class path";

    @TempDir
    Path directory;

    /** A program that runs with the library or without it. */
    public static final class Program {
        private Program() {}

        static Penstock open(String directory) {
            return Penstock.open(
                    Settings.local(Path.of(directory), Durability.OS_CACHE).checkpointing(false));
        }

        private static String outcome(Runnable work) {
            try {
                work.run();
                return "done";
            } catch (StoreException failure) {
                return failure.getClass().getSimpleName() + ": " + failure.getMessage();
            }
        }

        public static String read(String directory) {
            try (Penstock store = open(directory)) {
                return outcome(() -> SimulatedStore.words(store).get("a"));
            }
        }

        public static String write(String directory) {
            try (Penstock store = open(directory)) {
                return outcome(() -> SimulatedStore.words(store).put("b", "1"));
            }
        }

        public static String declare(String directory) {
            try (Penstock store = open(directory)) {
                return outcome(() -> SimulatedStore.words(store).compressed(Compression.ZSTD));
            }
        }

        public static String plain(String directory) {
            try (Penstock store = open(directory)) {
                return outcome(() -> store.collection("plain", Keys.string(), Json.of(String.class))
                        .put("a", "1"));
            }
        }

        public static String decode(byte[] stored) {
            return outcome(() -> StoredPage.decode(Bytes.wrap(stored), ID, "pages/x"));
        }
    }

    /** A class loader with this class path except the library. */
    private static URLClassLoader without() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("zstd-jni")) {
                urls.add(new File(entry).toURI().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static Object run(ClassLoader loader, String method, Object argument) throws ReflectiveOperationException {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        // Where Jackson looks for its modules.
        Thread.currentThread().setContextClassLoader(loader);
        try {
            return loader.loadClass(Program.class.getName())
                    .getMethod(method, argument.getClass())
                    .invoke(null, argument);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void oneClearErrorTellsWhatIsMissing() throws Exception {
        String store = directory.resolve("store").toString();
        try (Penstock opened = Program.open(store)) {
            SimulatedStore.words(opened).compressed(Compression.ZSTD).put("a", "1");
            opened.admin().checkpoint();
        }
        LeafEntries.Builder entries = LeafEntries.builder(null);
        entries.put(Bytes.utf8("k"), Bytes.wrap(new byte[4096]), Stamp.of(1, 0, new ClientId(7)));
        PageHeader header = PageHeader.of(ID, PageKind.LEAF, 0, 1, 1);
        byte[] page = StoredPage.encode(entries.build().layout(header, 0, 1).encode(), Compression.ZSTD)
                .toArray();
        try (URLClassLoader loader = without()) {
            for (String method : List.of("read", "write", "declare")) {
                assertThat(run(loader, method, store)).asString().as(method).startsWith(TOLD);
            }
            assertThat(run(loader, "decode", page)).asString().startsWith(TOLD);
            assertThat(run(loader, "plain", store)).isEqualTo("done");
        }
        assertThat(Program.read(store)).isEqualTo("done");
        assertThat(Program.decode(page)).isEqualTo("done");
    }
}
