package io.penstock.bench.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsOptions;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.aws.StorePrefix;
import io.penstock.bench.cli.Program;
import io.penstock.bench.cli.Shell;
import io.penstock.bench.cli.TemporaryDirectory;
import io.penstock.bench.cli.UsageException;
import io.penstock.core.task.ThreadTasks;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The program behind {@code scripts/kills}. Exits 0 only if nothing acknowledged is lost and nothing is there in part.
 */
@Command(
        name = "kills",
        description = "Kills client processes in the middle of their writing, and checks what they leave behind.",
        sortOptions = false)
public final class Kills extends Program {
    private static final int KILLS_MAX = 100_000;
    private static final int PROCESSES_MAX = 64;
    private static final int LARGE_EVERY_MAX = 1_000_000;

    @Option(names = "--kills", paramLabel = "N", description = "how many; default: ${DEFAULT-VALUE}")
    private int kills = 200;

    @Option(names = "--processes", paramLabel = "N", description = "that write at a time; default: ${DEFAULT-VALUE}")
    private int processes = 4;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "draws victims, moments and transactions; default: ${DEFAULT-VALUE}")
    private long seed = 1;

    @Option(
            names = "--large-every",
            paramLabel = "N",
            description = "one transaction of so many is of several messages; default: ${DEFAULT-VALUE}")
    private int largeEvery = 32;

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "default: ${DEFAULT-VALUE}; at BASIC and MONOTONIC transactions may be there in part")
    private ConsistencyLevel level = ConsistencyLevel.ATOMIC;

    @Mixin
    private AwsOptions aws = new AwsOptions();

    private Kills(PrintStream out, PrintStream err) {
        super("kills", out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(Kills::new, arguments);
    }

    @Override
    public Integer call() {
        require("--kills", kills, KILLS_MAX);
        require("--processes", processes, PROCESSES_MAX);
        require("--large-every", largeEvery, LARGE_EVERY_MAX);
        AwsServers servers = aws.servers();
        String prefix = newPrefix();
        try (TemporaryDirectory directory = new TemporaryDirectory()) {
            KillPlan.Source source = new KillPlan.Source(seed, largeEvery);
            KillRun.Plan plan = new KillRun.Plan(servers, prefix, level, kills, processes, source, directory.path());
            KillRun.Outcome outcome;
            try (KillRun run = new KillRun(plan, out::println)) {
                outcome = run.run();
            }
            outcome.violations().forEach(line -> out.println("violation: " + line));
            out.println(outcome.summary());
            if (!outcome.violations().isEmpty()) {
                directory.keep();
                out.println("journals=" + directory.path() + " store=" + servers.bucket() + "/" + prefix);
                return Shell.NOT_CLEAN;
            }
            new StorePrefix(servers, prefix).remove(new ThreadTasks());
            return Shell.CLEAN;
        }
    }

    /** Of a store: not that of an earlier run on the same servers. */
    static String newPrefix() {
        return "kills-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    }

    private static void require(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new UsageException(option + " is out of range; give 1 to " + max + ", not " + value);
        }
    }
}
