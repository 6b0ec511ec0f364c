package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.pool.PoolSettings;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.MemoryObjectStore.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Where reads lag, a page may refer to another that is not visible yet: a search waits for it, and does not report
 * damage.
 */
class DescentLagTest {
    private static final Duration LAG = Duration.ofSeconds(3);
    private static final TreeSettings SMALL = TreeSettings.DEFAULT.withPageBytes(512);
    private static final int KEYS = 40;

    /** The read, of those of one page in a row, that a machine is frozen over: beyond the attempts that do not wait. */
    private static final int FROZEN_AT = 5;

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final InlineTasks tasks = new InlineTasks(1);
    private final Client writer = new Client(store, SMALL, tasks);

    private Client reader(Duration lag) {
        return new Client(store, SMALL, tasks, new PoolSettings(64 << 20, Duration.ofHours(1), lag));
    }

    private void write(int from, int to) {
        List<RecordChange> changes = new ArrayList<>();
        for (int i = from; i < to; i++) {
            changes.add(new RecordChange.Put(Client.key(i), Bytes.utf8("0123456789"), Client.stamp(1, 1)));
        }
        writer.apply(changes);
    }

    /** Hides a page from all reads for so long. */
    private void hide(long number, Duration length) {
        String key = writer.pages.objectKey(new PageId(Client.TREE, number));
        StoredObject object = store.get(key).orElseThrow();
        store.delete(key);
        long untilNanos = tasks.nanoTime() + length.toNanos();
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String asked) {
                if (call == Call.GET && asked.equals(key) && tasks.nanoTime() >= untilNanos) {
                    store.clearHook();
                    store.put(key, object.body(), WriteCondition.ALWAYS);
                }
            }
        });
    }

    private Duration timeToFind(Client reader, int key) {
        long begun = tasks.nanoTime();
        assertThat(reader.records.find(Client.key(key))).isPresent();
        return Duration.ofNanos(tasks.nanoTime() - begun);
    }

    @Test
    void aChildThatIsNotVisibleYetIsWaitedFor() {
        write(0, KEYS);
        hide(writer.tree.leafNumberFor(Client.key(KEYS - 1)), LAG);
        assertThat(timeToFind(reader(LAG), KEYS - 1)).isBetween(LAG, LAG.multipliedBy(2));
    }

    /** The reader's parent is older than the split, so it comes to the new page from the left. */
    @Test
    void aRightSiblingThatIsNotVisibleYetIsWaitedFor() {
        write(0, KEYS);
        Client reader = reader(LAG);
        assertThat(reader.records.find(Client.key(0))).isPresent();
        long before = writer.tree.leafNumberFor(Client.key(KEYS + 7));
        write(KEYS, KEYS + 8);
        long fresh = writer.tree.leafNumberFor(Client.key(KEYS + 7));
        assertThat(fresh).isNotEqualTo(before);
        hide(fresh, LAG);
        assertThat(timeToFind(reader, KEYS + 7)).isBetween(LAG, LAG.multipliedBy(2));
    }

    /** A machine that was frozen over the answer of a read knows what was there before, and not what is there now. */
    @Test
    void anAnswerThatTookLongerThanReadsLagIsOld() {
        write(0, KEYS);
        long leaf = writer.tree.leafNumberFor(Client.key(KEYS - 1));
        String key = writer.pages.objectKey(new PageId(Client.TREE, leaf));
        StoredObject object = store.get(key).orElseThrow();
        store.delete(key);
        int[] asked = new int[1];
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void after(Call call, String read) {
                if (call == Call.GET && read.equals(key) && ++asked[0] == FROZEN_AT) {
                    store.put(key, object.body(), WriteCondition.ALWAYS);
                    tasks.sleep(LAG.multipliedBy(10));
                }
            }
        });
        assertThat(reader(LAG).records.find(Client.key(KEYS - 1))).isPresent();
        assertThat(asked[0]).isGreaterThan(FROZEN_AT);
    }

    /** The machine stood still as it began to look: the page that is missing then was written meanwhile. */
    @Test
    void aMachineThatStoodStillHasNotWaited() {
        write(0, KEYS);
        long leaf = writer.tree.leafNumberFor(Client.key(KEYS - 1));
        String root = writer.pages.objectKey(PageId.root(Client.TREE));
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String asked) {
                if (asked.equals(root)) {
                    tasks.sleep(LAG.multipliedBy(10));
                    hide(leaf, LAG);
                }
            }
        });
        assertThat(reader(LAG).records.find(Client.key(KEYS - 1))).isPresent();
    }

    /** By the clock of pages' age, which takes a step for a suspension, the wait was over. */
    @Test
    void aWallClockThatStepsEndsNoWait() {
        write(0, KEYS);
        long leaf = writer.tree.leafNumberFor(Client.key(KEYS - 1));
        String key = writer.pages.objectKey(new PageId(Client.TREE, leaf));
        StoredObject object = store.get(key).orElseThrow();
        store.delete(key);
        long shownNanos = tasks.nanoTime() + LAG.toNanos();
        int[] looks = new int[1];
        store.setHook(new MemoryObjectStore.Hook() {
            @Override
            public void before(Call call, String asked) {
                if (call != Call.GET || !asked.equals(key)) {
                    return;
                }
                looks[0]++;
                if (looks[0] == FROZEN_AT) {
                    tasks.stepWall(Duration.ofHours(1));
                } else if (tasks.nanoTime() >= shownNanos) {
                    store.clearHook();
                    store.put(key, object.body(), WriteCondition.ALWAYS);
                }
            }
        });
        assertThat(timeToFind(reader(LAG), KEYS - 1)).isBetween(LAG, LAG.multipliedBy(2));
    }

    /** A lag after the page was missed first, and no more. */
    @Test
    void aPageThatStaysAwayIsDamage() {
        write(0, KEYS);
        hide(writer.tree.leafNumberFor(Client.key(KEYS - 1)), Duration.ofDays(1));
        Client reader = reader(LAG);
        long begun = tasks.nanoTime();
        assertThatThrownBy(() -> reader.records.find(Client.key(KEYS - 1)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("do not fit together")
                .hasMessageContaining("missing");
        assertThat(Duration.ofNanos(tasks.nanoTime() - begun)).isBetween(LAG, LAG.multipliedBy(2));
        assertThat(timeToFind(reader, 0)).as("other pages can be read").isZero();
    }

    @Test
    void whereReadsDoNotLagNobodyWaits() {
        write(0, KEYS);
        hide(writer.tree.leafNumberFor(Client.key(KEYS - 1)), LAG);
        long begun = tasks.nanoTime();
        Client reader = reader(Duration.ZERO);
        assertThatThrownBy(() -> reader.records.find(Client.key(KEYS - 1))).isInstanceOf(CorruptDataException.class);
        assertThat(tasks.nanoTime()).isEqualTo(begun);
    }
}
