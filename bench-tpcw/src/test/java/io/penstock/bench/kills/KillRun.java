package io.penstock.bench.kills;

import io.penstock.Penstock;
import io.penstock.bench.program.Wire;
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
     * @param place of the store, which is new
     * @param directory for journals and error output of writers
     */
    record Plan(KillPlace place, int kills, int processes, KillPlan.Source source, Path directory) {}

    /** The result: a summary line, and a line for each violation. */
    record Outcome(String summary, long acknowledged, long large, List<String> violations) {}

    private final Plan plan;
    private final Consumer<String> lines;
    private final Tasks tasks = new ThreadTasks();
    private final List<KillWriter.Job> jobs = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Victims victims;
    private final long start = tasks.nanoTime();

    /** @param lines receives progress messages */
    KillRun(Plan plan, Consumer<String> lines) {
        this.plan = plan;
        this.lines = lines;
        victims = new Victims(tasks, plan.source.seed(), this::startProcess, violations);
    }

    /** Kills writers, then returns the verdict. */
    Outcome run() {
        KillStore.make(plan.place, tasks, plan.source.bank());
        victims.start(plan.processes);
        for (int kill = 1; kill <= plan.kills; kill++) {
            victims.killOne(kill);
            if (kill % KILLS_A_LINE == 0) {
                lines.accept("kills=" + kill + " of " + plan.kills + " " + soFar());
            }
        }
        victims.stop();
        List<Outcome> outcomes = new ArrayList<>();
        plan.place.use(tasks, settings -> settings, store -> outcomes.add(judge(store)));
        return outcomes.getFirst();
    }

    private Outcome judge(Penstock store) {
        if (plan.source.bank()) {
            // What is committed is read, whether it is on pages or waits still.
            violations.addAll(verdict(store).violations());
        }
        String rest = comeToRest(store);
        store.admin().verify().violations().forEach(line -> violations.add("verify: " + line));
        KillVerdict.Result result = verdict(store);
        violations.addAll(result.violations());
        if (result.acknowledged() == 0) {
            violations.add(
                    "nothing was acknowledged, so nothing was tested; kill more, or look at the writers' errors");
        }
        return outcome(result, rest);
    }

    private KillVerdict.Result verdict(Penstock store) {
        Map<Long, Journal.Content> journals = contents();
        KillStore records = KillStore.open(store);
        return store.read(tx -> new KillVerdict(plan.source, journals).judge(tx, records));
    }

    private Outcome outcome(KillVerdict.Result result, String rest) {
        String summary = String.join(
                " ",
                "level=" + plan.place.level(),
                "seed=" + plan.source.seed(),
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

    /** Half of the processes have a name, which those that come after them in their place have too. */
    private WriterProcess startProcess(int slot) {
        long process = jobs.size() + 1L;
        String name = slot % 2 == 1 ? "writer-" + slot : "";
        KillWriter.Job job = new KillWriter.Job(plan.place, plan.source, process, name, plan.directory.toString());
        jobs.add(job);
        Path errors = plan.directory.resolve("process-" + process + ".err");
        return new WriterProcess(KillWriter.class, process, Wire.write(job), job.journal(0), errors);
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
        for (KillWriter.Job job : jobs) {
            for (int thread = 0; thread < job.threads(); thread++) {
                contents.put(job.writer(thread), Journal.read(job.journal(thread)));
            }
        }
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

    /** Ends every process that is left. */
    @Override
    public void close() {
        victims.close();
    }
}
