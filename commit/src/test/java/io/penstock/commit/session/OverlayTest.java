package io.penstock.commit.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.checkpoint.LedgerStore;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.protocol.StampedForTests;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.memory.ByteBudget;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OverlayTest {
    private final List<StampedTransaction> waiting = new ArrayList<>();
    private final BufferPool pool = new BufferPool(1 << 20, Duration.ZERO);
    private final ByteBudget budget = new ByteBudget(Long.MAX_VALUE);
    private final Overlay overlay = new Overlay(ledgers(), pool, budget, tree -> Stream.empty());
    private long now;

    private LedgerStore ledgers() {
        InlineTasks tasks = new InlineTasks(1);
        PageManager pages = new PageManager(new MemoryObjectStore(), pool, tasks, "");
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
        assertThat(budget.tryTake(committed.bytes())).isTrue();
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
    void whatLeavesGivesItsBytesBack() {
        commit(100);
        commit(50);
        assertThat(budget.used()).isEqualTo(154);
        applyAll();
        overlay.sweepEarly(() -> now);
        assertThat(overlay.size()).isZero();
        assertThat(budget.used()).isZero();
        commit(100);
        overlay.close();
        assertThat(budget.used()).isZero();
        commit(100);
        assertThat(budget.used()).as("a commit that ends after its session").isZero();
    }

    /** The checkpoint of a record may have noted it as pending for an index, in a tree of its own. */
    @Test
    void whatLeavesEarlyIsAskedForInEveryTreeThatMayTellOfIt() {
        BufferPool young = new BufferPool(1 << 20, Duration.ofHours(1));
        PageManager pages = new PageManager(new MemoryObjectStore(), young, new InlineTasks(1), "");
        PageId pending = new PageId(new TreeId(7), 1);
        PageId other = new PageId(new TreeId(8), 1);
        for (PageId id : List.of(pending, other)) {
            PageHeader header = PageHeader.of(id, PageKind.LEDGER, 0, 1, 1);
            pages.put(LedgerPages.encode(header, Bytes.utf8("page")), WriteCondition.IF_ABSENT);
        }
        Overlay own = new Overlay(ledgers(), young, new ByteBudget(Long.MAX_VALUE), tree -> Stream.of(pending.tree()));
        Stamp stamp = Stamp.of(1, 0, new ClientId(1));
        StampedTransaction committed = new StampedTransaction(
                stamp, List.of(new LogRecord(new TreeId(1), new RecordChange.Delete(Bytes.utf8("k"), stamp))));
        StampedForTests.needsNothing(committed);
        own.add(committed);
        own.sweepEarly(pages::nanoTime);
        assertThat(own.size()).isZero();
        assertThat(pages.pooled(pending, pages.nanoTime())).isNull();
        assertThat(pages.pooled(other, pages.nanoTime())).isNotNull();
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
