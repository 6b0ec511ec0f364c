package io.penstock.commit.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.client.HybridClock;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.page.Expiry;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LeafRun;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordManager;
import io.penstock.core.task.ThreadTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LayeredScanTest {
    private static final TreeId TREE = new TreeId(1);
    private static final ClientId OTHER = new ClientId(7);
    private static final ClientId SELF = new ClientId(8);

    private final ThreadTasks tasks = new ThreadTasks();
    private final HybridClock clock = new HybridClock(tasks::nowMillis);

    /** An absent record is observed too: a later write must be newer than its delete. */
    @Test
    void deletesAtTheEndAreObserved() {
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

    /** The same before a write of the transaction itself, behind entries that are taken as one run. */
    @ParameterizedTest
    @EnumSource(Direction.class)
    void deletesBeforeAnotherLayerAreObserved(Direction direction) {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        Stamp deleted = Stamp.of(tasks.nowMillis() + Duration.ofHours(1).toMillis(), 0, OTHER);
        boolean forwards = direction == Direction.ASCENDING;
        for (int i = 10; i < 13; i++) {
            if (i == (forwards ? 12 : 10)) {
                entries.tombstone(bytes(i), deleted);
            } else {
                entries.put(bytes(i), Bytes.EMPTY, Stamp.of(1, i, OTHER));
            }
        }
        RecordChange ahead = new RecordChange.Put(bytes(forwards ? 20 : 5), bytes(1), Stamp.ZERO);
        int records = 0;
        try (LayeredScan scan = scan(entries, List.of(ahead), List.of(), direction)) {
            for (var run = scan.advance(); run != null; run = scan.advance()) {
                records += run.left();
            }
        }
        assertThat(records).isEqualTo(3);
        assertThat(clock.next(SELF).isAfter(deleted)).isTrue();
    }

    /** Three layers over 120 keys, and the result that a scan through them must have. */
    private static final class Layers {
        private final SplittableRandom random;
        private final LeafEntries.Builder entries = LeafEntries.builder(null);
        private final List<RecordChange> overlay = new ArrayList<>();
        private final List<RecordChange> writes = new ArrayList<>();
        private final List<String> expected = new ArrayList<>();

        /** @param percent of the keys that a higher layer has a change of */
        Layers(long seed, int percent) {
            random = new SplittableRandom(seed);
            for (int i = 0; i < 120; i++) {
                Bytes key = bytes(i);
                Stamp stamp = Stamp.of(10 + random.nextInt(3), 0, OTHER);
                int before = entries.count();
                String found = page(key, stamp);
                boolean stored = entries.count() > before;
                if (random.nextInt(100) < percent) {
                    Stamp mine = Stamp.of(11, 0, SELF);
                    String own = own(key, mine);
                    found = stored && !mine.isAfter(stamp) ? found : own;
                }
                found = random.nextInt(100) < percent ? write(key) : found;
                if (!found.isEmpty()) {
                    expected.add(i + found);
                }
            }
        }

        private String page(Bytes key, Stamp stamp) {
            switch (random.nextInt(20)) {
                case 0, 1 -> {}
                case 2 -> entries.tombstone(key, stamp);
                case 3 -> {
                    entries.put(key, bytes(3), true, Expiry.NEVER, stamp);
                    return "=3 elsewhere";
                }
                default -> {
                    entries.put(key, bytes(1), stamp);
                    return "=1";
                }
            }
            return "";
        }

        private String own(Bytes key, Stamp stamp) {
            boolean delete = random.nextInt(3) == 0;
            overlay.add(delete ? new RecordChange.Delete(key, stamp) : new RecordChange.Put(key, bytes(4), stamp));
            return delete ? "" : "=4";
        }

        private String write(Bytes key) {
            boolean delete = random.nextInt(3) == 0;
            writes.add(
                    delete
                            ? new RecordChange.Delete(key, Stamp.ZERO)
                            : new RecordChange.Put(key, bytes(2), Stamp.ZERO));
            return delete ? "" : "=2";
        }
    }

    private static Bytes bytes(int value) {
        return Bytes.wrap(new byte[] {(byte) value});
    }

    /**
     * Where the higher layers are sparse, the records between their keys are taken in runs, which must end before each
     * of these keys.
     */
    @ParameterizedTest
    @CsvSource({
        "ASCENDING, 2, 3",
        "ASCENDING, 10, 1",
        "ASCENDING, 60, 1",
        "DESCENDING, 2, 3",
        "DESCENDING, 10, 1",
        "DESCENDING, 60, 1"
    })
    void layersAreMergedByKey(Direction direction, int percent, int recordsInRun) {
        int runs = 0;
        int records = 0;
        for (long seed = 0; seed < 300; seed++) {
            Layers layers = new Layers(seed, percent);
            List<String> found = new ArrayList<>();
            try (LayeredScan scan = scan(layers, direction)) {
                for (LeafRun run = scan.advance(); run != null; run = scan.advance()) {
                    runs++;
                    while (run.next()) {
                        found.add(
                                run.key().at(0) + "=" + run.payload().at(0) + (run.isReference() ? " elsewhere" : ""));
                    }
                }
            }
            List<String> expected = direction == Direction.ASCENDING ? layers.expected : layers.expected.reversed();
            assertThat(found).as("seed=%s", seed).isEqualTo(expected);
            records += found.size();
        }
        assertThat(records).isGreaterThanOrEqualTo(runs * recordsInRun);
    }

    private LayeredScan scan(LeafEntries.Builder entries) {
        return scan(entries, List.of(), List.of(), Direction.ASCENDING);
    }

    private LayeredScan scan(Layers layers, Direction direction) {
        boolean ascending = direction == Direction.ASCENDING;
        return scan(
                layers.entries,
                ascending ? layers.writes : layers.writes.reversed(),
                ascending ? layers.overlay : layers.overlay.reversed(),
                direction);
    }

    private LayeredScan scan(
            LeafEntries.Builder entries, List<RecordChange> writes, List<RecordChange> overlay, Direction direction) {
        PageHeader header = PageHeader.of(new PageId(TREE, PageId.ROOT), PageKind.LEAF, 0, 1, 1);
        int count = entries.count();
        PageImage leaf = entries.build().layout(header, 0, count).encode();
        return new LayeredScan(
                writes.iterator(),
                overlay.iterator(),
                new RecordManager(new OneLeaf(leaf), tasks, 1).cursor(KeyRange.all(), direction, 0),
                direction,
                clock,
                0);
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
        public boolean isEmpty() {
            return false;
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
