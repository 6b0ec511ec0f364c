package io.penstock.bench.tpcw.comparison;

import io.penstock.Penstock;
import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client that makes its purchases one after the other. For one thread. */
final class Shopper {
    /** The number of attempts before a purchase is given up. */
    private static final int ATTEMPTS_MAX = 8;

    private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    private final Penstock store;
    private final Bookstore bookstore;
    private final Tasks tasks;
    private final Consumer<SessionEvent> witness;

    Shopper(Penstock store, Tasks tasks, Consumer<SessionEvent> witness) {
        this.store = store;
        this.bookstore = Bookstore.open(store);
        this.tasks = tasks;
        this.witness = witness;
    }

    /** Makes all purchases of {@code client} (from 0). */
    boolean shop(Population population, Scenario.Load load, int client) {
        for (int number = 0; number < load.transactionsOf(client); number++) {
            buy(PurchasePlan.draw(population, client, load.clients(), number));
            if (load.thinkTime().isPositive()) {
                tasks.sleep(load.thinkTime());
            }
        }
        return true;
    }

    private void buy(PurchasePlan plan) {
        long start = tasks.nanoTime();
        for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
            if (attempt(plan, start)) {
                return;
            }
            tasks.sleep(RETRY_PAUSE.multipliedBy(attempt));
        }
        witness.accept(new SessionEvent.Failed(tasks.nanoTime()));
    }

    /** Returns whether the purchase is over: committed, or of unknown outcome. */
    private boolean attempt(PurchasePlan plan, long start) {
        Purchase[] purchase = {null};
        try {
            Stamp stamp = store.transact(tx -> {
                purchase[0] = Purchase.make(tx, bookstore, plan);
                return tx.commit();
            });
            witness.accept(new SessionEvent.Bought(start, tasks.nanoTime(), purchase[0], stamp));
            return true;
        } catch (ConflictException | UnavailableException retry) {
            return false;
        } catch (OutcomeUnknownException unknown) {
            return unknown(purchase[0], unknown);
        }
    }

    /** Handles an unknown outcome, which only a commit can have; that of a read is rethrown. */
    private boolean unknown(@Nullable Purchase purchase, StoreException cause) {
        if (purchase == null) {
            throw cause;
        }
        witness.accept(new SessionEvent.PerhapsBought(tasks.nanoTime(), purchase));
        return true;
    }

    /** Drains the pending messages of this client. */
    void close() {
        store.close();
    }
}
