package io.penstock.bench.experiment.kills;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.Transaction;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.process.Orders;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A process that writes one transaction after another until it is killed or ordered to stop. */
final class KillWriter {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /**
     * The pause between two transactions. Writers without one saturate LocalStack, which is one Python process: then
     * nobody's reads are answered in time, and each client that comes back waits long for a queue without messages.
     */
    private static final Duration PACE = Duration.ofMillis(100);

    /** The pause after a transaction that the servers refused. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /**
     * The job of a writer, as the first line of its input. A second line, of any content, stops it.
     *
     * @param name of the client; empty: none
     */
    record Job(
            AwsServers servers,
            String prefix,
            ConsistencyLevel level,
            KillPlan.Source source,
            long writer,
            String name,
            String journal) {
        String toJson() {
            try {
                return MAPPER.writeValueAsString(this);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("a plain record cannot be written as json", e);
            }
        }

        static Job parse(String json) {
            try {
                return MAPPER.readValue(json, Job.class);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("the first line is not a job", e);
            }
        }
    }

    private final Job job;
    private final Orders orders;
    private final Tasks tasks = new ThreadTasks();

    private KillWriter(Job job, Orders orders) {
        this.job = job;
        this.orders = orders;
    }

    /** Takes no arguments. */
    public static void main(String[] arguments) {
        Orders orders = Orders.from(System.in);
        new KillWriter(Job.parse(orders.next()), orders).run();
        System.exit(0);
    }

    private void run() {
        try (Journal journal = new Journal(Path.of(job.journal));
                AwsServers.Connection connection = job.servers.connect(tasks)) {
            Settings settings = Settings.on(connection.objects(), connection.queues(), tasks);
            Settings tuned = KillStore.tune(settings.prefix(job.prefix), job.level);
            try (Penstock store = Penstock.open(job.name.isEmpty() ? tuned : tuned.clientName(job.name))) {
                KillStore records = KillStore.open(store);
                for (long number = 1; !orders.any(); number++) {
                    write(journal, store, records, number);
                    tasks.sleep(PACE);
                }
            }
        }
    }

    private void write(Journal journal, Penstock store, KillStore records, long number) {
        KillPlan plan = KillPlan.draw(job.source, new Writing(job.writer, number));
        journal.begun(number);
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
                journal.struck(number);
            }
        }
        stamp.ifPresent(told -> journal.acknowledged(number, told));
        failure.ifPresent(e -> failed(journal, number, e));
    }

    /** Unless the failure says that nothing was committed, it may be there whole, or not at all, as after a kill. */
    private void failed(Journal journal, long number, StoreException e) {
        if (e instanceof UnavailableException) {
            journal.toldNothing(number);
        }
        System.err.println("writer=" + job.writer + " number=" + number + " " + e.getMessage());
        tasks.sleep(PAUSE);
    }
}
