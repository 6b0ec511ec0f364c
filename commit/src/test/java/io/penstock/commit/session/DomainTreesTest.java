package io.penstock.commit.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.btree.BLinkTree;
import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.RecordManager;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pages count until the log's tail has dropped something of their tree, by whichever clock. */
class DomainTreesTest {
    private static final TreeId TREE = new TreeId(7);
    private static final PageId PAGE = new PageId(TREE, 42);

    private final InlineTasks tasks = new InlineTasks(1);
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final PageManager told = pages().forNotifiedReaders();
    private final DomainTrees trees =
            new DomainTrees(told, tree -> new RecordManager(new BLinkTree(told, tree, 0), tasks, 1));

    private PageManager pages() {
        return new PageManager(store, new BufferPool(1 << 20, Duration.ofSeconds(10)), tasks, "shop/");
    }

    private static PageImage page(long version) {
        return LedgerPages.encode(PageHeader.of(PAGE, PageKind.LEDGER, 0, version, version), Bytes.utf8("body"));
    }

    private long versionRead() {
        return told.get(PAGE).orElseThrow().image().version();
    }

    @Test
    void aPageCountsUntilSomethingOfItsTreeWasDropped() {
        PageFrame first = pages().put(page(1), WriteCondition.IF_ABSENT);
        long begun = tasks.nanoTime();
        trees.records(TREE, begun);
        tasks.advance(Duration.ofSeconds(1));
        assertThat(versionRead()).isEqualTo(1);
        pages().put(page(2), WriteCondition.ifVersion(first.version()));
        tasks.advance(Duration.ofMinutes(1));
        trees.records(TREE, begun);
        trees.records(new TreeId(8), tasks.nanoTime());
        assertThat(versionRead()).as("of another tree").isEqualTo(1);
        trees.records(TREE, tasks.nanoTime());
        assertThat(versionRead()).isEqualTo(2);
    }

    /** The age of pages goes on while a machine sleeps, the clock of the tail may not. */
    @Test
    void aPageCountsNoLongerOnAMachineThatSlept() {
        PageFrame first = pages().put(page(1), WriteCondition.IF_ABSENT);
        assertThat(versionRead()).isEqualTo(1);
        tasks.stepWall(Duration.ofHours(1));
        tasks.advance(Duration.ofSeconds(1));
        assertThat(versionRead()).isEqualTo(1);
        pages().put(page(2), WriteCondition.ifVersion(first.version()));
        tasks.advance(Duration.ofSeconds(1));
        trees.records(TREE, tasks.nanoTime());
        assertThat(versionRead()).isEqualTo(2);
    }
}
