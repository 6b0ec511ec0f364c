package io.penstock.bench.tpcw;

import io.penstock.bench.program.Program;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.report.Experiment;
import io.penstock.bench.tpcw.report.Experiments;
import io.penstock.bench.tpcw.report.HtmlReport;
import io.penstock.bench.tpcw.report.Measurements;
import io.penstock.bench.tpcw.report.PlainReport;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tpcw report}: runs all experiments and writes one HTML file, with Markdown and CSV beside it. Interrupted, it
 * writes what it has.
 */
@Command(
        name = "report",
        description = "Measures what the levels cost and what goes wrong, and writes it as HTML, Markdown and CSV.",
        sortOptions = false)
final class ReportCommand extends Program {
    private static final String SUFFIX = ".html";

    @Option(names = "--out", paramLabel = "FILE", description = "the HTML file; default: tpcw-report.html")
    private Path file = Path.of("tpcw-report.html");

    @Option(names = "--quick", description = "fewer and shorter runs")
    private boolean quick;

    private final Tasks tasks = new ThreadTasks();
    private final Measurements measured = new Measurements();

    @Override
    public Integer call() {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        if (!target.toString().endsWith(SUFFIX) || folder == null || !Files.isDirectory(folder)) {
            throw new UsageException("--out " + file + " cannot be written; name an .html file in a directory");
        }
        List<Experiment> experiments = Experiments.all(quick);
        Thread atExit = Thread.ofPlatform().name("write-what-there-is").unstarted(() -> write(experiments, target));
        Runtime.getRuntime().addShutdownHook(atExit);
        measure(experiments);
        write(experiments, target);
        Runtime.getRuntime().removeShutdownHook(atExit);
        out.println("written: " + file);
        return Shell.DONE;
    }

    private void measure(List<Experiment> experiments) {
        Set<String> commands = new LinkedHashSet<>();
        experiments.forEach(each -> each.rows().forEach(row -> commands.add(row.command())));
        long start = tasks.nanoTime();
        int done = 0;
        for (String command : commands) {
            progress.begin(title(done, commands.size(), tasks.nanoTime() - start), commands.size());
            progress.advance(done);
            measured.add(command, run(command));
            done++;
        }
        progress.end();
    }

    private static String title(int done, int all, long nanos) {
        if (done == 0) {
            return "1 of " + all;
        }
        long left = TimeUnit.NANOSECONDS.toMinutes(nanos / done * (all - done)) + 1;
        return (done + 1) + " of " + all + ", about " + left + " min left";
    }

    /** The JSON that a command of this program prints. */
    private String run(String command) {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        ByteArrayOutputStream tables = new ByteArrayOutputStream();
        String[] arguments = (command + " --json -").split(" ");
        // An exit code that says "not sound" is a finding, too: NAIVE may have broken a tree.
        int code = Tpcw.run(stream(json), stream(tables), Progress.NONE, arguments);
        if (code == Shell.USAGE) {
            err.print(tables.toString(StandardCharsets.UTF_8));
            throw new IllegalStateException("the report asks for something impossible: " + command);
        }
        return json.toString(StandardCharsets.UTF_8);
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private void write(List<Experiment> experiments, Path target) {
        String origin = "Commit " + System.getProperty("penstock.commit", "unknown") + ", seed 1, scripts/tpcw report"
                + (quick ? " --quick." : ".");
        String name = target.toString();
        String stem = name.substring(0, name.length() - SUFFIX.length());
        try {
            Files.writeString(target, HtmlReport.of(experiments, measured, origin));
            Files.writeString(Path.of(stem + ".md"), PlainReport.markdown(experiments, measured, origin));
            Files.writeString(Path.of(stem + ".csv"), PlainReport.csv(experiments, measured));
        } catch (IOException e) {
            throw new UncheckedIOException("the report cannot be written; is the disk full? file=" + target, e);
        }
    }
}
