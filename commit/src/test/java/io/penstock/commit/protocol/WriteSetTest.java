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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

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
