package io.penstock.bench.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsOptions;
import io.penstock.bench.aws.StorePrefix;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.task.ThreadTasks;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The program behind {@code scripts/kills}. Exits 0 only if nothing acknowledged is lost and nothing is there in part.
 */
@Command(
        name = "kills",
        description = "Kills client processes while they write, and checks the store.",
        sortOptions = false)
public final class Kills extends Program {
    private static final int KILLS_MAX = 100_000;
    private static final int PROCESSES_MAX = 64;
    private static final int LARGE_EVERY_MAX = 1_000_000;

    @Option(names = "--kills", paramLabel = "N", description = "number of kills; default: ${DEFAULT-VALUE}")
    private int kills = 200;

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "processes that write at a time; default: ${DEFAULT-VALUE}")
    private int processes = 4;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "draws victims, moments and transactions; default: ${DEFAULT-VALUE}")
    private long seed = 1;

    @Option(
            names = "--large-every",
            paramLabel = "N",
            description = "about one in N transactions has several messages; default: ${DEFAULT-VALUE}")
    private int largeEvery = 32;

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "default: ATOMIC, of a bank SERIALIZABLE; BASIC and MONOTONIC allow partial transactions")
    private @Nullable ConsistencyLevel level;

    @Option(names = "--bank", description = "processes move money between accounts, and look at the sum")
    private boolean bank;

    @Option(names = "--local", description = "the bank is in a directory, of one process at a time")
    private boolean local;

    @Mixin
    private AwsOptions aws = new AwsOptions();

    private Kills(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(Kills::new, arguments);
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--kills", kills, 1, KILLS_MAX);
        UsageException.requireRange("--processes", processes, 1, PROCESSES_MAX);
        UsageException.requireRange("--large-every", largeEvery, 1, LARGE_EVERY_MAX);
        if (local && !bank) {
            throw new UsageException("--local is for a bank; add --bank");
        }
        ConsistencyLevel chosen = level();
        try (TemporaryDirectory directory = new TemporaryDirectory()) {
            KillPlace place = local
                    ? KillPlace.in(directory.path().resolve("store"), chosen)
                    : KillPlace.on(aws.servers(), newPrefix(), chosen);
            KillPlan.Source source = new KillPlan.Source(seed, largeEvery, bank);
            KillRun.Plan plan = new KillRun.Plan(place, kills, local ? 1 : processes, source, directory.path());
            KillRun.Outcome outcome;
            try (KillRun run = new KillRun(plan, out::println)) {
                outcome = run.run();
            }
            outcome.violations().forEach(line -> out.println("violation: " + line));
            out.println(outcome.summary());
            if (!outcome.violations().isEmpty()) {
                directory.keep();
                out.println("journals=" + directory.path() + " store=" + place.found());
                return Shell.FAILED;
            }
            if (place.servers() != null) {
                new StorePrefix(place.servers(), place.prefix()).remove(new ThreadTasks());
            }
            return Shell.DONE;
        }
    }

    private ConsistencyLevel level() {
        if (level == null) {
            return bank ? ConsistencyLevel.SERIALIZABLE : ConsistencyLevel.ATOMIC;
        }
        if (bank && !level.isolates()) {
            throw new UsageException("a bank needs isolation; choose SNAPSHOT or SERIALIZABLE");
        }
        return level;
    }

    /** A prefix that no earlier run on the same servers has used. */
    static String newPrefix() {
        return "kills-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    }
}
