package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A scan sees what its transaction had written when it was opened, whatever the transaction or others write then. */
class ScanWhileWritingTest {
    private static final int RECORDS = 1_000;

    private final Settings settings = Settings.inMemory().pageBytes(512);
    private final Penstock store = Penstock.open(settings);
    private final Penstock other = Penstock.open(settings);

    private static String key(long number) {
        return String.format("%04d", number);
    }

    private static RecordCollection<String, Long> numbers(Penstock store) {
        return store.collection("numbers", Keys.string(), Json.of(Long.class));
    }

    private static Index<Long, String, Long> byValue(RecordCollection<String, Long> numbers) {
        return numbers.index("byValue", Keys.longs(), value -> value);
    }

    @BeforeEach
    void load() {
        RecordCollection<String, Long> numbers = numbers(store);
        var unused = byValue(numbers);
        store.transact(tx -> {
            for (long i = 0; i < RECORDS; i++) {
                tx.put(numbers, key(i), i);
            }
            return true;
        });
        store.admin().checkpoint();
    }

    @AfterEach
    void close() {
        other.close();
        store.close();
    }

    /** Another client's commit, which moves the state of a scan: pages that it has not read ahead are newer now. */
    private void disturb() {
        RecordCollection<String, Long> theirs = numbers(store);
        var unused = byValue(theirs);
        for (long i = 400; i < 500; i += 4) {
            theirs.put(key(i), i);
        }
        store.admin().checkpoint();
    }

    @Test
    void whatIsPutAheadOfAScanOfAnIndexIsNotSeen() {
        RecordCollection<String, Long> numbers = numbers(other);
        Index<Long, String, Long> index = byValue(numbers);
        List<String> seen = other.transact(tx -> {
            List<String> keys = new ArrayList<>();
            try (Scan<Entry<String, Long>> all = tx.scan(index, KeySpan.all())) {
                while (all.hasNext()) {
                    Entry<String, Long> next = all.next();
                    keys.add(next.key());
                    if (keys.size() <= 5) {
                        tx.put(numbers, next.key(), next.value() + 900);
                    }
                    if (keys.size() == 5) {
                        disturb();
                    }
                }
            }
            return keys;
        });
        assertThat(new HashSet<>(seen)).hasSize(RECORDS);
        assertThat(seen).hasSize(RECORDS);
    }

    @Test
    void whatMovesWithinAnIndexIsSeenOnce() {
        RecordCollection<String, Long> numbers = numbers(store);
        Index<Long, String, Long> index = byValue(numbers);
        List<String> seen = store.transact(tx -> {
            List<String> keys = new ArrayList<>();
            try (Scan<Entry<String, Long>> all = tx.scan(index, KeySpan.all())) {
                while (all.hasNext()) {
                    keys.add(all.next().key());
                    if (keys.size() == 1) {
                        tx.put(numbers, key(40), 45L);
                        tx.delete(numbers, key(41));
                    }
                }
            }
            return keys;
        });
        assertThat(seen).hasSize(RECORDS).contains(key(40), key(41)).doesNotHaveDuplicates();
        assertThat(numbers.get(key(40))).hasValue(45L);
        assertThat(numbers.get(key(41))).isEmpty();
    }

    @Test
    void whatIsPutAheadOfAScanOfKeysIsNotSeen() {
        RecordCollection<String, Long> numbers = numbers(other);
        var unused = byValue(numbers);
        long seen = other.transact(tx -> {
            long count = 0;
            try (Scan<Entry<String, Long>> all = tx.scan(numbers, KeySpan.between(key(0), key(9_000)))) {
                while (all.hasNext()) {
                    all.next();
                    count++;
                    if (count == 5) {
                        tx.put(numbers, "0900a", 1L);
                        disturb();
                    }
                }
            }
            return count;
        });
        assertThat(seen).isEqualTo(RECORDS);
        assertThat(numbers.get("0900a")).hasValue(1L);
    }

    @Test
    void whatWasWrittenBeforeIsSeenAndTakenBackWithItsPart() {
        RecordCollection<String, Long> numbers = numbers(store);
        Index<Long, String, Long> index = byValue(numbers);
        store.transact(tx -> {
            tx.put(numbers, key(7), 10_000L);
            Scan<Entry<String, Long>> before = tx.scan(index, KeySpan.from(10_000L));
            boolean unused = store.transact(part -> {
                part.put(numbers, key(8), 20_000L);
                assertThat(part.scan(index, KeySpan.from(10_000L)).stream()).hasSize(2);
                part.abort();
                return true;
            });
            assertThat(before.stream()).hasSize(1);
            assertThat(tx.scan(index, KeySpan.from(10_000L)).stream()).hasSize(1);
            return true;
        });
        assertThat(numbers.get(key(8))).hasValue(8L);
    }
}
