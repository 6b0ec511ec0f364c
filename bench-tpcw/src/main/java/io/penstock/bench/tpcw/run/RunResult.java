package io.penstock.bench.tpcw.run;

import io.penstock.bench.tpcw.bookstore.InteractionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of a run.
 *
 * @param answers within the measurement interval; as is the bill
 * @param stored the storage that the shop takes in the object store
 * @param pendingAtEnd messages still in queues after quiescence
 * @param violations of the trees, one line each
 */
public record RunResult(
        RunPlan plan,
        Answers.Tally answers,
        Farm.Bill bill,
        Anomalies anomalies,
        Stored stored,
        long pendingAtEnd,
        List<String> violations) {
    /**
     * Bytes of pages and large payloads. The commit log is not among them: it is trimmed.
     *
     * @param filled before the first browser
     * @param atEnd when nothing is pending any more
     */
    public record Stored(long filled, long atEnd) {}

    /** Bytes that an interaction adds to what is stored, on average. */
    public double growthPerInteraction() {
        double seconds =
                plan.browsing().rampUp().plus(plan.browsing().measured()).toSeconds();
        return Math.max(0, stored.atEnd - stored.filled) / Math.max(1, rate() * seconds);
    }

    /** Web interactions per second: WIPS, WIPSb or WIPSo. */
    public double rate() {
        return answers.interactions() * 1e9 / plan.browsing().measured().toNanos();
    }

    public CostModel.Split costPer1000() {
        return new CostModel(plan.prices()).per1000(bill.transaction(), bill.checkpoint(), answers.interactions());
    }

    /**
     * Returns whether there were answers, the store ended with nothing pending and every tree valid, and nobody met an
     * anomaly where the level isolates.
     */
    public boolean clean() {
        boolean isKept = anomalies.total() == 0 || !plan.level().isolates();
        return pendingAtEnd == 0 && violations.isEmpty() && answers.interactions() > 0 && isKept;
    }

    /** Returns the reasons for which this is no valid run of TPC-W, one line each; none if it is one. */
    public List<String> objections() {
        List<String> objections = new ArrayList<>();
        double low = plan.browsing().browsers() / 14.0;
        double high = plan.browsing().browsers() / 7.0;
        if (rate() <= low || rate() >= high) {
            objections.add(String.format(
                    Locale.ROOT,
                    "%s %.3f is not between %.3f and %.3f",
                    plan.browsing().mix().rateName(),
                    rate(),
                    low,
                    high));
        }
        answers.pages().forEach((kind, answered) -> {
            if (answered.seconds().p90() > kind.limit().toSeconds()) {
                objections.add(kind.title() + " takes too long");
            }
        });
        for (InteractionKind kind : InteractionKind.values()) {
            if (!answers.pages().containsKey(kind)) {
                objections.add(kind.title() + " never happened; measure longer");
            }
        }
        if (answers.failed() + answers.unknown() + answers.refused() > 0) {
            objections.add("some requests got no page, or were refused");
        }
        if (!clean()) {
            objections.add("the store is not sound, or something is still pending");
        }
        return objections;
    }
}
