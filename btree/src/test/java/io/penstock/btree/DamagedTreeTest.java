package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One page of a tree is damaged or gone: changes to all others are applied, and the rest is handed back. */
class DamagedTreeTest {
    private static final TreeSettings SMALL = TreeSettings.DEFAULT.withPageBytes(512);
    private static final int RECORDS = 600;

    private final long seed = Long.getLong("seed", 1);
    private final Random random = new Random(seed);
    private final InlineTasks tasks = new InlineTasks(seed, 1_700_000_000_000L);
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
    private long stamps = 1_700_000_000_000L;

    private Client newClient() {
        return new Client(store, SMALL, tasks);
    }

    /** A change of every seventh record or so. */
    private List<RecordChange> changes(int every) {
        List<RecordChange> changes = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            if (random.nextInt(every) == 0) {
                changes.add(new RecordChange.Put(
                        Client.key(i), Bytes.utf8("value " + random.nextInt(1000)), Client.stamp(++stamps, 1)));
            }
        }
        return changes;
    }

    @BeforeEach
    void aTreeOfThreeLevels() {
        List<RecordChange> all = changes(1);
        Client.merge(oracle, all);
        Client client = newClient();
        client.apply(all);
        assertThat(client.assertSound("seed " + seed).levels()).hasSizeGreaterThanOrEqualTo(3);
    }

    private int calls() {
        return Arrays.stream(MemoryObjectStore.Call.values())
                .mapToInt(store::count)
                .sum();
    }

    private List<String> pages() {
        return ObjectStores.listAll(store, "test/pages/").stream()
                .map(Listing.Entry::key)
                .toList();
    }

    private PageImage page(String key) {
        Client client = newClient();
        return client.pages
                .read(client.pages.pageAt(key).orElseThrow())
                .orElseThrow()
                .image();
    }

    private void damage(String key, boolean remove) {
        if (remove) {
            store.delete(key);
        } else {
            store.put(key, Bytes.utf8("rubbish"), WriteCondition.ALWAYS);
        }
    }

    /** Every page once, damaged and removed; a client that has the upper pages pooled, and one that has nothing. */
    @Test
    void whateverPageIsDamagedTheOthersAreWritten() {
        for (String key : pages()) {
            boolean isRoot = key.endsWith(PageId.root(Client.TREE).hex());
            check(key, false, newClient());
            check(key, false, warmClient());
            if (!isRoot) {
                check(key, true, newClient());
                check(key, true, warmClient());
            }
        }
    }

    private Client warmClient() {
        Client client = newClient();
        client.records.find(Client.key(random.nextInt(RECORDS)));
        return client;
    }

    private void check(String key, boolean remove, Client writer) {
        String what = "seed " + seed + " page " + key + (remove ? " removed" : " damaged");
        Bytes before = store.get(key).orElseThrow().body();
        PageImage hidden = page(key);
        damage(key, remove);
        List<RecordChange> changes = changes(7);
        int calls = calls();
        ApplyResult result = writer.writer.applyReachable(changes, () -> {});
        assertThat(calls() - calls).as(what).isLessThan(30 * RECORDS / 7);
        List<RecordChange> refused =
                result.refused().stream().flatMap(one -> one.changes().stream()).toList();
        assertThat(new HashSet<>(changes)).as(what).containsAll(refused);
        assertThat(refused).as(what).doesNotHaveDuplicates();
        if (hidden.isLeaf()) {
            assertThat(refused).as(what).hasSizeLessThan(RECORDS / 7);
        }
        assertWritten(changes, refused, hidden.isLeaf(), what);
        store.put(key, before, WriteCondition.ALWAYS);
        Client.merge(oracle, changes);
        newClient().apply(refused);
        newClient().assertEquals(oracle, what);
    }

    /**
     * A client that has seen nothing yet reads what was applied, and nothing at all of what was not. Of what is below a
     * damaged inner page, a writer that has it pooled reaches more than this reader.
     */
    private void assertWritten(List<RecordChange> changes, List<RecordChange> refused, boolean leaf, String what) {
        Client reader = newClient();
        Set<Bytes> missing = refused.stream().map(RecordChange::key).collect(Collectors.toSet());
        for (RecordChange change : changes) {
            Optional<RecordChange> found;
            try {
                found = reader.records.find(change.key());
            } catch (CorruptDataException damaged) {
                assertThat(missing.contains(change.key()) || !leaf).as(what).isTrue();
                continue;
            }
            assertThat(missing).as(what).doesNotContain(change.key());
            assertThat(found.orElseThrow().stamp()).as(what).isEqualTo(change.stamp());
        }
    }

    /** Whoever asks for all or nothing is told, after all that could be done was done. */
    @Test
    void applyItselfFails() {
        String leaf =
                pages().stream().filter(key -> page(key).isLeaf()).findFirst().orElseThrow();
        damage(leaf, false);
        List<RecordChange> changes = changes(1);
        assertThatThrownBy(() -> newClient().apply(changes)).isInstanceOf(CorruptDataException.class);
        ApplyResult again = newClient().writer.applyReachable(changes, () -> {});
        assertThat(again.applied()).isZero();
        assertThat(again.superseded()).isGreaterThan(RECORDS * 9 / 10);
    }
}
