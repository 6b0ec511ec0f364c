package io.penstock.bench.tpcw.figures;

import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.List;

/** The purchases of one client, or of all together, and their outcomes. For one thread. */
public final class Tally {
    /** A purchase that the store has acknowledged, with the stamp of its log records. */
    public record Acknowledged(Purchase purchase, Stamp stamp) {}

    private final List<Long> nanos = new ArrayList<>();
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final List<Purchase> unknown = new ArrayList<>();
    private long failed;

    public void acknowledged(Purchase purchase, Stamp stamp, long tookNanos) {
        acknowledged.add(new Acknowledged(purchase, stamp));
        nanos.add(tookNanos);
    }

    public void unknown(Purchase purchase) {
        unknown.add(purchase);
    }

    public void failed() {
        failed(1);
    }

    public void failed(long more) {
        failed += more;
    }

    public void add(Tally other) {
        nanos.addAll(other.nanos);
        acknowledged.addAll(other.acknowledged);
        unknown.addAll(other.unknown);
        failed += other.failed;
    }

    /** The duration of each acknowledged purchase, retries included. */
    public List<Long> nanos() {
        return nanos;
    }

    public List<Acknowledged> acknowledged() {
        return acknowledged;
    }

    /** Purchases that may have been committed, or not. */
    public List<Purchase> unknown() {
        return unknown;
    }

    /** The number of purchases given up. */
    public long failures() {
        return failed;
    }
}
