package io.penstock.bench.experiment.lists;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.bench.program.Figure;
import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.cli.program.Shell;
import io.penstock.core.task.Task;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The program behind {@code scripts/bench lists}. Virtual time: the same figures on every machine, every time. */
@Command(
        name = "bench lists",
        description = "Counts the GETs of a view of the newest 20 records by an index, in the simulated cloud"
                + " (aws-2026), cold and beside 10 writes a second. Exit code 1 when a limit is missed.",
        sortOptions = false)
public final class ListsBench extends Program {
    private static final int RECORDS = 20_000;

    private static final int PAGE_BYTES = 64 << 10;

    /** So few that the root stays the only page, if pages are large. */
    private static final int FEW = 100;

    private static final int LARGE_PAGE_BYTES = 1 << 20;

    private static final int WRITES_PER_SECOND = 10;
    private static final Duration WARM_UP = Duration.ofSeconds(40);
    private static final int MEASURED_SECONDS = 60;
    private static final int OFTEN = 10;
    private static final int SELDOM = 1;

    private static final double WARM_GETS_MAX = 0.2;
    private static final double COLD_GETS_MAX = 2;

    @Mixin
    private JsonOption json = new JsonOption();

    private final List<Figure> figures = new ArrayList<>();

    ListsBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(ListsBench::new, arguments);
    }

    @Override
    public Integer call() {
        JsonTarget target = json.target();
        measure(Order.CLUSTERED, LARGE_PAGE_BYTES, FEW, WARM_GETS_MAX, COLD_GETS_MAX);
        measure(Order.CLUSTERED, PAGE_BYTES, RECORDS, WARM_GETS_MAX, COLD_GETS_MAX);
        measure(Order.SCATTERED, PAGE_BYTES, RECORDS, null, null);
        measure(Order.COVERED, PAGE_BYTES, RECORDS, WARM_GETS_MAX, COLD_GETS_MAX);
        target.write(figures, Figure.table(figures), out);
        return figures.stream().allMatch(Figure::isMet) ? Shell.DONE : failed("a limit is missed");
    }

    private void measure(Order order, int pageBytes, int records, @Nullable Double warmMax, @Nullable Double coldMax) {
        String name = records == FEW ? "one page, " : order.label() + ", ";
        ListStore.run(order, pageBytes, records, lists -> {
            figures.add(new Figure(name + "cold, beyond the levels", cold(lists), coldMax, "GETs"));
            beside(lists, records, () -> {
                double often = warm(lists, OFTEN);
                figures.add(new Figure(name + OFTEN + " views a second", often, warmMax, "GETs a view"));
                figures.add(Figure.of(name + SELDOM + " view a second", warm(lists, SELDOM), "GETs a view"));
            });
        });
    }

    private double cold(ListStore lists) {
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Penstock store = lists.open(meters)) {
            requireWhole(lists.list(store).view());
            double gets = gets(meters);
            return gets - lists.levels(store);
        }
    }

    /** Does {@code work} while another client writes. */
    private static void beside(ListStore lists, long first, Runnable work) {
        boolean[] ended = {false};
        try (Penstock writer = lists.open(new SimpleMeterRegistry())) {
            ListStore.List list = lists.list(writer);
            Task<Boolean> writing = lists.machine().start("writer", () -> {
                for (long number = first; !ended[0]; number++) {
                    list.put(number);
                    lists.sleep(Duration.ofSeconds(1).dividedBy(WRITES_PER_SECOND));
                }
            });
            work.run();
            ended[0] = true;
            writing.join();
        }
    }

    private static double warm(ListStore lists, int viewsPerSecond) {
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Penstock store = lists.open(meters)) {
            ListStore.List list = lists.list(store);
            view(lists, list, viewsPerSecond, WARM_UP);
            double before = gets(meters);
            int views = view(lists, list, viewsPerSecond, Duration.ofSeconds(MEASURED_SECONDS));
            return (gets(meters) - before) / views;
        }
    }

    private static int view(ListStore lists, ListStore.List list, int viewsPerSecond, Duration time) {
        int views = Math.toIntExact(time.toSeconds() * viewsPerSecond);
        for (int i = 0; i < views; i++) {
            requireWhole(list.view());
            lists.sleep(Duration.ofSeconds(1).dividedBy(viewsPerSecond));
        }
        return views;
    }

    private static void requireWhole(int rows) {
        if (rows != ListStore.ROWS) {
            throw new IllegalStateException("a view shows " + rows + " rows");
        }
    }

    private static double gets(MeterRegistry meters) {
        return Usage.read(meters, Usage.TRANSACTION).requests().s3Get()
                + Usage.read(meters, Usage.CHECKPOINT).requests().s3Get();
    }
}
