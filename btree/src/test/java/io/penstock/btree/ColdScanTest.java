package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.object.Listing;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordCursor;
import io.penstock.core.record.RecordManager;
import io.penstock.core.task.Parallel;
import io.penstock.testkit.LogNormal;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fetches of a scan with a cold pool, and its duration where some answers take much longer than others. */
class ColdScanTest {
    private static final int WIDTH = 32;
    private static final int POOL = 64 << 20;
    private static final Profile PROFILE = ThousandLeaves.profile(new LogNormal(29, 77, 16));

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, PROFILE, World.CALM);
    private int readers;

    private void load() {
        ThousandLeaves.load(simulation, cloud);
    }

    /** A machine with an empty pool. */
    private final class Reader {
        final WatchedObjects objects;
        final RecordManager records;

        Reader(long poolBytes) {
            SimulatedClient machine = simulation.client("reader " + readers++);
            objects = new WatchedObjects(cloud.objects(machine));
            BufferPool pool = new BufferPool(poolBytes, Duration.ofHours(1));
            PageManager pages = new PageManager(objects, pool, machine, "test/");
            records = new RecordManager(new BLinkTree(pages, Client.TREE, WIDTH), machine, WIDTH);
        }
    }

    /** The duration of a download of all pages, as many at a time. */
    private long download() {
        SimulatedClient machine = simulation.client("download");
        WatchedObjects objects = new WatchedObjects(cloud.objects(machine));
        List<String> keys = new ArrayList<>();
        Listing listing;
        do {
            listing = objects.list("test/", keys.isEmpty() ? "" : keys.getLast(), 1_000);
            listing.entries().forEach(entry -> keys.add(entry.key()));
        } while (listing.more());
        long start = simulation.nowNanos();
        Parallel.map(machine, WIDTH, keys, key -> objects.get(key).isPresent());
        return simulation.nowNanos() - start;
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void aScanOfAllTakesLittleMoreThanADownload(Direction direction) {
        simulation.run(() -> {
            load();
            long download = download();
            Reader reader = new Reader(POOL);
            long start = simulation.nowNanos();
            assertThat(Client.drain(reader.records.cursor(KeyRange.all(), direction)))
                    .hasSize(ThousandLeaves.RECORDS);
            long scan = simulation.nowNanos() - start;
            assertThat((double) scan / download).isLessThan(1.25);
            assertThat(reader.objects.underWayMax()).isEqualTo(WIDTH);
            assertThat(reader.objects.reads()).isEqualTo(reader.objects.objects());
            return true;
        });
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void aScanThatIsClosedLeavesNoMoreThanWhatIsUnderWay(Direction direction) {
        simulation.run(() -> {
            load();
            Reader reader = new Reader(POOL);
            try (RecordCursor scan = reader.records.cursor(KeyRange.all(), direction)) {
                for (int i = 0; i < 1_000; i++) {
                    assertThat(scan.advance()).isTrue();
                }
            }
            // A request that was started gets as far as the server.
            simulation.client("main").sleep(Duration.ofNanos(1));
            int reads = reader.objects.reads();
            assertThat(reader.objects.underWay()).isPositive();
            simulation.client("main").sleep(Duration.ofMinutes(1));
            assertThat(reader.objects.underWay()).isZero();
            assertThat(reader.objects.reads()).isEqualTo(reads);
            return true;
        });
    }

    /** An idle scan that was never closed does not go on by itself for long. */
    @Test
    void whatIsAheadOfAnIdleScanIsBounded() {
        simulation.run(() -> {
            load();
            Reader reader = new Reader(POOL);
            int used = 5;
            RecordCursor scan = reader.records.cursor(KeyRange.all(), Direction.ASCENDING);
            for (int i = 0; i < used * (ThousandLeaves.PAGE / ThousandLeaves.PAYLOAD - 1); i++) {
                assertThat(scan.advance()).isTrue();
            }
            simulation.client("main").sleep(Duration.ofMinutes(1));
            assertThat(reader.objects.objects()).isBetween(WIDTH, WIDTH + used + 4);
            scan.close();
            return true;
        });
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void aScanWithALimitFetchesWhatItNeeds(Direction direction) {
        simulation.run(() -> {
            load();
            Reader free = new Reader(POOL);
            Reader limited = new Reader(POOL);
            take(free, direction, 400, 0);
            long start = simulation.nowNanos();
            take(limited, direction, 400, 400);
            double millis = (simulation.nowNanos() - start) / 1e6;
            // Root, inner page and leaves of 8 records, that are about as full as each other.
            assertThat(limited.objects.objects()).isBetween(2 + 400 / 9, 2 + 400 / 7 + 8);
            assertThat(limited.objects.objects()).isLessThan(free.objects.objects() - 10);
            assertThat(millis)
                    .as("three round trips, and two rounds for the others")
                    .isLessThan(8 * 77);
            return true;
        });
    }

    private static void take(Reader reader, Direction direction, int records, int limit) {
        try (RecordCursor cursor = reader.records.cursor(KeyRange.all(), direction, 0)) {
            if (limit > 0) {
                cursor.expect(limit);
            }
            for (int i = 0; i < records; i++) {
                assertThat(cursor.advance()).isTrue();
            }
        }
    }

    /** Leaves that are evicted before they are used would be fetched again. */
    @ParameterizedTest
    @ValueSource(ints = {8, 40, 100, 300})
    void aScanDoesNotFloodASmallPool(int pages) {
        simulation.run(() -> {
            load();
            Reader reader = new Reader((long) pages * ThousandLeaves.PAGE);
            assertThat(Client.drain(reader.records.cursor(KeyRange.all(), Direction.ASCENDING)))
                    .hasSize(ThousandLeaves.RECORDS);
            assertThat(reader.objects.reads()).isLessThan(reader.objects.objects() * 103 / 100);
            return true;
        });
    }

    /** They do not know of each other: what they lose tells them that they ask for too much. */
    @ParameterizedTest
    @ValueSource(ints = {40, 100, 300})
    void scansAtATimeLeaveEachOtherRoom(int pages) {
        simulation.run(() -> {
            load();
            Reader reader = new Reader((long) pages * ThousandLeaves.PAGE);
            List<Integer> found = Parallel.map(simulation.client("main"), 8, List.of(0, 1, 2, 3, 4, 5, 6, 7), part -> {
                KeyRange range = new KeyRange(Client.key(part * 1_000), Client.key(part * 1_000 + 1_000));
                return Client.drain(reader.records.cursor(range, Direction.ASCENDING))
                        .size();
            });
            assertThat(found).containsOnly(1_000);
            assertThat(reader.objects.reads()).isLessThan(reader.objects.objects() * 140 / 100);
            return true;
        });
    }
}
