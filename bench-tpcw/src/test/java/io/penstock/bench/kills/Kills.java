package io.penstock.bench.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.aws.AwsOptions;
import io.penstock.bench.aws.StorePrefix;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
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
    private static final int TRANSACTIONS_MAX = 100_000;
    private static final int KILLS = 200;
    private static final int LIST_KILLS = 8;

    @Option(
            names = "--kills",
            paramLabel = "N",
            description = "number of kills; default: " + KILLS + ", of lists " + LIST_KILLS)
    private @Nullable Integer kills;

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
            description =
                    "default: ATOMIC, of a bank or lists SERIALIZABLE; BASIC and MONOTONIC allow partial transactions")
    private @Nullable ConsistencyLevel level;

    @Option(names = "--bank", description = "processes move money between accounts, and look at the sum")
    private boolean bank;

    @Option(names = "--lists", description = "processes append to lists; cycles of dependencies are searched for")
    private boolean lists;

    @Option(
            names = "--transactions",
            paramLabel = "N",
            description = "of lists: acknowledged ones at least; default: ${DEFAULT-VALUE}")
    private int transactions = 4_000;

    @Option(
            names = "--local",
            description = "the store is in a directory: a bank of one process at a time, or lists that they share")
    private boolean local;

    @Option(names = "--without-queues", description = "the store is in a bucket alone, with a bank or lists")
    private boolean withoutQueues;

    @Mixin
    private AwsOptions aws = new AwsOptions();

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new Kills(), arguments);
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--kills", kills(), lists ? 0 : 1, KILLS_MAX);
        UsageException.requireRange("--processes", processes, 1, PROCESSES_MAX);
        UsageException.requireRange("--large-every", largeEvery, 1, LARGE_EVERY_MAX);
        UsageException.requireRange("--transactions", transactions, 1, TRANSACTIONS_MAX);
        if (bank && lists) {
            throw new UsageException("--bank and --lists are two workloads; choose one");
        }
        if (local && !bank && !lists) {
            throw new UsageException("--local is for a bank or lists; add --bank or --lists");
        }
        if (withoutQueues && (local || !bank && !lists)) {
            throw new UsageException("--without-queues is for a bank or lists on servers; add --bank or --lists");
        }
        ConsistencyLevel chosen = level();
        try (TemporaryDirectory directory = new TemporaryDirectory()) {
            KillPlace place = local
                    ? KillPlace.in(directory.path().resolve("store"), chosen)
                    : withoutQueues
                            ? KillPlace.inBucket(aws.servers(), newPrefix(), chosen)
                            : KillPlace.on(aws.servers(), newPrefix(), chosen);
            KillRun.Outcome outcome = lists ? runLists(place, directory.path()) : runWriters(place, directory.path());
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

    private KillRun.Outcome runWriters(KillPlace place, Path directory) {
        KillPlan.Source source = new KillPlan.Source(seed, largeEvery, bank);
        KillRun.Plan plan = new KillRun.Plan(place, kills(), local ? 1 : processes, source, directory);
        try (KillRun run = new KillRun(plan, out::println)) {
            return run.run();
        }
    }

    private KillRun.Outcome runLists(KillPlace place, Path directory) {
        ListRun.Plan plan = new ListRun.Plan(place, kills(), processes, transactions, seed, directory);
        try (ListRun run = new ListRun(plan, out::println)) {
            return run.run();
        }
    }

    private int kills() {
        return kills != null ? kills : lists ? LIST_KILLS : KILLS;
    }

    private ConsistencyLevel level() {
        if (level == null) {
            return bank || lists ? ConsistencyLevel.SERIALIZABLE : ConsistencyLevel.ATOMIC;
        }
        if ((bank || lists) && !level.isolates()) {
            throw new UsageException("a bank and lists need isolation; choose SNAPSHOT or SERIALIZABLE");
        }
        return level;
    }

    /** A prefix that no earlier run on the same servers has used. */
    static String newPrefix() {
        return "kills-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    }
}
