package io.penstock.commit.session;

import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.commit.queue.Position;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The state that a session brings along from another client.
 *
 * @param own its log records there that may not be on pages yet, with room taken for them
 * @param awaited the places of those that may not be
 * @param pagesNanos the time as of which pages must have been read
 * @param domains that it has used
 * @param beforeWriting called before a commit that would overtake what is at these places; returns when it would not,
 *     or throws
 */
public record ImportedSession(
        List<StampedTransaction> own,
        List<Position> awaited,
        long pagesNanos,
        Set<String> domains,
        Consumer<List<Position>> beforeWriting) {
    /** Whether the session misses nothing: it has itself what pages may lack. */
    boolean isWhole() {
        return awaited.isEmpty() || !own.isEmpty();
    }
}
