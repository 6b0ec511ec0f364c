package io.penstock.commit.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageFrame;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordManager;
import io.penstock.core.task.ThreadTasks;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LayeredScanTest {
    private static final TreeId TREE = new TreeId(1);
    private static final ClientId OTHER = new ClientId(7);
    private static final ClientId SELF = new ClientId(8);

    private final ThreadTasks tasks = new ThreadTasks();
    private final HybridClock clock = new HybridClock(tasks);

    /** What was not there is known, too: a write that follows must be newer than the delete. */
    @Test
    void deletesAtTheEndAreTakenNoticeOf() {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        for (int i = 0; i < 100; i++) {
            entries.put(Bytes.wrap(new byte[] {(byte) i}), Bytes.EMPTY, Stamp.of(1, i, OTHER));
        }
        Stamp deleted = Stamp.of(tasks.nowMillis() + Duration.ofHours(1).toMillis(), 0, OTHER);
        entries.tombstone(Bytes.wrap(new byte[] {100}), deleted);
        try (LayeredScan scan = scan(entries)) {
            int records = 0;
            for (var run = scan.advance(); run != null; run = scan.advance()) {
                records += run.left();
            }
            assertThat(records).isEqualTo(100);
        }
        assertThat(clock.next(SELF).isAfter(deleted)).isTrue();
    }

    private LayeredScan scan(LeafEntries.Builder entries) {
        PageHeader header = PageHeader.of(new PageId(TREE, PageId.ROOT), PageKind.LEAF, 0, 1, 1);
        int count = entries.count();
        PageImage leaf = entries.build().layout(header, 0, count).encode();
        return new LayeredScan(
                Collections.<WriteSet.Write>emptyIterator(),
                Collections.emptyIterator(),
                new RecordManager(new OneLeaf(leaf), tasks, 1).cursor(KeyRange.all(), Direction.ASCENDING),
                Direction.ASCENDING,
                clock);
    }

    /** A tree of one leaf. */
    private record OneLeaf(PageImage leaf) implements PageIndex {
        @Override
        public Optional<Leaf> leafFor(Bytes key) {
            return Optional.of(new Leaf(new PageFrame(leaf, new ObjectVersion("1"), 0), Bytes.EMPTY, false));
        }

        @Override
        public PageImage pooledLeafFor(Bytes key) {
            return leaf;
        }

        @Override
        public PageImage pageFor(Bytes key) {
            return leaf;
        }

        @Override
        public void refresh(Bytes key) {}

        @Override
        public Optional<Leaf> leafBefore(@Nullable Bytes bound) {
            return leafFor(Bytes.EMPTY);
        }

        @Override
        public long leafNumberFor(Bytes key) {
            return PageId.ROOT;
        }

        @Override
        public Readahead readahead(KeyRange range, Direction direction) {
            return Readahead.NONE;
        }
    }
}
