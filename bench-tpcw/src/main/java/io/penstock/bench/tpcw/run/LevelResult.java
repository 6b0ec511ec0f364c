package io.penstock.bench.tpcw.run;

import io.penstock.ConsistencyLevel;
import java.util.List;

/**
 * The result of one level.
 *
 * @param transactions acknowledged ones; the figures below are theirs
 * @param failed given up after retries, with nothing committed
 * @param unknown transactions of unknown outcome
 * @param transaction used while callers waited
 * @param checkpoint used apart from that, the closing drain included
 * @param lostUpdates acknowledged log records that should be in the final state and are not
 * @param lostStockUpdates acknowledged stock updates that a later one did not build on
 * @param pendingAtEnd messages still in queues after quiescence
 * @param violations of the trees, one line each
 * @param notes other faults, one line each
 */
public record LevelResult(
        RunPlan plan,
        long transactions,
        long failed,
        long unknown,
        Latencies seconds,
        Usage transaction,
        Usage checkpoint,
        long lostUpdates,
        long lostStockUpdates,
        long pendingAtEnd,
        List<String> violations,
        List<String> notes) {
    public ConsistencyLevel level() {
        return plan.level();
    }

    /**
     * Returns whether something was committed, and the store ended with nothing pending, every tree valid, and all
     * that the level promises: acknowledged writes from BASIC on, no lost update from SNAPSHOT on.
     */
    public boolean clean() {
        boolean isKept = (lostUpdates == 0 || level() == ConsistencyLevel.NAIVE)
                && (lostStockUpdates == 0 || !level().isolates());
        return pendingAtEnd == 0 && violations.isEmpty() && transactions > 0 && isKept;
    }

    public Usage usage() {
        return transaction.plus(checkpoint);
    }

    public CostModel.Split costPer1000(CostModel model) {
        return model.per1000(transaction, checkpoint, transactions);
    }
}
