package io.penstock.bench.experiment;

import io.penstock.CoveringIndex;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Figure;
import io.penstock.core.Bytes;
import io.penstock.core.task.Task;
import io.penstock.report.StoreStats;
import io.penstock.testkit.Profile;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** The program of {@code scripts/bench lists}. Virtual time: the same figures on every machine, every time. */
@Command(
        name = "bench lists",
        description = "Counts the GETs of a view of the newest 20 records by an index, in the simulated cloud"
                + " (aws-2026), cold and beside 10 writes a second. Exit code 1 when a limit is missed.",
        sortOptions = false)
public final class ListsBench extends Benchmark {
    private static final int RECORDS = 20_000;
    private static final int PAGE_BYTES = 64 << 10;
    private static final int PAYLOAD_BYTES = 200;
    private static final int SHOWN_BYTES = 60;

    /** The rows of one view. */
    private static final int ROWS = 20;

    /** So few records that the root stays the only page, if pages are large. */
    private static final int FEW = 100;

    private static final int LARGE_PAGE_BYTES = 1 << 20;

    private static final int WRITES_PER_SECOND = 10;
    private static final Duration WARM_UP = Duration.ofSeconds(40);
    private static final Duration MEASURED = Duration.ofSeconds(60);
    private static final int OFTEN = 10;
    private static final int SELDOM = 1;

    private static final double WARM_GETS_MAX = 0.2;
    private static final double COLD_GETS_MAX = 2;

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new ListsBench(), arguments);
    }

    /** The order of the records of a list among the pages of its collection. */
    private enum Order {
        /** The newest records are neighbours. */
        CLUSTERED("clustered"),
        /** Each record is on a page by itself. */
        SCATTERED("scattered"),
        /** Each record is on a page by itself, and the index covers what a view shows. */
        COVERED("scattered and covered");

        private static final long FACTOR = 0x9e3779b97f4a7c15L;
        private static final int SHIFT = 29;

        private final String label;

        Order(String label) {
            this.label = label;
        }

        /** Returns the primary key of the record with this number: no two have one. */
        long key(long number) {
            long mixed = number * FACTOR;
            return this == CLUSTERED ? number : mixed ^ mixed >>> SHIFT;
        }
    }

    @Override
    protected void measure() {
        measure("one page", Order.CLUSTERED, LARGE_PAGE_BYTES, FEW, WARM_GETS_MAX, COLD_GETS_MAX);
        measure(Order.CLUSTERED.label, Order.CLUSTERED, PAGE_BYTES, RECORDS, WARM_GETS_MAX, COLD_GETS_MAX);
        measure(Order.SCATTERED.label, Order.SCATTERED, PAGE_BYTES, RECORDS, null, null);
        measure(Order.COVERED.label, Order.COVERED, PAGE_BYTES, RECORDS, WARM_GETS_MAX, COLD_GETS_MAX);
    }

    private void measure(
            String name, Order order, int pageBytes, int records, @Nullable Double warmMax, @Nullable Double coldMax) {
        VirtualCloud.run(Profile.AWS_2026, cloud -> {
            try (Penstock store = Penstock.open(cloud.settings().pageBytes(pageBytes))) {
                new List(store, order).fill(records);
            }
            Lists lists = new Lists(cloud, order, pageBytes);
            add(Figure.atMost(coldMax, name + ", cold, beyond the levels", lists.cold(), "GETs"));
            lists.beside(records, () -> {
                double often = lists.warm(OFTEN);
                add(Figure.atMost(warmMax, name + ", " + OFTEN + " views a second", often, "GETs a view"));
                add(Figure.of(name + ", " + SELDOM + " view a second", lists.warm(SELDOM), "GETs a view"));
            });
            return true;
        });
    }

    /** The clients of a store that has one list. */
    private record Lists(VirtualCloud cloud, Order order, int pageBytes) {
        private Penstock open(Meter meter) {
            return cloud.open(cloud.settings().pageBytes(pageBytes), meter);
        }

        /** Returns the GETs of the first view of a client, without one for each level of both trees. */
        double cold() {
            Meter meter = new Meter();
            try (Penstock store = open(meter)) {
                new List(store, order).view();
                double gets = meter.gets();
                return gets
                        - store.admin().inspect().stats().trees().stream()
                                .mapToInt(StoreStats.Tree::height)
                                .sum();
            }
        }

        /** Does {@code work} while another client writes. */
        void beside(long first, Runnable work) {
            boolean[] ended = {false};
            try (Penstock writer = open(new Meter())) {
                List list = new List(writer, order);
                Task<Boolean> writing = cloud.machine().start("writer", () -> {
                    for (long number = first; !ended[0]; number++) {
                        list.put(number);
                        cloud.sleep(Duration.ofSeconds(1).dividedBy(WRITES_PER_SECOND));
                    }
                });
                work.run();
                ended[0] = true;
                writing.join();
            }
        }

        /** Returns the GETs of one view of a client that has viewed for a while. */
        double warm(int viewsPerSecond) {
            Meter meter = new Meter();
            try (Penstock store = open(meter)) {
                List list = new List(store, order);
                view(list, viewsPerSecond, WARM_UP);
                meter.start();
                view(list, viewsPerSecond, MEASURED);
                return meter.gets() / (MEASURED.toSeconds() * viewsPerSecond);
            }
        }

        private void view(List list, int viewsPerSecond, Duration time) {
            for (int i = 0; i < time.toSeconds() * viewsPerSecond; i++) {
                list.view();
                cloud.sleep(Duration.ofSeconds(1).dividedBy(viewsPerSecond));
            }
        }
    }

    /** The collection and its index, as one client has opened them. */
    private static final class List {
        private final RecordCollection<Long, Bytes> records;
        private final Function<KeySpan<? super Long>, Scan<Entry<Long, Bytes>>> scan;
        private final Order order;

        List(Penstock store, Order order) {
            this.records = store.collection("lists", Keys.longs(), PayloadCodec.bytes());
            Index<Long, Long, Bytes> numbers = records.index("numbers", Keys.longs(), List::number);
            this.scan = order == Order.COVERED ? covering(numbers)::scan : numbers::scan;
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

        void fill(int count) {
            records.load(
                    LongStream.range(0, count)
                            .mapToObj(number -> new Entry<>(order.key(number), payload(number)))
                            .iterator(),
                    loaded -> {});
        }

        void put(long number) {
            records.put(order.key(number), payload(number));
        }

        /** Reads the newest records by the index. */
        void view() {
            try (Scan<Entry<Long, Bytes>> found =
                    scan.apply(KeySpan.<Long>all().reversed().limit(ROWS))) {
                long rows = found.stream().count();
                if (rows != ROWS) {
                    throw new IllegalStateException("a view shows " + rows + " rows");
                }
            }
        }
    }
}
