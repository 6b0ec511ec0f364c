package io.penstock.bench.tpcw;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.run.CloudOptions.Cloud;
import io.penstock.bench.tpcw.run.CompareReport;
import io.penstock.bench.tpcw.run.LevelResult;
import io.penstock.bench.tpcw.run.LocalVenue;
import io.penstock.bench.tpcw.run.Profiles;
import io.penstock.bench.tpcw.run.Run;
import io.penstock.bench.tpcw.run.RunPlan;
import io.penstock.bench.tpcw.run.SimulatedVenue;
import io.penstock.bench.tpcw.run.Tuning;
import io.penstock.bench.tpcw.run.Venue;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
final class CompareCommand extends Program {
    private static final int SIMULATED_TRANSACTIONS = 300;
    private static final int SIMULATED_ITEMS = 10_000;
    private static final int REAL_TRANSACTIONS = 100;
    private static final int REAL_ITEMS = 1_000;

    /** The number of clients: enough to see concurrent updates lost at NAIVE, few enough for a small machine. */
    private static final int CLIENTS = 4;

    private static final int TRANSACTIONS_MAX = 1_000_000;
    private static final int CLIENTS_MAX = 256;
    private static final BigDecimal SECONDS_MAX = BigDecimal.valueOf(86_400);
    private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);

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
            converter = Profiles.class,
            description = "paper-2008, aws-2026, express-2026, express-slow, instant, or a file of scripts/bench"
                    + " calibrate; default: aws-2026, then paper-2008")
    private @Nullable Profile profile;

    @Option(
            names = "--levels",
            split = ",",
            paramLabel = "LEVEL",
            description = "${COMPLETION-CANDIDATES}, separated by commas; default: all")
    private List<ConsistencyLevel> levels = new ArrayList<>(List.of(ConsistencyLevel.values()));

    @Option(
            names = "--transactions",
            paramLabel = "N",
            description = "transactions for each level; default: 300 simulated, else 100")
    private @Nullable Integer transactions;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "clients, each with its own handle and pool; default: 4, for paper-2008 1;"
                    + " with --processes: of each, default 1")
    private @Nullable Integer clients;

    @Option(names = "--items", paramLabel = "N", description = "rows in ITEM; default: 10000 simulated, else 1000")
    private @Nullable Integer items;

    @Option(
            names = "--browsers",
            paramLabel = "N",
            description = "emulated browsers to scale for: 2880 customers each; default: 1")
    private int browsers = 1;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "S",
            description = "seconds between checkpoints; default: 10, for paper-2008 20")
    private @Nullable BigDecimal checkpointInterval;

    @Option(
            names = "--think-time",
            paramLabel = "S",
            description = "seconds between transactions of a client; default: 0")
    private BigDecimal thinkTime = BigDecimal.ZERO;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "the same seed gives the same figures (simulated); default: 1")
    private long seed = 1;

    @Mixin
    private AwsChoices aws = new AwsChoices();

    @Option(
            names = "--layout",
            description = "per-leaf: the paper's queues; partitioned: ours; default: partitioned, for paper-2008 both")
    private @Nullable LayoutName layout;

    @Option(names = "--partitions", paramLabel = "N", description = "queues for each tree if partitioned; default: 1")
    private @Nullable Integer partitions;

    @Mixin
    private JsonTarget json = new JsonTarget();

    @Option(names = "--dir", paramLabel = "D", description = "an empty directory that keeps the local stores")
    private @Nullable Path directory;

    @Override
    public Integer call() {
        checkCombination();
        json.check();
        PrintStream tables = json.isAlone() ? err : out;
        if (cloud == Cloud.AWS) {
            return runOnAws(tables);
        }
        if (!wantsLocal()) {
            return run(simulated(), tables);
        }
        try (TemporaryDirectory place = TemporaryDirectory.orEmpty(directory)) {
            List<Comparison> all = new ArrayList<>(cloud == null ? simulated() : List.of());
            RunPlan.Buying load = load(REAL_TRANSACTIONS, REAL_ITEMS, clients(CLIENTS));
            List<RunPlan> plans = plans("local", PriceList.FREE, layout(), load, Tuning.TODAY);
            all.add(new Comparison(plans, new LocalVenue(place.path(), 1)));
            return run(all, tables);
        }
    }

    private int runOnAws(PrintStream tables) {
        // Before any request: a plan is checked when it is made. The clients given are those of each process.
        int processes = aws.processes();
        RunPlan.Buying load = load(REAL_TRANSACTIONS, REAL_ITEMS, processes * clients(processes == 1 ? CLIENTS : 1));
        List<RunPlan> plans = plans("aws", Profile.AWS_2026.prices(), layout(), load, Tuning.TODAY);
        try (AwsChoices.AwsRun run = new AwsChoices.AwsRun(aws, err)) {
            return run(List.of(new Comparison(plans, run.venue())), tables);
        }
    }

    /** Plans that differ in the level, and the venue of all. */
    private record Comparison(List<RunPlan> plans, Venue venue) {}

    private int run(List<Comparison> comparisons, PrintStream tables) {
        List<List<LevelResult>> outcomes = new ArrayList<>();
        for (Comparison comparison : comparisons) {
            List<LevelResult> outcome = Run.compare(comparison.plans, comparison.venue, progress);
            outcomes.add(outcome);
            tables.println(CompareReport.text(outcome));
            tables.flush();
        }
        json.write(CompareReport.json(outcomes), out);
        return outcomes.stream().flatMap(List::stream).allMatch(LevelResult::clean) ? Shell.DONE : Shell.FAILED;
    }

    private void checkCombination() {
        String ofAws = aws.given();
        if (cloud != Cloud.AWS && ofAws != null) {
            throw new UsageException(ofAws + " is for --cloud aws; leave it out, or use --cloud aws");
        }
        if (cloud != null && cloud != Cloud.SIMULATED && profile != null) {
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

    private List<Comparison> simulated() {
        List<Profile> profiles = profile == null ? List.of(Profile.AWS_2026, Profile.PAPER_2008) : List.of(profile);
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
        int clients = clients(each.equals(Profile.PAPER_2008) ? 1 : CLIENTS);
        RunPlan.Buying load = load(SIMULATED_TRANSACTIONS, SIMULATED_ITEMS, clients);
        List<RunPlan> plans = plans(each.name(), each.prices(), layoutOfAll, load, Tuning.of(each));
        return new Comparison(plans, new SimulatedVenue(each, seed));
    }

    private Layout layout() {
        return layout == LayoutName.PER_LEAF
                ? Layout.perLeaf()
                : Layout.partitioned(partitions == null ? 1 : partitions);
    }

    /** Returns a plan for each level. */
    private List<RunPlan> plans(String name, PriceList prices, Layout queues, RunPlan.Buying load, Tuning standard) {
        Tuning tuning = checkpointInterval == null
                ? standard
                : standard.with(standard.ttl(), chosenInterval(checkpointInterval));
        return levels.stream()
                .distinct()
                .map(level -> new RunPlan(name, prices, queues, level, load, tuning, seed))
                .toList();
    }

    private RunPlan.Buying load(int standardTransactions, int standardItems, int clients) {
        return new RunPlan.Buying(
                new Scale(browsers, items == null ? standardItems : items),
                within("--transactions", transactions, standardTransactions, TRANSACTIONS_MAX),
                clients,
                seconds("--think-time", thinkTime));
    }

    private int clients(int standard) {
        return within("--clients", clients, standard, CLIENTS_MAX);
    }

    private static Duration chosenInterval(BigDecimal given) {
        Duration chosen = seconds("--checkpoint-interval", given);
        if (chosen.isZero()) {
            throw new UsageException("--checkpoint-interval must be above 0; give seconds, 0.5 say");
        }
        return chosen;
    }

    private static Duration seconds(String option, BigDecimal value) {
        if (value.signum() < 0 || value.compareTo(SECONDS_MAX) > 0) {
            throw new UsageException(option + " is out of range; give 0 to " + SECONDS_MAX + " seconds, not " + value);
        }
        return Duration.ofNanos(value.multiply(NANOS_PER_SECOND).longValue());
    }

    private static int within(String option, @Nullable Integer value, int standard, int max) {
        if (value == null) {
            return standard;
        }
        UsageException.requireRange(option, value, 1, max);
        return value;
    }
}
