package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import java.util.function.Predicate;

/**
 * Where the order of writes can be seen by others: where all records share one page and one queue, so that whoever sees
 * the later of two writes must see the earlier as well.
 *
 * @param isSeen whether all records of the run share one page and one queue
 * @param surelyLives sessions whose client nobody can have taken for dead, and that had no failed send
 */
public record Order(boolean isSeen, Predicate<String> surelyLives) {
    /** Where nothing can be told. */
    public static final Order UNSEEN = new Order(false, session -> false);

    /** Whether a session was still at work, and surely alive, when another's transaction ended. */
    boolean livedAfter(Evidence evidence, String session, History.Transaction transaction) {
        boolean ended = transaction.endNanos >= transaction.beginNanos && transaction.endNanos > 0;
        return ended
                && surelyLives.test(session)
                && evidence.transactions().stream()
                        .anyMatch(t -> t.session.equals(session) && t.beginNanos >= transaction.endNanos);
    }
}
