package io.penstock.commit.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.protocol.StampedForTests;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.pool.PoolSettings;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OverlayTest {
    private final List<StampedTransaction> waiting = new ArrayList<>();
    private final Overlay overlay = new Overlay(ledgers(), Duration.ZERO);
    private long now;

    private static LedgerStore ledgers() {
        InlineTasks tasks = new InlineTasks(1);
        PageManager pages = new PageManager(new MemoryObjectStore(), new BufferPool(PoolSettings.DEFAULT), tasks, "");
        return new LedgerStore(pages, tasks);
    }

    /** Does what a session does around a commit, a moment after the last one. */
    private void commit(int payloadBytes) {
        Stamp stamp = Stamp.of(waiting.size(), 0, new ClientId(1));
        Bytes key = Bytes.utf8("k" + waiting.size());
        RecordChange change = new RecordChange.Put(key, Bytes.wrap(new byte[payloadBytes]), stamp);
        StampedTransaction committed = new StampedTransaction(stamp, List.of(new LogRecord(new TreeId(1), change)));
        now++;
        overlay.prepare(() -> now);
        overlay.requireRoom();
        overlay.add(committed);
        waiting.add(committed);
    }

    private void applyAll() {
        waiting.forEach(StampedForTests::needsNothing);
    }

    @Test
    void ofFewTransactionsEachCommitDropsWhatPagesShow() {
        for (int i = 0; i < 64; i++) {
            commit(1);
        }
        applyAll();
        commit(1);
        assertThat(overlay.size()).as("noticed that they are applied").isEqualTo(65);
        commit(1);
        assertThat(overlay.size())
                .as("and dropped, when pages are younger than that")
                .isEqualTo(2);
    }

    /**
     * Each commit used to check all waiting transactions, so a minute of commits without a checkpoint cost quadratic
     * time.
     */
    @Test
    void ofManyTransactionsACommitLooksAtAFewForEachThatCame() {
        for (int i = 0; i < 6_400; i++) {
            commit(1);
        }
        now++;
        overlay.sweep(() -> now);
        applyAll();
        for (int i = 0; i < 98; i++) {
            commit(1);
        }
        assertThat(overlay.size()).as("not looked at").isEqualTo(6_498);
        // Two sweeps: one that finds them applied, and a later one that drops them.
        for (int i = 0; i < 250; i++) {
            commit(1);
        }
        assertThat(overlay.size()).as("looked at twice").isLessThan(350);
    }

    @Test
    void whereThereIsNoRoomItIsLookedFor() {
        for (int i = 0; i < 6_400; i++) {
            commit(1);
        }
        now++;
        overlay.sweep(() -> now);
        commit(65 << 20);
        assertThatThrownBy(() -> commit(1)).isInstanceOf(UnavailableException.class);
        applyAll();
        assertThatThrownBy(() -> commit(1)).as("only just applied").isInstanceOf(UnavailableException.class);
        assertThatCode(() -> commit(1)).doesNotThrowAnyException();
        assertThat(overlay.size()).isEqualTo(1);
    }

    /**
     * A thread that stands still between asking for the time and looking at the ledger used to date "applied" too
     * early, and dropped what a pooled page did not show yet.
     */
    @Test
    void theTimeIsThatAfterTheLookAtTheLedger() {
        commit(1);
        overlay.sweep(() -> {
            throw new AssertionError("asked for the time before anything was applied");
        });
        applyAll();
        now = 1_000;
        overlay.sweep(() -> now);
        assertThat(overlay.size()).isEqualTo(1);
        now++;
        overlay.sweep(() -> now);
        assertThat(overlay.size()).isZero();
    }

    /** Two threads of a session commit; the older commit is added last. */
    @Test
    void theNewerOfTwoOwnChangesCountsWhicheverIsAddedLast() {
        Bytes key = Bytes.utf8("k");
        for (long millis : new long[] {2, 1}) {
            Stamp stamp = Stamp.of(millis, 0, new ClientId(1));
            RecordChange change = new RecordChange.Put(key, Bytes.utf8("v" + millis), stamp);
            overlay.add(new StampedTransaction(stamp, List.of(new LogRecord(new TreeId(1), change))));
        }
        RecordChange found = Objects.requireNonNull(overlay.find(new TreeId(1), key));
        assertThat(found.payloadOrNull()).isEqualTo(Bytes.utf8("v2"));
    }
}
