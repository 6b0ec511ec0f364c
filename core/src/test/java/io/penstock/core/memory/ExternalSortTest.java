package io.penstock.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalSortTest {
    /**
     * Whatever fits in memory, and however many runs there are: the output is sorted, and the last item of each key
     * stays.
     */
    @Test
    void sortsLikeAMap() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            Map<Bytes, ExternalSort.Item> expected = new TreeMap<>();
            int count = random.nextInt(4000);
            int keys = 1 + random.nextInt(5000);
            try (ExternalSort sort = new ExternalSort(1 + random.nextInt(100_000))) {
                for (int i = 0; i < count; i++) {
                    byte[] value = new byte[random.nextInt(20)];
                    random.nextBytes(value);
                    ExternalSort.Item item = new ExternalSort.Item(
                            Bytes.utf8("k" + random.nextInt(keys)), Bytes.wrap(value), random.nextBoolean());
                    expected.put(item.key(), item);
                    sort.add(item.key(), item.value(), item.isReference());
                }
                Iterator<ExternalSort.Item> sorted = sort.sorted();
                Iterator<ExternalSort.Item> wanted = expected.values().iterator();
                while (wanted.hasNext()) {
                    assertThat(sorted.next()).as("seed=" + seed).isEqualTo(wanted.next());
                }
                assertThat(sorted.hasNext()).as("seed=" + seed).isFalse();
            }
        }
    }

    /** However many runs there are, the number of open files is bounded, and no more is merged than that requires. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 8, 16, 17, 63, 65, 300})
    void manyRunsAreMergedAndLeaveNoFiles(int runs) {
        int open = 4;
        Random random = new Random(runs);
        try (ExternalSort sort = new ExternalSort(1, open)) {
            Map<Bytes, Bytes> expected = new TreeMap<>();
            for (int i = 0; i < runs; i++) {
                // Each item is a run of its own. If a key recurs, its last value must stay.
                Bytes key = Bytes.utf8("k" + random.nextInt(runs));
                expected.put(key, Bytes.utf8("v" + i));
                sort.add(key, Bytes.utf8("v" + i), false);
            }
            assertThat(sort.runs()).isEqualTo(runs);
            Iterator<ExternalSort.Item> sorted = sort.sorted();
            assertThat(sort.runs()).as("files that are open").isEqualTo(Math.min(runs, open));
            // Each merge leaves three files fewer, except the last of a pass, which may have fewer inputs.
            int fewest = Math.max(0, Math.ceilDiv(runs - open, open - 1));
            int passes = runs <= open * open ? 0 : 3;
            assertThat(sort.filesWritten() - runs).as("merges").isBetween(fewest, fewest + passes);
            for (Map.Entry<Bytes, Bytes> wanted : expected.entrySet()) {
                assertThat(sorted.next()).isEqualTo(new ExternalSort.Item(wanted.getKey(), wanted.getValue(), false));
            }
            assertThat(sorted.hasNext()).isFalse();
            assertThat(sort.directory()).exists();
            sort.close();
            assertThat(sort.directory()).doesNotExist();
        }
    }

    /** The incomplete file was left, so its directory could not be removed, and that failure hid the real one. */
    @Test
    void halfAFileIsRemoved(@TempDir Path directory) {
        Path file = directory.resolve("run");
        Iterator<ExternalSort.Item> failing = new Iterator<>() {
            private int given;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public ExternalSort.Item next() {
                if (given++ == 100_000) {
                    throw new UnavailableException("a run cannot be read");
                }
                return new ExternalSort.Item(Bytes.utf8("k" + given), Bytes.EMPTY, false);
            }
        };
        assertThatThrownBy(() -> RunFile.write(file, failing)).hasMessageContaining("a run cannot be read");
        assertThat(file).doesNotExist();
    }

    /** What is left in a buffer is written at the end, and was not seen to fail. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileThatFillsTheDiskAtItsEndIsRemoved(@TempDir Path directory) throws IOException {
        Path file = Files.createSymbolicLink(directory.resolve("run"), Path.of("/dev/full"));
        Iterator<ExternalSort.Item> one = List.of(new ExternalSort.Item(Bytes.utf8("k"), Bytes.EMPTY, false))
                .iterator();
        assertThatThrownBy(() -> RunFile.write(file, one)).isInstanceOf(UnavailableException.class);
        assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void nothingIsSortedToNothing() {
        try (ExternalSort sort = new ExternalSort(10)) {
            assertThat(sort.sorted().hasNext()).isFalse();
        }
    }
}
