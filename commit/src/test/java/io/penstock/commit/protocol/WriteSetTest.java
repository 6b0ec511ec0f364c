package io.penstock.commit.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteSetTest {
    private static final TreeId TREE = new TreeId(1);

    private final WriteSet writes = new WriteSet(Long.MAX_VALUE);

    @Test
    void theLastWriteOfAKeyCounts() {
        put("a", "1");
        put("a", "2");
        delete("b");
        put("b", "3");
        put("c", "4");
        delete("c");
        assertThat(writes.find(TREE, key("a")).payloadOrNull()).isEqualTo(key("2"));
        assertThat(writes.find(TREE, key("c")).payloadOrNull()).isNull();
        assertThat(writes.find(TREE, key("d"))).isNull();
        assertThat(writes.find(new TreeId(9), key("a"))).isNull();
        Stamp stamp = new Stamp(7, new ClientId(1));
        assertThat(LogRecord.byTree(writes.stamped(stamp)).get(TREE))
                .extracting(LogRecord::change)
                .containsExactly(
                        new RecordChange.Put(key("a"), key("2"), stamp),
                        new RecordChange.Put(key("b"), key("3"), stamp),
                        new RecordChange.Delete(key("c"), stamp));
    }

    @Test
    void rangesBothWays() {
        for (String key : List.of("a", "b", "c", "d")) {
            put(key, key);
        }
        KeyRange range = new KeyRange(key("b"), key("d"));
        assertThat(keys(range, Direction.ASCENDING)).containsExactly("b", "c");
        assertThat(keys(range, Direction.DESCENDING)).containsExactly("c", "b");
        assertThat(keys(KeyRange.all(), Direction.DESCENDING)).containsExactly("d", "c", "b", "a");
        assertThat(keys(KeyRange.atLeast(key("c")), Direction.ASCENDING)).containsExactly("c", "d");
        assertThat(keys(new KeyRange(key("d"), key("b")), Direction.ASCENDING)).isEmpty();
    }

    /** Also when parts of the transaction are taken back, within each other. */
    @Test
    void aViewStaysAsItWas() {
        Random random = new Random(20261127);
        Map<WriteSet, Map<String, String>> views = new LinkedHashMap<>();
        List<Integer> parts = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            switch (random.nextInt(8)) {
                case 0 -> {
                    WriteSet view = writes.view();
                    views.put(view, content(view));
                }
                case 1 -> parts.add(writes.mark());
                case 2 -> {
                    if (!parts.isEmpty()) {
                        Map<String, String> kept = random.nextBoolean() ? content(writes) : null;
                        writes.release(parts.removeLast(), kept != null);
                        assertThat(kept == null || kept.equals(content(writes))).isTrue();
                    }
                }
                case 3 -> delete("k" + random.nextInt(30));
                default -> put("k" + random.nextInt(30), "v" + i);
            }
            if (i % 50 == 0) {
                views.forEach((view, then) -> assertThat(content(view)).isEqualTo(then));
            }
            if (views.size() > 20) {
                views.keySet().removeIf(view -> random.nextInt(3) > 0);
            }
        }
    }

    /** A transaction that had scanned once kept each value that it replaced until it ended. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void replacedValuesAreLetGo(boolean viewedAgain) {
        List<WeakReference<Bytes>> values = new ArrayList<>();
        WriteSet view = writes.view();
        for (int i = 0; i < 100; i++) {
            Bytes value = key("v" + i);
            values.add(new WeakReference<>(value));
            writes.put(TREE, key("k0"), value, Expiry.NEVER);
            if (i == 50 || viewedAgain) {
                view = writes.view();
            }
        }
        System.gc();
        assertThat(values.stream().filter(value -> value.get() != null))
                .as("the last one, and that of the view")
                .hasSizeLessThan(3);
        assertThat(view.find(TREE, key("k0")).payloadOrNull()).isEqualTo(key(viewedAgain ? "v99" : "v50"));
    }

    /** What it has of each key, by a range and by single keys. */
    private static Map<String, String> content(WriteSet writes) {
        Map<String, String> found = new TreeMap<>();
        writes.iterate(TREE, KeyRange.all(), Direction.ASCENDING)
                .forEachRemaining(change -> found.put(change.key().toUtf8(), String.valueOf(change.payloadOrNull())));
        for (int i = 0; i < 30; i++) {
            RecordChange one = writes.find(TREE, key("k" + i));
            assertThat(found.get("k" + i)).isEqualTo(one == null ? null : String.valueOf(one.payloadOrNull()));
        }
        return found;
    }

    @Test
    void aTransactionMayWriteWhileItScans() {
        put("a", "1");
        put("b", "2");
        Iterator<RecordChange> scan = writes.iterate(TREE, KeyRange.all(), Direction.ASCENDING);
        scan.next();
        put("c", "3");
        delete("b");
        assertThat(scan.next().payloadOrNull()).isEqualTo(key("2"));
        assertThat(scan.hasNext()).isFalse();
    }

    @Test
    void countsAndTrees() {
        assertThat(writes.isEmpty()).isTrue();
        put("a", "12");
        writes.delete(new TreeId(2), key("bc"));
        assertThat(writes.isEmpty()).isFalse();
        assertThat(writes.bytes()).isEqualTo(5);
        assertThat(LogRecord.byTree(writes.stamped(Stamp.ZERO)).keySet()).containsExactly(TREE, new TreeId(2));
    }

    private List<String> keys(KeyRange range, Direction direction) {
        List<String> keys = new ArrayList<>();
        writes.iterate(TREE, range, direction)
                .forEachRemaining(w -> keys.add(w.key().toUtf8()));
        return keys;
    }

    private void put(String key, String payload) {
        writes.put(TREE, key(key), key(payload), Expiry.NEVER);
    }

    private void delete(String key) {
        writes.delete(TREE, key(key));
    }

    private static Bytes key(String text) {
        return Bytes.utf8(text);
    }
}
