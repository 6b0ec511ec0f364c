package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Index epochs of leaves. */
class LeafMarkTest {
    private static final long NOW = 1_700_000_000_000L;

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1, NOW);
    private final Client client = client();

    private Client client() {
        return new Client(store, TreeSettings.DEFAULT.withPageBytes(512), tasks);
    }

    private static RecordChange put(int number, String payload, long time) {
        return new RecordChange.Put(Client.key(number), Bytes.utf8(payload), Client.stamp(NOW + time, 1));
    }

    private static PageFrame leaf(Client of, int number) {
        return of.tree.leafFor(Client.key(number)).map(PageIndex.Leaf::page).orElseThrow();
    }

    @Test
    void aMarkedLeafTellsOfWhatItMeets() {
        client.apply(List.of(put(1, "a", 1)));
        client.writer.mark(leaf(client, 1), 3);
        assertThat(leaf(client, 1).image().header().indexEpoch()).isEqualTo(3);
        List<RecordChange> changes = List.of(put(1, "a", 1), put(2, "b", 1));
        ApplyResult result = client.writer.apply(changes);
        assertThat(result.marked()).containsExactly(new ApplyResult.Marked(3, changes));
        assertThat(result.superseded()).isEqualTo(1);
        assertThat(client.writer.apply(changes).marked())
                .as("what changes nothing is told of too")
                .containsExactly(new ApplyResult.Marked(3, changes));
    }

    @Test
    void anUnmarkedLeafTellsNothing() {
        assertThat(client.apply(List.of(put(1, "a", 1))).marked()).isEmpty();
    }

    @Test
    void aLeafThatWasChangedSinceIsNotMarked() {
        client.apply(List.of(put(1, "a", 1)));
        PageFrame read = leaf(client, 1);
        Client other = client();
        other.writer.apply(List.of(put(2, "b", 1)));
        assertThatThrownBy(() -> client.writer.mark(read, 3)).isInstanceOf(ConflictException.class);
        assertThat(leaf(client, 1).image().count())
                .as("the pool has the newer one")
                .isEqualTo(2);
        client.writer.mark(leaf(client, 1), 3);
        assertThat(client().records.find(Client.key(2))).isPresent();
    }

    /** A stale writer's put is fenced by the version, so that it meets the mark. */
    @Test
    void whoReadTheLeafBeforeItWasMarkedMeetsTheMark() {
        client.apply(List.of(put(1, "a", 1)));
        Client stale = client();
        assertThat(stale.records.find(Client.key(1))).isPresent();
        client.writer.mark(leaf(client, 1), 3);
        ApplyResult result = stale.writer.apply(List.of(put(2, "b", 1)));
        assertThat(result.conflicts()).isPositive();
        assertThat(result.marked()).containsExactly(new ApplyResult.Marked(3, List.of(put(2, "b", 1))));
    }

    @Test
    void splitsHandTheMarkOn() {
        client.writer.createRoot(2);
        List<RecordChange> many = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            many.add(put(i, "a payload of some length", 1));
        }
        client.writer.apply(many);
        assertThat(client.assertSound("split").records()).isEqualTo(300);
        assertThat(client.tree.countLeaves()).isGreaterThan(10);
        for (int i = 0; i < 300; i++) {
            assertThat(leaf(client, i).image().header().indexEpoch()).isEqualTo(2);
        }
    }

    @Test
    void aTreeIsFoundedOnce() {
        client.writer.createRoot(1);
        assertThatThrownBy(() -> client().writer.createRoot(2)).isInstanceOf(ConflictException.class);
        assertThat(leaf(client, 1).image().header().indexEpoch()).isEqualTo(1);
        assertThat(client.tree.countLeaves()).isEqualTo(1);
    }
}
