package io.penstock.bench.kills;

import io.penstock.Penstock;
import io.penstock.bench.kills.ListHistory.Attempt;
import io.penstock.bench.program.Wire;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A run of processes that append to lists, and are killed and replaced meanwhile; then the rest end in order, and a
 * verdict is made. Victims, pauses and transactions are drawn from the seed; the rest depends on the machine. For one
 * use.
 */
final class ListRun implements AutoCloseable {
    private static final Duration SHARE_MAX = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(500);

    /**
     * The parameters of a run.
     *
     * @param place of the store, which is new
     * @param kills spread over the run
     * @param transactions acknowledged ones, at least
     * @param directory for histories and error output of processes
     */
    record Plan(KillPlace place, int kills, int processes, int transactions, long seed, Path directory) {}

    private final Plan plan;
    private final Consumer<String> lines;
    private final Tasks tasks = new ThreadTasks();
    private final List<ListWriter.Job> jobs = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Victims victims;
    private final long start = tasks.nanoTime();

    /** @param lines receives progress messages */
    ListRun(Plan plan, Consumer<String> lines) {
        this.plan = plan;
        this.lines = lines;
        victims = new Victims(tasks, plan.seed, this::startProcess, violations);
    }

    /** Kills processes, then returns the verdict. */
    KillRun.Outcome run() {
        ListStore.make(plan.place, tasks);
        victims.start(plan.processes);
        for (int kill = 1; kill <= plan.kills; kill++) {
            awaitAcknowledged((long) plan.transactions * kill / (plan.kills + 1));
            victims.killOne(kill);
        }
        awaitAcknowledged(plan.transactions);
        victims.stop();
        Map<Long, List<Long>> lists = new HashMap<>();
        plan.place.use(tasks, settings -> settings, store -> {
            lists.putAll(lists(store));
            store.admin().verify().violations().forEach(line -> violations.add("verify: " + line));
        });
        List<Attempt> attempts =
                histories().flatMap(path -> ListHistory.read(path).stream()).toList();
        return outcome(ListVerdict.judge(plan.place.level(), attempts, lists));
    }

    private static Map<Long, List<Long>> lists(Penstock store) {
        ListStore records = ListStore.open(store);
        return store.read(tx -> {
            Map<Long, List<Long>> lists = new HashMap<>();
            for (long list = 0; list < ListStore.LISTS; list++) {
                lists.put(list, records.read(tx, list));
            }
            return lists;
        });
    }

    private KillRun.Outcome outcome(ListVerdict.Result result) {
        violations.addAll(result.violations());
        String summary = String.join(
                " ",
                "level=" + plan.place.level(),
                "seed=" + plan.seed,
                "kills=" + plan.kills,
                "acknowledged=" + result.acknowledged(),
                "failed=" + result.failed(),
                "unknown=" + result.unknown(),
                "unknown-but-there=" + result.unknownThere(),
                "skews=" + result.skews(),
                "violations=" + violations.size(),
                "seconds=" + seconds());
        return new KillRun.Outcome(summary, result.acknowledged(), 0, List.copyOf(violations));
    }

    /**
     * Starts a process. The first owns the directory. Half of them have a name, which those that come after them in
     * their place have too.
     */
    private WriterProcess startProcess(int slot) {
        long process = jobs.size() + 1L;
        String name = slot % 2 == 1 ? "writer-" + slot : "";
        ListWriter.Job job =
                new ListWriter.Job(plan.place, plan.seed, process, slot == 0, name, plan.directory.toString());
        jobs.add(job);
        Path errors = plan.directory.resolve("process-" + process + ".err");
        return new WriterProcess(ListWriter.class, process, Wire.write(job), job.history(0), errors);
    }

    private void awaitAcknowledged(long wanted) {
        long deadline = tasks.nanoTime() + SHARE_MAX.toNanos();
        long found = acknowledged();
        while (found < wanted) {
            if (tasks.nanoTime() - deadline > 0) {
                violations.add("only " + found + " transactions after " + seconds() + " s");
                return;
            }
            tasks.sleep(POLL);
            found = acknowledged();
        }
        lines.accept("acknowledged=" + found + " seconds=" + seconds());
    }

    private long acknowledged() {
        return histories().mapToLong(ListHistory::acknowledged).sum();
    }

    private Stream<Path> histories() {
        return jobs.stream()
                .flatMap(job -> IntStream.range(0, ListWriter.THREADS).mapToObj(job::history));
    }

    private long seconds() {
        return Duration.ofNanos(tasks.nanoTime() - start).toSeconds();
    }

    /** Ends every process that is left. */
    @Override
    public void close() {
        victims.close();
    }
}
