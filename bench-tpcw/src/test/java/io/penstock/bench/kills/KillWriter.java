package io.penstock.bench.kills;

import io.penstock.Penstock;
import io.penstock.Transaction;
import io.penstock.bench.program.Orders;
import io.penstock.bench.program.Wire;
import io.penstock.core.ConflictException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * A process that writes one transaction after another, on one thread or, of a bank, on several, until it is killed or
 * ordered to stop. Of a bank it also looks at the sum.
 */
final class KillWriter {
    /**
     * The pause between two transactions. Writers without one saturate LocalStack, which is one Python process: then
     * nobody's reads are answered in time, and each client that comes back waits long for a queue without messages.
     */
    private static final Duration PACE = Duration.ofMillis(100);

    /** The pause of a bank's threads, which wait for each other most of the time. */
    private static final Duration BANK_PACE = Duration.ofMillis(20);

    /** The pause after a transaction that failed. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final int BANK_THREADS = 4;

    /** A thread looks at the sum after so many transactions. */
    private static final int LOOK_EVERY = 4;

    /** The exit code of a process that has seen a wrong sum. */
    private static final int WRONG = 7;

    /**
     * The job of a process, as the first line of its input. A second line, of any content, stops it.
     *
     * @param process from 1
     * @param name of the client; empty: none
     * @param directory for journals
     */
    record Job(KillPlace place, KillPlan.Source source, long process, String name, String directory) {
        int threads() {
            return source.bank() ? BANK_THREADS : 1;
        }

        /** The number of a thread among all writers. */
        long writer(int thread) {
            return process * threads() + thread;
        }

        Path journal(int thread) {
            return Path.of(directory, "writer-" + writer(thread) + ".journal");
        }
    }

    private final Job job;
    private final Orders orders;
    private final Penstock store;
    private final KillStore records;
    private final Tasks tasks;

    private KillWriter(Job job, Orders orders, Penstock store, Tasks tasks) {
        this.job = job;
        this.orders = orders;
        this.store = store;
        this.records = KillStore.open(store);
        this.tasks = tasks;
    }

    /** Takes no arguments. */
    public static void main(String[] arguments) {
        Orders orders = Orders.from(System.in);
        Job job = Wire.read(orders.next(), Job.class);
        Tasks tasks = new ThreadTasks();
        job.place.use(
                tasks,
                settings -> job.name.isEmpty() ? settings : settings.clientName(job.name),
                store -> new KillWriter(job, orders, store, tasks).run());
        System.exit(0);
    }

    /** On threads of its own, as an application has them: those of {@link Tasks} are never interrupted. */
    private void run() {
        look();
        try (ExecutorService threads = Executors.newFixedThreadPool(job.threads())) {
            IntStream.range(0, job.threads())
                    .mapToObj(thread -> CompletableFuture.runAsync(() -> work(thread), threads)
                            .exceptionally(WriterProcess::end))
                    .toList()
                    .forEach(CompletableFuture::join);
        }
    }

    private void work(int thread) {
        try (Journal journal = new Journal(job.journal(thread))) {
            for (long number = 1; !orders.any(); number++) {
                write(journal, new Writing(job.writer(thread), number));
                if (number % LOOK_EVERY == 0) {
                    look();
                }
                tasks.sleep(job.source.bank() ? BANK_PACE : PACE);
            }
        }
    }

    private void write(Journal journal, Writing writing) {
        KillPlan plan = KillPlan.draw(job.source, writing);
        journal.begun(writing.number());
        Strike strike = new Strike();
        plan.strikeAfter().ifPresent(pause -> tasks.start("strike", () -> strike.after(tasks, pause)));
        Optional<Stamp> stamp = Optional.empty();
        Optional<StoreException> failure = Optional.empty();
        try (Transaction tx = store.begin()) {
            plan.put(tx, records);
            stamp = Optional.of(tx.commit());
        } catch (StoreException e) {
            failure = Optional.of(e);
        } finally {
            if (strike.end()) { // no interrupt may reach the journal: it would close the file
                journal.struck(writing.number());
            }
        }
        stamp.ifPresent(told -> journal.acknowledged(writing.number(), told));
        failure.ifPresent(e -> failed(journal, writing, e));
    }

    /** Unless the failure says that nothing was committed, it may be there whole, or not at all, as after a kill. */
    private void failed(Journal journal, Writing writing, StoreException e) {
        if (e instanceof UnavailableException || e instanceof ConflictException) {
            journal.toldNothing(writing.number());
        }
        System.err.println("writer=" + writing.writer() + " number=" + writing.number() + " " + e.getMessage());
        tasks.sleep(PAUSE);
    }

    private void look() {
        if (!job.source.bank()) {
            return;
        }
        String wrong;
        try {
            wrong = store.read(tx -> KillStore.wrongSum(records.balances(tx)));
        } catch (ConflictException | UnavailableException later) {
            return; // the servers are busy: nothing was seen
        }
        if (!wrong.isEmpty()) {
            System.err.println(wrong);
            Runtime.getRuntime().halt(WRONG);
        }
    }
}
