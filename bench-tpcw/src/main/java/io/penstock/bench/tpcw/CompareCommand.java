package io.penstock.bench.tpcw;

import io.penstock.Layout;
import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Progress;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.bench.tpcw.run.JsonReport;
import io.penstock.bench.tpcw.run.LevelResult;
import io.penstock.bench.tpcw.run.LocalVenue;
import io.penstock.bench.tpcw.run.Run;
import io.penstock.bench.tpcw.run.RunPlan;
import io.penstock.bench.tpcw.run.SimulatedVenue;
import io.penstock.bench.tpcw.run.TableReport;
import io.penstock.bench.tpcw.run.Venue;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.testkit.Profile;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code tpcw compare}. By default it runs {@code aws-2026} and {@code paper-2008} simulated (the latter with the
 * paper's queues and with ours), then a short local run.
 */
@Command(
        name = "compare",
        description =
                "Runs the paper's transaction at each consistency level; reports durations, costs and lost updates.",
        sortOptions = false)
final class CompareCommand implements Callable<Integer> {
    private enum Cloud {
        SIMULATED,
        LOCAL,
        AWS
    }

    private enum LayoutName {
        PER_LEAF,
        PARTITIONED;

        /** The spelling of the command line; picocli compares with it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(
            names = "--cloud",
            description = "simulated: virtual time; local: a directory; aws: S3 and SQS; default: the first two")
    private @Nullable Cloud cloud;

    @Option(
            names = "--profile",
            paramLabel = "P",
            description = "paper-2008, aws-2026, express-2026 or instant; default: aws-2026, then paper-2008")
    private @Nullable String profile;

    @Mixin
    private Choices choices = new Choices();

    @Mixin
    private AwsChoices aws = new AwsChoices();

    @Option(
            names = "--layout",
            description = "per-leaf: the paper's queues; partitioned: ours; default: partitioned, for paper-2008 both")
    private @Nullable LayoutName layout;

    @Option(names = "--partitions", paramLabel = "N", description = "queues for each tree if partitioned; default: 1")
    private @Nullable Integer partitions;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--dir", paramLabel = "D", description = "an empty directory that keeps the local stores")
    private @Nullable Path directory;

    private final PrintStream out;
    private final PrintStream err;
    private final Progress progress;

    CompareCommand(PrintStream out, PrintStream err, Progress progress) {
        this.out = out;
        this.err = err;
        this.progress = progress;
    }

    @Override
    public Integer call() {
        checkCombination();
        JsonTarget target = json.target();
        PrintStream tables = target.isAlone() ? err : out;
        if (cloud == Cloud.AWS) {
            return runOnAws(target, tables);
        }
        if (!wantsLocal()) {
            return run(simulated(), target, tables);
        }
        if (directory != null) {
            return run(withLocal(emptyDirectory(directory)), target, tables);
        }
        try (TemporaryDirectory temporary = new TemporaryDirectory()) {
            return run(withLocal(temporary.path()), target, tables);
        }
    }

    private int runOnAws(JsonTarget target, PrintStream tables) {
        // Before any request: a plan is checked when it is made.
        List<RunPlan> plans = choices.aws(layout(), aws.processes());
        try (AwsRun run = new AwsRun(aws, err)) {
            return run(List.of(new Comparison(plans, run.venue())), target, tables);
        }
    }

    /** Plans that differ in the level, and the venue of all. */
    private record Comparison(List<RunPlan> plans, Venue venue) {}

    private int run(List<Comparison> comparisons, JsonTarget target, PrintStream tables) {
        List<List<LevelResult>> outcomes = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            List<LevelResult> outcome = Run.compare(comparison.plans, comparison.venue, progress);
            outcomes.add(outcome);
            tables.println(TableReport.of(outcome));
            tables.flush();
        }
        target.write(JsonReport.of(outcomes), out);
        return outcomes.stream().flatMap(List::stream).allMatch(LevelResult::clean) ? Shell.DONE : Shell.FAILED;
    }

    private void checkCombination() {
        String ofAws = aws.given();
        if (cloud != Cloud.AWS && ofAws != null) {
            throw new UsageException(ofAws + " is for --cloud aws; leave it out, or use --cloud aws");
        }
        if (cloud == Cloud.AWS && profile != null) {
            throw new UsageException("--profile is for the simulated cloud; leave it out");
        }
        if (cloud == Cloud.LOCAL && profile != null) {
            throw new UsageException("--profile is for the simulated cloud; leave it out, or use --cloud simulated");
        }
        if (directory != null && !wantsLocal()) {
            throw new UsageException("--dir is for the local cloud; leave it out, or use --cloud local");
        }
        if (partitions != null && layout == LayoutName.PER_LEAF) {
            throw new UsageException("--partitions does not go with --layout per-leaf; leave one of them out");
        }
    }

    private boolean wantsLocal() {
        return cloud == Cloud.LOCAL || cloud == null && profile == null;
    }

    private List<Comparison> withLocal(Path localDirectory) {
        List<Comparison> all = new ArrayList<>(cloud == null ? simulated() : List.of());
        all.add(new Comparison(choices.local(layout()), new LocalVenue(localDirectory, 1)));
        return all;
    }

    private List<Comparison> simulated() {
        List<Profile> profiles =
                profile == null ? List.of(Profile.AWS_2026, Profile.PAPER_2008) : List.of(Profile.named(profile));
        List<Comparison> all = new ArrayList<>();
        for (Profile each : profiles) {
            if (each.equals(Profile.PAPER_2008) && layout == null && partitions == null) {
                all.add(simulated(each, Layout.perLeaf()));
            }
            all.add(simulated(each, layout()));
        }
        return all;
    }

    private Comparison simulated(Profile each, Layout layoutOfAll) {
        List<RunPlan> plans = choices.simulated(each, layoutOfAll);
        return new Comparison(plans, new SimulatedVenue(each, plans.getFirst().seed()));
    }

    private Layout layout() {
        return layout == LayoutName.PER_LEAF
                ? Layout.perLeaf()
                : Layout.partitioned(partitions == null ? 1 : partitions);
    }

    /** Each level must start from nothing, and no file may be overwritten. */
    private static Path emptyDirectory(Path directory) {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new UsageException("--dir " + directory + " is not a directory; name another");
        }
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.list(directory)) {
                if (files.findAny().isPresent()) {
                    throw new UsageException("--dir " + directory + " is not empty; empty it, or name another");
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new UsageException("--dir " + directory + " cannot be made or read; name a writable place");
        }
        return directory;
    }
}
