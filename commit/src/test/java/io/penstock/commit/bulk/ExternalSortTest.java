package io.penstock.commit.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExternalSortTest {
    /** Whatever fits in memory, and however many runs there are: sorted, and of one key the last. */
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

    @Test
    void manyRunsAreMergedIntoOneAndLeaveNoFiles() {
        Random random = new Random(1);
        try (ExternalSort sort = new ExternalSort(500)) {
            for (int i = 0; i < 2000; i++) {
                sort.add(Bytes.utf8("k" + random.nextInt()), Bytes.EMPTY, false);
                assertThat(sort.runs()).isLessThan(64);
            }
            assertThat(sort.runs()).isPositive();
            Bytes before = Bytes.EMPTY;
            int count = 0;
            for (Iterator<ExternalSort.Item> sorted = sort.sorted(); sorted.hasNext(); count++) {
                Bytes key = sorted.next().key();
                assertThat(key).isGreaterThan(before);
                before = key;
            }
            assertThat(count).isEqualTo(2000);
            assertThat(sort.directory()).exists();
            sort.close();
            assertThat(sort.directory()).doesNotExist();
        }
    }

    @Test
    void nothingIsSortedToNothing() {
        try (ExternalSort sort = new ExternalSort(10)) {
            assertThat(sort.sorted().hasNext()).isFalse();
        }
    }
}
