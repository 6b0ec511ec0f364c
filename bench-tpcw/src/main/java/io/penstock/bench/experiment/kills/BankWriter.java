package io.penstock.bench.experiment.kills;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.Penstock;
import io.penstock.Transaction;
import io.penstock.bench.process.Orders;
import io.penstock.core.ConflictException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that moves money between accounts, and looks at the sum, until it is killed or ordered to stop. */
final class BankWriter {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Threads of a process; each is a writer of its own. */
    static final int THREADS = 4;

    private static final int LOOK_EVERY = 4;
    private static final Duration PACE = Duration.ofMillis(20);
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** The exit code of a process that has seen a wrong sum. */
    private static final int WRONG = 7;

    /**
     * The job of a process, as the first line of its input. A second line, of any content, stops it.
     *
     * @param process from 1
     * @param directory for journals
     */
    record Job(BankPlace place, long seed, long process, String directory) {
        String toJson() {
            try {
                return MAPPER.writeValueAsString(this);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("a plain record cannot be written as json", e);
            }
        }

        long writer(int thread) {
            return process * THREADS + thread;
        }

        Path journal(int thread) {
            return Path.of(directory, "writer-" + writer(thread) + ".journal");
        }
    }

    private final Job job;
    private final Orders orders;
    private final Tasks tasks = new ThreadTasks();

    private BankWriter(Job job, Orders orders) {
        this.job = job;
        this.orders = orders;
    }

    /** Takes no arguments. */
    public static void main(String[] arguments) throws JsonProcessingException {
        Orders orders = Orders.from(System.in);
        Job job = MAPPER.readValue(orders.next(), Job.class);
        new BankWriter(job, orders).run();
        System.exit(0);
    }

    private void run() {
        job.place.use(tasks, store -> {
            Bank bank = Bank.open(store);
            look(store, bank);
            List<Task<Boolean>> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                threads.add(tasks.start("bank", () -> work(store, bank, thread)));
            }
            threads.forEach(Task::join);
        });
    }

    private void work(Penstock store, Bank bank, int thread) {
        try (Journal journal = new Journal(job.journal(thread))) {
            for (long number = 1; !orders.any(); number++) {
                transfer(store, bank, journal, new Writing(job.writer(thread), number));
                if (number % LOOK_EVERY == 0) {
                    look(store, bank);
                }
                tasks.sleep(PACE);
            }
        }
    }

    private void transfer(Penstock store, Bank bank, Journal journal, Writing writing) {
        journal.begun(writing.number());
        try (Transaction tx = store.begin()) {
            bank.transfer(tx, writing, Bank.Transfer.draw(job.seed, writing));
            journal.acknowledged(writing.number(), tx.commit());
        } catch (ConflictException | UnavailableException nothing) {
            journal.toldNothing(writing.number());
            tasks.sleep(PAUSE);
        } catch (StoreException unknown) {
            tasks.sleep(PAUSE);
        }
    }

    private void look(Penstock store, Bank bank) {
        String wrong;
        try {
            wrong = store.read(bank::wrongSum);
        } catch (ConflictException | UnavailableException later) {
            return; // the servers are busy: nothing was seen
        }
        if (!wrong.isEmpty()) {
            System.err.println(wrong);
            Runtime.getRuntime().halt(WRONG);
        }
    }
}
