package io.penstock.bench.experiment.kills;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.report.Backlog;
import io.penstock.report.RecoveryReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A run of writers that are killed and replaced; then the rest end in order, the store recovers, and a verdict is made.
 * Victims and pauses are drawn from the seed; what a victim does at that moment depends on the machine. For one use.
 */
final class KillRun implements AutoCloseable {
    private static final Duration REST_MAX = Duration.ofMinutes(15);
    private static final Duration REST_PAUSE = Duration.ofMillis(500);
    private static final int KILLS_A_LINE = 10;

    /**
     * The parameters of a run.
     *
     * @param prefix of the store, which is new
     * @param directory for journals and error output of writers
     */
    record Plan(
            AwsServers servers,
            String prefix,
            ConsistencyLevel level,
            int kills,
            int processes,
            KillPlan.Source source,
            Path directory) {
        long seed() {
            return source.seed();
        }
    }

    /** The result: a summary line, and a line for each violation. */
    record Outcome(String summary, long acknowledged, long large, List<String> violations) {}

    private final Plan plan;
    private final Consumer<String> lines;
    private final Tasks tasks = new ThreadTasks();
    private final AwsServers.Connection connection;
    private final Settings settings;
    private final Map<Long, Path> journals = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Victims victims;
    private final long start = tasks.nanoTime();

    /** @param lines receives progress messages */
    KillRun(Plan plan, Consumer<String> lines) {
        this.plan = plan;
        this.lines = lines;
        connection = plan.servers.connect(tasks);
        Settings on = Settings.on(connection.objects(), connection.queues(), tasks);
        settings = KillStore.tune(on.prefix(plan.prefix), plan.level);
        victims = new Victims(tasks, plan.seed(), this::startWriter, violations);
    }

    /** Kills writers, then returns the verdict. */
    Outcome run() {
        KillStore.make(settings);
        victims.start(plan.processes);
        for (int kill = 1; kill <= plan.kills; kill++) {
            victims.killOne(kill);
            if (kill % KILLS_A_LINE == 0) {
                lines.accept("kills=" + kill + " of " + plan.kills + " " + soFar());
            }
        }
        victims.stop();
        try (Penstock store = Penstock.open(settings)) {
            String rest = comeToRest(store);
            store.admin().verify().violations().forEach(line -> violations.add("check: " + line));
            KillVerdict.Result result = new KillVerdict(plan.source, contents()).judge(KillStore.open(store));
            violations.addAll(result.violations());
            if (result.acknowledged() == 0) {
                violations.add(
                        "nothing was acknowledged, so nothing was tested; kill more, or look at the writers' errors");
            }
            return outcome(result, rest);
        }
    }

    private Outcome outcome(KillVerdict.Result result, String rest) {
        String summary = String.join(
                " ",
                "level=" + plan.level,
                "seed=" + plan.seed(),
                "kills=" + plan.kills,
                "begun=" + result.begun(),
                "acknowledged=" + result.acknowledged(),
                "large=" + result.large(),
                "unacknowledged-but-whole=" + result.unacknowledgedWhole(),
                "told-nothing=" + result.toldNothing(),
                "interrupted=" + result.interrupted(),
                rest,
                "violations=" + violations.size(),
                "seconds=" + seconds());
        return new Outcome(summary, result.acknowledged(), result.large(), List.copyOf(violations));
    }

    /** Half of the writers have a name, which those that come after them in their place have too. */
    private WriterProcess startWriter(int slot) {
        long writer = journals.size() + 1L;
        Path journal = plan.directory.resolve("writer-" + writer + ".journal");
        Path errors = plan.directory.resolve("writer-" + writer + ".err");
        journals.put(writer, journal);
        String name = slot % 2 == 0 ? "writer-" + slot : "";
        KillWriter.Job job = new KillWriter.Job(
                plan.servers, plan.prefix, plan.level, plan.source, writer, name, journal.toString());
        return new WriterProcess(KillWriter.class, writer, job.toJson(), journal, errors);
    }

    /** Recovers and checkpoints until nothing is pending; returns what is left, in words. */
    private String comeToRest(Penstock store) {
        long deadline = tasks.nanoTime() + REST_MAX.toNanos();
        while (true) {
            RecoveryReport recovery = store.admin().recover();
            store.admin().checkpoint();
            Backlog backlog = store.admin().backlog();
            // Parts of transactions whose commit record was never sent: kept for a day, in case it comes.
            boolean resting = backlog.pendingMessages() == 0
                    && backlog.atomicMessages() <= recovery.undecidedMessages()
                    && recovery.forwarded() == 0;
            String state = "pending=" + backlog.pendingMessages() + " uncommitted-parts=" + backlog.atomicMessages()
                    + " uncommitted=" + recovery.undecided();
            if (resting) {
                return state;
            }
            if (tasks.nanoTime() - deadline > 0) {
                violations.add("the store does not come to rest: " + state);
                return state;
            }
            tasks.sleep(REST_PAUSE);
        }
    }

    private Map<Long, Journal.Content> contents() {
        Map<Long, Journal.Content> contents = new HashMap<>();
        journals.forEach((writer, path) -> contents.put(writer, Journal.read(path)));
        return contents;
    }

    private String soFar() {
        long begun = 0;
        long acknowledged = 0;
        for (Journal.Content content : contents().values()) {
            begun += content.begun().size();
            acknowledged += content.acknowledged().size();
        }
        return "begun=" + begun + " acknowledged=" + acknowledged + " seconds=" + seconds();
    }

    private long seconds() {
        return Duration.ofNanos(tasks.nanoTime() - start).toSeconds();
    }

    /** Ends every writer that is left, and the connections. */
    @Override
    public void close() {
        victims.close();
        connection.close();
    }
}
