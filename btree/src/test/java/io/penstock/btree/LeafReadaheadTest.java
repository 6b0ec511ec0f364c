package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordManager;
import io.penstock.testkit.Latency;
import io.penstock.testkit.LogNormal;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scans fetch leaves before they need them, in virtual time: every GET takes 30 ms. */
class LeafReadaheadTest {
    private static final Latency GET = new LogNormal(30, 30, 0);
    private static final Profile PROFILE = ThousandLeaves.profile(GET);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, PROFILE, World.CALM);

    private void load() {
        ThousandLeaves.load(simulation, cloud);
    }

    private static BufferPool pool() {
        return new BufferPool(64 << 20, Duration.ofHours(1));
    }

    private RecordManager reader(SimulatedClient machine, BufferPool pool, int readahead) {
        PageManager pages = new PageManager(cloud.objects(machine), pool, machine, "test/");
        return new RecordManager(new BLinkTree(pages, Client.TREE, readahead), machine, 32);
    }

    /** The duration of a scan with a cold pool, in sequential GETs. */
    private double coldScan(int readahead, KeyRange range, Direction direction, LongConsumer found) {
        SimulatedClient machine = simulation.client("reader " + readahead + direction);
        RecordManager records = reader(machine, pool(), readahead);
        long start = simulation.nowNanos();
        List<RecordChange> all = Client.drain(records.cursor(range, direction));
        found.accept(all.size());
        return (simulation.nowNanos() - start) / 30e6;
    }

    @ParameterizedTest
    @EnumSource(Direction.class)
    void aColdScanOfAThousandLeavesTakesASixteenthOfTheTime(Direction direction) {
        simulation.run(() -> {
            load();
            LongConsumer all = count -> assertThat(count).isEqualTo(ThousandLeaves.RECORDS);
            double sequential = coldScan(0, KeyRange.all(), direction, all);
            double ahead = coldScan(32, KeyRange.all(), direction, all);
            assertThat(sequential).isGreaterThan(1000);
            assertThat(ahead).as("of %s", sequential).isLessThan(sequential / 16);
            return true;
        });
    }

    /** Root, inner page, and two rounds for 32 leaves and the rest, as far as the range's bounds are known. */
    @ParameterizedTest
    @EnumSource(Direction.class)
    void aScanThatGoesToItsEndDoesNotWaitForItsFirstLeaf(Direction direction) {
        simulation.run(() -> {
            load();
            KeyRange range = new KeyRange(Client.key(0), Client.key(300));
            double careful =
                    coldScan(32, range, direction, count -> assertThat(count).isEqualTo(300));
            SimulatedClient machine = simulation.client("to the end");
            RecordManager records = reader(machine, pool(), 32);
            long start = simulation.nowNanos();
            assertThat(Client.drainToEnd(records.cursor(range, direction))).hasSize(300);
            double toEnd = (simulation.nowNanos() - start) / 30e6;
            assertThat(toEnd).isBetween(3.5, 4.5);
            assertThat(careful).isGreaterThan(toEnd + 1);
            return true;
        });
    }

    @Test
    void aScanOfOneLeafFetchesNoOther() {
        simulation.run(() -> {
            load();
            SimulatedClient machine = simulation.client("reader");
            BufferPool pool = pool();
            RecordManager records = reader(machine, pool, 32);
            Client.drain(records.cursor(KeyRange.prefix(Client.key(5)), Direction.ASCENDING));
            assertThat(pool.stats().pages()).isEqualTo(3);
            return true;
        });
    }

    /** Pages beyond the range are not fetched, except for one parent. */
    @Test
    void aRangeBoundsWhatIsFetched() {
        simulation.run(() -> {
            load();
            for (Direction direction : Direction.values()) {
                SimulatedClient machine = simulation.client("reader" + direction);
                BufferPool pool = pool();
                RecordManager records = reader(machine, pool, 32);
                KeyRange range = new KeyRange(Client.key(3000), Client.key(3100));
                int leaves = 2 + 100 * (ThousandLeaves.PAYLOAD + 20) / (4 << 10);
                assertThat(Client.drain(records.cursor(range, direction))).hasSize(100);
                assertThat(pool.stats().pages()).isLessThanOrEqualTo(leaves + 4);
            }
            return true;
        });
    }

    /** The width has grown on the way, and the first leaf that is missing starts the fetching. */
    @Test
    void behindPooledLeavesAScanFetchesAheadToo() {
        simulation.run(() -> {
            load();
            SimulatedClient machine = simulation.client("reader");
            BufferPool pool = pool();
            RecordManager records = reader(machine, pool, 32);
            Client.drain(records.cursor(new KeyRange(Client.key(0), Client.key(400)), Direction.ASCENDING));
            long start = simulation.nowNanos();
            assertThat(Client.drain(records.cursor(KeyRange.all(), Direction.ASCENDING)))
                    .hasSize(ThousandLeaves.RECORDS);
            assertThat((simulation.nowNanos() - start) / 30e6).isLessThan(1000 / 16.0);
            return true;
        });
    }

    @Test
    void pooledLeavesStartNoTasks() {
        simulation.run(() -> {
            load();
            SimulatedClient machine = simulation.client("reader");
            BufferPool pool = pool();
            RecordManager records = reader(machine, pool, 32);
            Client.drain(records.cursor(KeyRange.all(), Direction.ASCENDING));
            long before = simulation.nowNanos();
            long misses = pool.stats().misses();
            Client.drain(records.cursor(KeyRange.all(), Direction.ASCENDING));
            assertThat(simulation.nowNanos()).isEqualTo(before);
            assertThat(pool.stats().misses()).isEqualTo(misses);
            return true;
        });
    }

    /**
     * Pages that a scan reads once must not displace pages that are read again and again, no matter who fetches them.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, 32})
    void aLongScanLeavesAloneWhatIsInUse(int readahead) {
        simulation.run(() -> {
            load();
            SimulatedClient machine = simulation.client("reader");
            BufferPool pool = new BufferPool(200 * ThousandLeaves.PAGE, Duration.ofHours(1));
            RecordManager records = reader(machine, pool, readahead);
            for (int round = 0; round < 4; round++) {
                readInUse(records);
            }
            Client.drainToEnd(records.cursor(KeyRange.all(), Direction.ASCENDING));
            long misses = pool.stats().misses();
            readInUse(records);
            assertThat(pool.stats().misses() - misses).isLessThanOrEqualTo(2);
            return true;
        });
    }

    /** A record of every hundredth, each in a leaf of its own. */
    private static void readInUse(RecordManager records) {
        for (int i = 0; i < ThousandLeaves.RECORDS; i += 100) {
            assertThat(records.find(Client.key(i))).isPresent();
        }
    }
}
