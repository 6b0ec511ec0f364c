package io.penstock.bench.experiment.scale;

import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.ProgressBar;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench scale}. */
@Command(
        name = "bench scale",
        description = "Loads a large collection into a local store, in a small heap, then checks, scans, reads and"
                + " updates it, applies deep queues, builds an index, verifies, collects and compacts, and compares"
                + " every record.",
        sortOptions = false)
public final class ScaleBench extends Program {
    private static final int RECORDS_MAX = 1_000_000_000;

    /** Less than half of what a session keeps until it is applied, 64 MiB. */
    private static final int WRITES_MAX = 200_000;

    /** The heap that {@code scripts/bench} sets, and that the figures are for. */
    private static final long HEAP_BYTES = 256L << 20;

    /** Disk for a record: in the store and, while it is loaded, in sorted files and their merges. */
    private static final long DISK_BYTES_PER_RECORD = 400;

    @Option(names = "--records", paramLabel = "N", description = "records to load; default: ${DEFAULT-VALUE}")
    private int records = 10_000_000;

    @Option(names = "--reads", paramLabel = "N", description = "reads of single records; default: ${DEFAULT-VALUE}")
    private int reads = 100_000;

    @Option(
            names = "--writes",
            paramLabel = "N",
            description = "updates, and as many inserts; default: ${DEFAULT-VALUE}")
    private int writes = 100_000;

    @Option(names = "--pool-mib", paramLabel = "MIB", description = "page pool; default: ${DEFAULT-VALUE}")
    private int poolMib = 64;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "an empty or new directory that keeps the store; default: a temporary one")
    private @Nullable Path directory;

    @Mixin
    private JsonOption json = new JsonOption();

    private final Progress progress;
    private final Tasks tasks = new ThreadTasks();

    ScaleBench(PrintStream out, PrintStream err, Progress progress) {
        super(out, err);
        this.progress = progress;
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit((out, err) -> new ScaleBench(out, err, ProgressBar.on(err)), arguments);
    }

    @Override
    protected void beforeReport() {
        progress.end();
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--records", records, 1, RECORDS_MAX);
        UsageException.requireRange("--reads", reads, 1, RECORDS_MAX);
        UsageException.requireRange("--writes", writes, 1, WRITES_MAX);
        UsageException.requireRange("--pool-mib", poolMib, 1, (int) (HeapGauge.heapMax() >> 20));
        JsonTarget target = json.target();
        if (HeapGauge.heapMax() > HEAP_BYTES) {
            err.println("bench scale: the heap may grow to " + (HeapGauge.heapMax() >> 20) + " MiB, not to "
                    + (HEAP_BYTES >> 20) + ": the figures are those of another heap");
        }
        ScaleReport report;
        try {
            report = run(new ScaleRun(records, reads, writes, poolMib));
        } catch (ScaleStore.WrongDataException wrong) {
            progress.end();
            return failed(String.valueOf(wrong.getMessage()));
        }
        target.write(report, report.table(), out);
        return Shell.DONE;
    }

    private ScaleReport run(ScaleRun run) {
        if (directory != null) {
            makeEmpty(directory);
            requireRoom(directory);
            return run.in(directory, tasks, progress);
        }
        try (TemporaryDirectory temporary = new TemporaryDirectory()) {
            requireRoom(temporary.path());
            return run.in(temporary.path(), tasks, progress);
        }
    }

    private static void makeEmpty(Path directory) {
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.list(directory)) {
                if (files.findAny().isPresent()) {
                    throw new UsageException("--dir " + directory + " is not empty; name another directory");
                }
            }
        } catch (IOException e) {
            throw new UsageException("--dir " + directory + " cannot be made or read; name another directory");
        }
    }

    private void requireRoom(Path where) {
        long wanted = records * DISK_BYTES_PER_RECORD;
        try {
            long usable = Files.getFileStore(where).getUsableSpace();
            if (usable < wanted) {
                throw new UsageException("there is not enough disk for " + records + " records: they take about "
                        + (wanted >> 20) + " MiB of disk while they are loaded, and " + (usable >> 20)
                        + " MiB are free; free some, or lower --records");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the free space of a disk cannot be read directory=" + where, e);
        }
    }
}
