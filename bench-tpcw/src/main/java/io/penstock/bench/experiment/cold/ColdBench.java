package io.penstock.bench.experiment.cold;

import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.testkit.Profile;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench cold}. Virtual time: the same figures on every machine, every time. */
@Command(
        name = "bench cold",
        description = "Reads a large cold collection in the simulated cloud: time, GETs and bytes until the first"
                + " records arrive, for pages of 16 KiB to 16 MiB, compared with a download of all pages.",
        sortOptions = false)
public final class ColdBench extends Program {
    /** The number of parallel requests, as that of readahead. */
    private static final int DOWNLOAD_WIDTH = 32;

    /** Smaller pages are read whole. */
    private static final int PAGE_BYTES_OF_BLOCKS = 1 << 20;

    private static final int RUNS_MAX = 1_000;

    private static final int RECORDS_MIN = 1_000;
    private static final int RECORDS_MAX = 1_000_000;

    @Option(names = "--records", paramLabel = "N", description = "records of 1 KB; default: ${DEFAULT-VALUE}")
    private int records = 131_072;

    @Option(names = "--page-kib", split = ",", description = "sizes of pages; default: ${DEFAULT-VALUE}")
    private List<Integer> pageKib = List.of(16, 64, 256, 1 << 10, 4 << 10, 16 << 10);

    @Option(
            names = "--block-kib",
            split = ",",
            description = "sizes of the blocks read first of large pages; default: ${DEFAULT-VALUE}")
    private List<Integer> blockKib = List.of(64, 1 << 10);

    @Option(names = "--profiles", split = ",", description = "default: ${DEFAULT-VALUE}")
    private List<String> profiles = List.of(Profile.AWS_2026.name(), Profile.EXPRESS_2026.name());

    @Option(names = "--runs", paramLabel = "N", description = "runs to average; default: ${DEFAULT-VALUE}")
    private int runs = 5;

    @Mixin
    private JsonOption json = new JsonOption();

    ColdBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(ColdBench::new, arguments);
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--records", records, RECORDS_MIN, RECORDS_MAX);
        UsageException.requireRange("--runs", runs, 1, RUNS_MAX);
        JsonTarget target = json.target();
        List<Profile> clouds = profiles.stream().map(Profile::named).toList();
        List<Point> points = new ArrayList<>();
        for (Profile cloud : clouds) {
            for (int kib : pageKib) {
                ColdStore.run(cloud, kib << 10, records, store -> points.addAll(measure(store)));
            }
        }
        target.write(points, new CurveTables(points), out);
        return Shell.DONE;
    }

    private List<Point> measure(ColdStore store) {
        List<Long> marks = new ArrayList<>();
        for (long mark = 1; mark < records; mark *= 10) {
            marks.add(mark);
        }
        List<Point> points = new ArrayList<>();
        points.addAll(mean(() -> List.of(store.download(DOWNLOAD_WIDTH, records))));
        ColdStore.Reader whole = new ColdStore.Reader(0, "none");
        points.addAll(mean(() -> store.scan(whole, marks, null)));
        if (store.pageBytes() >= PAGE_BYTES_OF_BLOCKS) {
            for (int kib : blockKib) {
                points.addAll(mean(() -> store.scan(new ColdStore.Reader(kib << 10, "none"), marks, null)));
            }
        }
        try (TemporaryDirectory disk = new TemporaryDirectory()) {
            // Fills the disk; the next one is another process, as far as the store can tell.
            store.scan(whole, marks, disk.path());
            points.addAll(mean(() -> store.scan(new ColdStore.Reader(0, "warm"), marks, disk.path())));
        }
        return points;
    }

    /** Averages several runs: a curve of large pages rests on ten requests, and one slow answer would decide it. */
    private List<Point> mean(Supplier<List<Point>> curve) {
        List<List<Point>> curves = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            curves.add(curve.get());
        }
        List<Point> means = new ArrayList<>();
        for (int i = 0; i < curves.getFirst().size(); i++) {
            int at = i;
            means.add(Point.mean(curves.stream().map(points -> points.get(at)).toList()));
        }
        return means;
    }
}
