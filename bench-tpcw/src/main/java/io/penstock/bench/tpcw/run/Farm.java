package io.penstock.bench.tpcw.run;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.bench.program.Progress;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The clients of a run, with their stores. For one thread. */
public interface Farm extends AutoCloseable {
    /** One process of several: it has every so manieth client. */
    record Share(int process, int processes) {
        static final Share ALL = new Share(0, 1);

        public boolean has(int client) {
            return client % processes == process;
        }
    }

    /** The usage that the servers of the store bill. */
    record Bill(Usage transaction, Usage checkpoint) {
        public static Bill of(MeterRegistry meters) {
            return new Bill(Usage.read(meters, Usage.TRANSACTION), Usage.read(meters, Usage.CHECKPOINT));
        }

        /** The usage of both. */
        public Usage all() {
            return transaction.plus(checkpoint);
        }

        Bill plus(Bill other) {
            return new Bill(transaction.plus(other.transaction), checkpoint.plus(other.checkpoint));
        }

        public Bill minus(Bill other) {
            return new Bill(transaction.minus(other.transaction), checkpoint.minus(other.checkpoint));
        }
    }

    /**
     * The closing of the stores.
     *
     * @param checkpoint the usage of the closing
     * @param notes the faults, one line each
     */
    record Closing(Usage checkpoint, List<String> notes) {
        public static final Closing NONE = new Closing(Usage.NONE, List.of());

        Closing plus(Closing other) {
            List<String> all = new ArrayList<>(notes);
            all.addAll(other.notes);
            return new Closing(checkpoint.plus(other.checkpoint), List.copyOf(all));
        }
    }

    /** Opens all clients of a site: threads of this process, or processes. */
    static Farm open(RunPlan plan, Venue.Site site, Tasks clock, Consumer<SessionEvent> witness) {
        return site.remote()
                .<Farm>map(remote -> new ProcessFarm(plan, remote, clock, witness))
                .orElseGet(() -> plan.open(site, Share.ALL, witness));
    }

    /**
     * Lets the clients work, from now until they are done; returns the bill of the measurement interval.
     *
     * @param interval by the clock of the driver
     */
    Bill work(Interval interval, Progress progress);

    /** Closes the stores in order. */
    Closing finish();

    /** Ends what is left of a run that has failed. */
    @Override
    void close();

    /** The measurement interval. */
    record Interval(long fromNanos, long toNanos) {
        private static final Duration TICK = Duration.ofSeconds(1);

        /** The interval that begins then. */
        public static Interval of(RunPlan plan, long fromNanos) {
            return new Interval(fromNanos, fromNanos + plan.load().measured().toNanos());
        }

        /** Waits for a moment, with a step of progress each second. */
        public static void await(Tasks clock, long nanos, Progress progress) {
            for (long left = nanos - clock.nanoTime(); left > 0; left = nanos - clock.nanoTime()) {
                clock.sleep(Duration.ofNanos(Math.min(left, TICK.toNanos())));
                progress.advance(1);
            }
        }
    }
}
