package io.penstock.bench.experiment.lists;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.CoveringIndex;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.sim.Profile;
import io.penstock.core.sim.SimulatedClient;
import io.penstock.core.sim.SimulatedCloud;
import io.penstock.core.sim.Simulation;
import io.penstock.core.sim.World;
import io.penstock.report.StoreStats;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;

/** A store in the simulated cloud with one collection, indexed by the number of its records. Inside a simulation. */
final class ListStore {
    /** The rows of one view. */
    static final int ROWS = 20;

    private static final long SEED = 1;
    private static final int PAYLOAD_BYTES = 200;
    private static final int SHOWN_BYTES = 60;

    private final Simulation simulation = new Simulation(SEED);
    private final SimulatedCloud cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
    private final Order order;
    private final int pageBytes;
    private int machines;

    private ListStore(Order order, int pageBytes) {
        this.order = order;
        this.pageBytes = pageBytes;
    }

    /** Runs {@code work} on a store filled with so many records, in a simulation of its own. */
    static void run(Order order, int pageBytes, int records, Consumer<ListStore> work) {
        ListStore lists = new ListStore(order, pageBytes);
        lists.simulation.run(() -> {
            try (Penstock store = Penstock.open(lists.settings())) {
                lists.list(store).fill(records);
            }
            work.accept(lists);
            return true;
        });
    }

    SimulatedClient machine() {
        return simulation.client("m" + machines++);
    }

    private Settings settings() {
        SimulatedClient machine = machine();
        return Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(pageBytes)
                .sweeping(false);
    }

    Penstock open(MeterRegistry meters) {
        return Penstock.open(settings().meters(meters));
    }

    void sleep(Duration duration) {
        simulation.client("clock").sleep(duration);
    }

    /** The levels of both trees. */
    int levels(Penstock store) {
        return store.admin().inspect().stats().trees().stream()
                .mapToInt(StoreStats.Tree::height)
                .sum();
    }

    List list(Penstock store) {
        return new List(store, order);
    }

    /** The collection and its index, as one client has opened them. */
    static final class List {
        private final RecordCollection<Long, Bytes> records;
        private final Function<KeySpan<Long>, Scan<Entry<Long, Bytes>>> scan;
        private final Order order;

        private List(Penstock store, Order order) {
            this.records = store.collection("lists", Keys.longs(), PayloadCodec.bytes());
            Index<Long, Long, Bytes> numbers = records.index("numbers", Keys.longs(), List::number);
            this.scan = order.isCovered() ? covering(numbers)::scan : numbers::scan;
            this.order = order;
        }

        private static CoveringIndex<Long, Long, Bytes, Bytes> covering(Index<Long, Long, Bytes> numbers) {
            return numbers.including("shown", PayloadCodec.bytes(), payload -> payload.slice(0, SHOWN_BYTES));
        }

        private static long number(Bytes payload) {
            return ByteBuffer.wrap(payload.toArray()).getLong();
        }

        private static Bytes payload(long number) {
            return Bytes.wrap(ByteBuffer.allocate(PAYLOAD_BYTES).putLong(number).array());
        }

        private void fill(int count) {
            records.load(
                    LongStream.range(0, count)
                            .mapToObj(number -> new Entry<>(order.key(number), payload(number)))
                            .iterator(),
                    loaded -> {});
        }

        void put(long number) {
            records.put(order.key(number), payload(number));
        }

        /** Reads the newest records by the index, and returns how many there were. */
        int view() {
            try (Scan<Entry<Long, Bytes>> found =
                    scan.apply(KeySpan.<Long>all().reversed().limit(ROWS))) {
                int rows = 0;
                for (; found.hasNext(); rows++) {
                    found.next();
                }
                return rows;
            }
        }
    }
}
