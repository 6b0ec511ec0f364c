package io.penstock.commit.simulation.promise;

import io.penstock.commit.simulation.History;
import java.util.function.Predicate;

/**
 * The sessions whose order of writes others can see: if all records share one page and one queue, a reader that sees
 * the later of two writes must see the earlier as well.
 *
 * @param isSeen whether all records of the run share one page and one queue
 * @param surelyLives whether the client of a session cannot have been taken for dead, and had no failed send
 */
public record Order(boolean isSeen, Predicate<String> surelyLives) {
    /** The order of runs in which others cannot see it. */
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
