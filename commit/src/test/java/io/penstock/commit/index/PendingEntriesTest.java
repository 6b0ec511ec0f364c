package io.penstock.commit.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.btree.ApplyResult.Marked;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.catalog.Declaration;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PendingEntriesTest {
    private static final TreeId PRIMARY = new TreeId(1);
    private static final TreeId FIRST = new TreeId(0x11);
    private static final TreeId SECOND = new TreeId(0x22);
    private static final Stamp STAMP = new Stamp(7, new ClientId(3));

    /** Made with one index; others were added at epochs 2 and 3, the last one is being built. */
    private final CollectionDefinition definition = Declaration.definition(
                    "c", PRIMARY, "string", 4096, List.of(new IndexDefinition("made", "0a", "long")))
            .adding(List.of())
            .adding(List.of(added("first", 2, FIRST, null)))
            .adding(List.of(added("second", 3, SECOND, 40)));

    private static IndexDefinition added(String name, long epoch, TreeId pending, Integer built) {
        return new IndexDefinition(name, new TreeId(pending.value() + 1).hex(), "long", epoch, pending.hex(), built);
    }

    private static LogRecord put(String key, long epoch) {
        return new LogRecord(PRIMARY, new RecordChange.Put(Bytes.utf8(key), Bytes.utf8("v"), STAMP), epoch);
    }

    private Map<TreeId, List<RecordChange>> due(long leaf, LogRecord... records) {
        List<RecordChange> changes =
                List.of(records).stream().map(LogRecord::change).toList();
        return PendingEntries.due(definition, List.of(records), List.of(new Marked(leaf, changes)));
    }

    private static List<RecordChange> noted(String... keys) {
        return List.of(keys).stream()
                .<RecordChange>map(key -> new RecordChange.Put(Bytes.utf8(key), Bytes.EMPTY, STAMP))
                .toList();
    }

    @Test
    void aWriterThatKnowsAllIndexesLeavesNothingPending() {
        assertThat(due(3, put("a", 3))).isEmpty();
    }

    @Test
    void whatItsWriterDidNotKnowIsNotedWithTheStampOfTheRecord() {
        assertThat(due(3, put("b", 2), put("a", 0))).isEqualTo(Map.of(FIRST, noted("a"), SECOND, noted("a", "b")));
    }

    @Test
    void aLeafThatTheBuildHasNotReachedLeavesNothingPending() {
        assertThat(due(2, put("a", 2))).isEmpty();
        assertThat(due(2, put("a", 0))).isEqualTo(Map.of(FIRST, noted("a")));
    }

    /** It leaves entries over, and who reads nothing but entries must know that. */
    @Test
    void aDeleteIsNotedLikeAPut() {
        RecordChange delete = new RecordChange.Delete(Bytes.utf8("a"), STAMP);
        assertThat(due(3, new LogRecord(PRIMARY, delete))).containsOnlyKeys(FIRST, SECOND);
        assertThat(due(3, new LogRecord(PRIMARY, delete, 3))).isEmpty();
    }

    @Test
    void droppedIndexesOweNothing() {
        CollectionDefinition without =
                definition.dropping(definition.index("first").orElseThrow());
        LogRecord old = put("a", 0);
        assertThat(PendingEntries.due(without, List.of(old), List.of(new Marked(4, List.of(old.change())))))
                .containsOnlyKeys(SECOND);
        assertThat(without.hasDropped(FIRST)).isTrue();
        assertThat(without.trees()).doesNotContain(FIRST).contains(SECOND, PRIMARY);
    }
}
