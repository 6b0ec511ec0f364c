package io.penstock.btree;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.PageId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A tree without a root is empty, or damaged: readers and writers tell the two apart. */
class RootLossCheckTest {
    private static final TreeSettings SMALL = TreeSettings.DEFAULT.withPageBytes(512);
    private static final String ROOT =
            "test/pages/" + Client.TREE.hex() + "/" + PageId.root(Client.TREE).hex();

    private final InlineTasks tasks = new InlineTasks(1, 1_700_000_000_000L);
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();

    private Client newClient() {
        return new Client(store, SMALL, tasks);
    }

    private void fill(int from, int to) {
        Client client = newClient();
        List<RecordChange> changes = new ArrayList<>();
        for (int i = from; i < to; i++) {
            changes.add(new RecordChange.Put(Client.key(i), Bytes.utf8("value " + i), Client.stamp(i + 1, 1)));
        }
        Client.merge(oracle, changes);
        client.apply(changes);
    }

    private Bytes loseRoot() {
        Bytes root = store.get(ROOT).orElseThrow().body();
        store.delete(ROOT);
        return root;
    }

    @Test
    void aLostRootIsNotReadAsEmpty() {
        fill(0, 300);
        fill(300, 600);
        loseRoot();
        assertThatThrownBy(() -> newClient().records.find(Client.key(7)))
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.PAGE_DAMAGED));
        assertThatThrownBy(() -> newClient().records.findAll(List.of(Client.key(7), Client.key(8))))
                .isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> newClient().scan(KeyRange.all(), Direction.ASCENDING))
                .isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> newClient().scan(KeyRange.all(), Direction.DESCENDING))
                .isInstanceOf(CorruptDataException.class);
        assertThat(newClient().check().violations()).hasSize(1);
    }

    /** Its only page is the root, and nothing else of it was ever written. */
    @Test
    void theLostOnlyPageOfATreeIsNotReadAsEmpty() {
        fill(0, 3);
        loseRoot();
        assertThatThrownBy(() -> newClient().records.find(Client.key(1)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("root");
        assertThat(newClient().check().violations()).hasSize(1);
        assertThatThrownBy(() -> fill(3, 5)).isInstanceOf(CorruptDataException.class);
    }

    /** Whoever founds a tree looks for its mark, and makes it; nobody asks again as long as there is a root. */
    @Test
    void aMarkCostsTwoRequestsInTheLifeOfATree() {
        List<MemoryObjectStore.Call> calls = new ArrayList<>();
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(MemoryObjectStore.Call call, String key) {
                if (key.startsWith("test/roots/")) {
                    calls.add(call);
                }
            }
        });
        fill(0, 300);
        fill(300, 600);
        newClient().assertEquals(oracle, "marked");
        assertThat(newClient().check().violations()).isEmpty();
        assertThat(calls).containsExactly(MemoryObjectStore.Call.GET, MemoryObjectStore.Call.PUT);
    }

    @Test
    void noRootIsFoundedBesideThePagesOfAnother() {
        fill(0, 300);
        fill(300, 600);
        Bytes root = loseRoot();
        List<RecordChange> changes = List.of(
                new RecordChange.Put(Client.key(5), Bytes.utf8("new"), Client.stamp(10_000, 1)),
                new RecordChange.Put(Client.key(900), Bytes.utf8("new"), Client.stamp(10_001, 1)));
        ApplyResult result = newClient().writer.applyReachable(changes, () -> {});
        assertThat(result.refused().stream().flatMap(one -> one.changes().stream()))
                .containsExactlyElementsOf(changes);
        assertThatThrownBy(() -> newClient().writer.createRoot(1)).isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> new TreeLoader(newClient().pages, Client.TREE, SMALL, tasks, 90))
                .isInstanceOf(CorruptDataException.class);
        assertThat(store.get(ROOT)).isEmpty();

        store.put(ROOT, root, WriteCondition.ALWAYS);
        newClient().apply(changes);
        Client.merge(oracle, changes);
        newClient().assertEquals(oracle, "root restored");
    }

    /** A split of a leaf, whose parents are written after it. */
    @Test
    void aRootThatIsLostBelowItsWriterIsNamed() {
        fill(0, 300);
        store.setHook(new MemoryObjectStore.Hook() {
            private int puts;

            @Override
            public void before(MemoryObjectStore.Call call, String key) {
                if (call == MemoryObjectStore.Call.PUT && !key.equals(ROOT) && ++puts == 2) {
                    store.clearHook();
                    store.delete(ROOT);
                }
            }
        });
        assertThatThrownBy(() -> fill(300, 600))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(ROOT);
    }

    @Test
    void leftoversOfTheFirstWriteAreNoProof() {
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(MemoryObjectStore.Call call, String key) {
                if (call == MemoryObjectStore.Call.PUT && key.equals(ROOT)) {
                    throw new UnavailableException("cut off");
                }
            }
        });
        assertThatThrownBy(() -> fill(0, 300)).isInstanceOf(UnavailableException.class);
        store.clearHook();
        assertThat(store.size()).isGreaterThan(3);
        newClient().assertSound("cut off");
        fill(0, 300);
        newClient().assertSound("first write");
    }

    @Test
    void anEmptyTreeCostsOneListing() {
        Client client = newClient();
        for (int i = 0; i < 100; i++) {
            assertThat(client.records.find(Client.key(i))).isEmpty();
        }
        assertThat(store.count(MemoryObjectStore.Call.LIST)).isEqualTo(1);
        assertThat(client.check().violations()).isEmpty();
    }
}
