package io.penstock.bench.tpcw.run;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Clients that make the purchases of a run, one after the other, as threads of this process, each on a machine of its
 * own.
 */
final class Shoppers implements Farm {
    /** The number of attempts before a purchase is given up. */
    private static final int ATTEMPTS_MAX = 8;

    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    private final RunPlan.Buying load;
    private final Population population;
    private final Consumer<SessionEvent> witness;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<Shopper> shoppers;
    private final Bill opened;
    private Bill worked;

    /** Opens the stores, all at once. */
    Shoppers(RunPlan plan, Venue.Site site, Share share, Consumer<SessionEvent> witness) {
        this.load = plan.buying();
        this.population = plan.population();
        this.witness = witness;
        List<Task<Shopper>> opening = new ArrayList<>();
        for (int number = 0; number < load.clients(); number++) {
            if (share.has(number)) {
                int client = number;
                Machine machine = site.machine(name(client));
                opening.add(machine.tasks().fork(name(client), () -> new Shopper(plan, client, machine)));
            }
        }
        shoppers = opening.stream().map(Task::join).toList();
        opened = Bill.of(meters);
        worked = opened;
    }

    private static String name(int client) {
        return "client-" + client;
    }

    /** All purchases, however long they take. */
    @Override
    public Bill work(Interval interval, Progress progress) {
        onEach(Shopper::shop);
        worked = Bill.of(meters);
        return worked.minus(opened);
    }

    /** Drains what is pending. A store that could not in time is still verified. */
    @Override
    public Closing finish() {
        List<String> notes = new ArrayList<>(onEach(Shopper::close));
        notes.removeIf(String::isEmpty);
        return new Closing(Bill.of(meters).minus(worked).checkpoint(), notes);
    }

    /** Does nothing: a store that drains where the run has failed would only take long. */
    @Override
    public void close() {}

    /** Runs {@code work} of all at once, each with its own tasks. */
    private <T> List<T> onEach(Function<Shopper, T> work) {
        List<Task<T>> running = new ArrayList<>();
        for (Shopper shopper : shoppers) {
            running.add(shopper.machine.tasks().fork(name(shopper.client), () -> work.apply(shopper)));
        }
        return running.stream().map(Task::join).toList();
    }

    /** One client. For one thread. */
    private final class Shopper {
        private final int client;
        private final Machine machine;
        private final Penstock store;
        private final Bookstore bookstore;

        Shopper(RunPlan plan, int client, Machine machine) {
            this.client = client;
            this.machine = machine;
            store = Penstock.open(plan.tune(machine.settings()).meters(meters));
            bookstore = Bookstore.open(store);
        }

        /** Makes all of its purchases. */
        boolean shop() {
            for (int number = 0; number < load.transactionsOf(client); number++) {
                buy(PurchasePlan.draw(population, client, load.clients(), number));
                if (load.thinkTime().isPositive()) {
                    machine.tasks().sleep(load.thinkTime());
                }
            }
            return true;
        }

        private void buy(PurchasePlan plan) {
            long start = machine.tasks().nanoTime();
            for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
                if (attempt(plan, start)) {
                    return;
                }
                machine.tasks().sleep(RETRY_PAUSE.multipliedBy(attempt));
            }
            tell(machine.tasks().nanoTime(), new SessionEvent.Failed());
        }

        /** Returns whether the purchase is over: committed, or of unknown outcome. */
        private boolean attempt(PurchasePlan plan, long start) {
            Purchase[] purchase = {null};
            try {
                Stamp stamp = store.transact(tx -> {
                    purchase[0] = Purchase.make(tx, bookstore, plan);
                    return tx.commit();
                });
                long now = machine.tasks().nanoTime();
                tell(now, new SessionEvent.Bought(now - start, purchase[0], stamp));
                return true;
            } catch (ConflictException | UnavailableException retry) {
                return false;
            } catch (OutcomeUnknownException unknown) {
                if (purchase[0] == null) {
                    throw unknown; // of a read: only a commit can have an unknown outcome
                }
                tell(machine.tasks().nanoTime(), new SessionEvent.PerhapsBought(purchase[0]));
                return true;
            }
        }

        private void tell(long nanos, SessionEvent.Fact fact) {
            witness.accept(new SessionEvent(nanos, fact));
        }

        /** Drains the pending messages of this client; returns the error, or nothing. */
        String close() {
            try {
                store.close();
                return "";
            } catch (StoreException e) {
                return "close: " + e.getMessage();
            }
        }
    }
}
