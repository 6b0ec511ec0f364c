package io.penstock.bench.experiment.kills;

import io.penstock.Penstock;
import io.penstock.Transaction;
import io.penstock.bench.experiment.kills.Bank.Transfer;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A bank whose processes are killed and replaced. Then the sum must be right, each balance what the transfers make it,
 * every acknowledged transfer there, and none of which its writer was told that nothing was committed. For one use.
 */
final class BankRun implements AutoCloseable {
    private static final int KILLS_A_LINE = 10;

    private final BankPlace place;
    private final long seed;
    private final Path directory;
    private final Tasks tasks = new ThreadTasks();
    private final List<String> violations = new ArrayList<>();
    private final List<BankWriter.Job> jobs = new ArrayList<>();
    private final Victims victims;
    private final long start = tasks.nanoTime();

    /** The result: a summary line, the number of acknowledged transfers, and a line for each violation. */
    record Outcome(String summary, long acknowledged, List<String> violations) {}

    /** @param directory for journals and error output */
    BankRun(BankPlace place, long seed, Path directory) {
        this.place = place;
        this.seed = seed;
        this.directory = directory;
        this.victims = new Victims(tasks, seed, slot -> startProcess(), violations);
    }

    private WriterProcess startProcess() {
        long process = jobs.size() + 1L;
        BankWriter.Job job = new BankWriter.Job(place, seed, process, directory.toString());
        jobs.add(job);
        Path errors = directory.resolve("process-" + process + ".err");
        return new WriterProcess(BankWriter.class, process, job.toJson(), job.journal(0), errors);
    }

    /** Kills processes, then returns the verdict. */
    Outcome run(int kills, int processes, Consumer<String> lines) {
        place.use(tasks, Bank::make);
        victims.start(processes);
        for (int kill = 1; kill <= kills; kill++) {
            victims.killOne(kill);
            if (kill % KILLS_A_LINE == 0) {
                lines.accept("kills=" + kill + " of " + kills);
            }
        }
        victims.stop();
        Map<Writing, Boolean> told = told();
        long acknowledged = told.values().stream().filter(known -> known).count();
        if (acknowledged == 0) {
            violations.add("nothing was acknowledged, so nothing was tested; kill more");
        }
        place.use(tasks, store -> judge(store, told));
        long seconds = Duration.ofNanos(tasks.nanoTime() - start).toSeconds();
        return new Outcome(
                "level=" + place.level() + " seed=" + seed + " kills=" + kills + " acknowledged=" + acknowledged
                        + " told-nothing=" + (told.size() - acknowledged) + " violations=" + violations.size()
                        + " seconds=" + seconds,
                acknowledged,
                List.copyOf(violations));
    }

    /** Whether a transfer was acknowledged, or its writer told that nothing was committed; others are not in it. */
    private Map<Writing, Boolean> told() {
        Map<Writing, Boolean> told = new HashMap<>();
        for (BankWriter.Job job : jobs) {
            for (int thread = 0; thread < BankWriter.THREADS; thread++) {
                long writer = job.writer(thread);
                Journal.Content content = Journal.read(job.journal(thread));
                content.acknowledged().keySet().forEach(number -> told.put(new Writing(writer, number), true));
                content.nothing().forEach(number -> told.put(new Writing(writer, number), false));
            }
        }
        return told;
    }

    private void judge(Penstock store, Map<Writing, Boolean> told) {
        Bank bank = Bank.open(store);
        store.read(tx -> judged(tx, bank, told));
        store.admin().checkpoint();
        store.read(tx -> judged(tx, bank, told));
        store.admin().verify().violations().forEach(line -> violations.add("verify: " + line));
    }

    private boolean judged(Transaction tx, Bank bank, Map<Writing, Boolean> told) {
        Map<Writing, Transfer> made = bank.made(tx);
        if (!bank.balances(tx).equals(Bank.expected(made.values()))) {
            violations.add("the balances are not those of the transfers: " + bank.balances(tx));
        }
        String wrong = bank.wrongSum(tx);
        if (!wrong.isEmpty()) {
            violations.add(wrong);
        }
        told.forEach((writing, acknowledged) -> {
            if (acknowledged != made.containsKey(writing)) {
                violations.add(
                        (acknowledged ? "acknowledged and lost: " : "told that nothing was committed: ") + writing);
            }
        });
        made.forEach((writing, transfer) -> {
            if (!transfer.equals(Transfer.draw(seed, writing))) {
                violations.add("a transfer that nobody made: " + writing);
            }
        });
        return true;
    }

    /** Ends every process that is left. */
    @Override
    public void close() {
        victims.close();
    }
}
