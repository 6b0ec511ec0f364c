package io.penstock.bench.kills;

import io.penstock.Penstock;
import io.penstock.Transaction;
import io.penstock.bench.kills.ListHistory.Step;
import io.penstock.bench.kills.ListHistory.What;
import io.penstock.bench.program.Orders;
import io.penstock.bench.program.Wire;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * A process that reads lists and appends unique numbers to them, on several threads, until it is killed or ordered to
 * stop. Any failure that tells not what has become of a transaction ends it.
 */
final class ListWriter {
    static final int THREADS = 3;

    /** The pause after a transaction that failed. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final int APPENDS_MAX = 2;
    private static final int READS_MAX = 3;

    /** The numbers of a thread are so many at most. */
    private static final long NUMBERS = 1_000_000;

    /**
     * The job of a process, as the first line of its input. A second line, of any content, stops it.
     *
     * @param process from 1
     * @param owner whether it opens the directory, where there is one
     * @param name of the client; empty: none
     * @param directory for histories
     */
    record Job(KillPlace place, long seed, long process, boolean owner, String name, String directory) {
        Path history(int thread) {
            return Path.of(directory, "process-" + process + "-thread-" + thread + ".history");
        }
    }

    private final Job job;
    private final Orders orders;
    private final Penstock store;
    private final ListStore lists;
    private final Tasks tasks;

    private ListWriter(Job job, Orders orders, Penstock store, Tasks tasks) {
        this.job = job;
        this.orders = orders;
        this.store = store;
        this.lists = ListStore.open(store);
        this.tasks = tasks;
    }

    /** Takes no arguments. */
    public static void main(String[] arguments) {
        Orders orders = Orders.from(System.in);
        Job job = Wire.read(orders.next(), Job.class);
        Tasks tasks = new ThreadTasks();
        job.place.share(
                job.owner,
                tasks,
                settings -> job.name.isEmpty() ? settings : settings.clientName(job.name),
                store -> new ListWriter(job, orders, store, tasks).run());
        System.exit(0);
    }

    private void run() {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            IntStream.range(0, THREADS)
                    .mapToObj(thread -> CompletableFuture.runAsync(() -> work(thread), threads)
                            .exceptionally(WriterProcess::end))
                    .toList()
                    .forEach(CompletableFuture::join);
        }
    }

    private void work(int thread) {
        long first = (job.process * THREADS + thread) * NUMBERS;
        try (ListHistory history = new ListHistory(job.history(thread))) {
            for (long number = 1; !orders.any(); number++) {
                Draws draws = Draws.of(job.seed, "lists of thread " + first, number);
                What outcome = transact(history, number, draws.between(0, 1) == 0, steps(draws, first, number));
                history.write(outcome, number, tasks.nowMillis(), List.of());
                if (outcome != What.OK) {
                    tasks.sleep(PAUSE);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a history cannot be closed; is the disk full?", e);
        }
    }

    /** Draws the steps, with nothing read as yet. */
    private static List<Step> steps(Draws draws, long first, long number) {
        List<Step> steps = new ArrayList<>();
        int reads = draws.between(1, READS_MAX);
        int appends = draws.between(0, APPENDS_MAX);
        for (int i = 0; i < reads + appends; i++) {
            long appended = i < reads ? 0 : first + number * APPENDS_MAX + i - reads;
            steps.add(
                    draws.between(0, steps.size()),
                    new Step(draws.between(0L, ListStore.LISTS - 1L), List.of(), appended));
        }
        return steps;
    }

    private What transact(ListHistory history, long number, boolean byHand, List<Step> steps) {
        history.write(What.BEGUN, number, tasks.nowMillis(), List.of());
        try {
            if (byHand) {
                try (Transaction tx = store.begin()) {
                    run(tx, history, number, steps);
                    tx.commit();
                }
            } else {
                store.transact(tx -> {
                    run(tx, history, number, steps);
                    return true;
                });
            }
            return What.OK;
        } catch (ConflictException | UnavailableException nothing) {
            return What.FAILED;
        } catch (OutcomeUnknownException e) {
            return What.UNKNOWN;
        }
    }

    private void run(Transaction tx, ListHistory history, long number, List<Step> steps) {
        List<Step> done = new ArrayList<>();
        for (Step step : steps) {
            List<Long> read = lists.read(tx, step.list());
            if (step.appended() != 0) {
                lists.append(tx, step.list(), read, step.appended());
            }
            done.add(new Step(step.list(), read, step.appended()));
        }
        history.write(What.DONE, number, tasks.nowMillis(), done);
    }
}
