package io.penstock.bench.tpcw.comparison;

import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.bench.tpcw.bookstore.Purchase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The purchases of all clients, and their outcomes. Told by many threads, read by one when they have ended. */
final class Tally implements Consumer<SessionEvent> {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<SessionEvent.Bought> acknowledged = new ArrayList<>();
    private final List<Purchase> unknown = new ArrayList<>();
    private long failures;

    @Override
    public void accept(SessionEvent event) {
        lock.lock();
        try {
            switch (event) {
                case SessionEvent.Bought bought -> acknowledged.add(bought);
                case SessionEvent.PerhapsBought perhaps -> unknown.add(perhaps.purchase());
                case SessionEvent.Failed failure -> failures++;
                case SessionEvent other ->
                    throw new IllegalStateException(
                            "no shopper tells this: " + other.getClass().getSimpleName());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The duration of each acknowledged purchase, retries included. */
    List<Long> nanos() {
        return acknowledged.stream()
                .map(bought -> bought.nanos() - bought.startNanos())
                .toList();
    }

    List<SessionEvent.Bought> acknowledged() {
        return acknowledged;
    }

    /** Purchases that may have been committed, or not. */
    List<Purchase> unknown() {
        return unknown;
    }

    /** The number of purchases given up. */
    long failures() {
        return failures;
    }
}
