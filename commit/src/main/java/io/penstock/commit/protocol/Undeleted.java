package io.penstock.commit.protocol;

import io.penstock.commit.client.Identity;
import io.penstock.core.Stamp;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that are forwarded and not yet deleted in a client's ATOMIC queue, as far as the client knows. When
 * the client goes on under another identity, what is left in the queue of the old one is for others to look after. Not
 * safe for use by many threads.
 */
final class Undeleted {
    /** Rounds without a new commit after which the few that are forwarded are deleted too. */
    private static final int IDLE_ROUNDS = 10;

    /** Each with the parts that were deleted. */
    private final Map<Stamp, Set<Integer>> transactions = new HashMap<>();

    private @Nullable Identity owner;
    private int seen;
    private int idleRounds;
    private int idleRoundsMin = IDLE_ROUNDS;

    private void follow(Identity latest) {
        if (owner != latest && !latest.isOver()) {
            owner = latest;
            transactions.clear();
        }
    }

    /** The identity whose queue it is; empty when there is none, or not any more. */
    Optional<Identity> owner() {
        Identity known = owner;
        return known == null || known.isOver() ? Optional.empty() : Optional.of(known);
    }

    void add(Stamp transaction, Identity sentTo) {
        follow(sentTo);
        if (owner == sentTo) {
            transactions.put(transaction, new HashSet<>());
        }
    }

    /**
     * Whether it is time to delete messages: when many are forwarded, or a few and no commit came for a while, so that
     * a store at rest has no backlog. To be asked once a round.
     *
     * @param quiet whether nothing is being committed or forwarded
     * @param many the number that is enough
     */
    boolean isWorthwhile(boolean quiet, int many) {
        boolean idle = quiet && transactions.size() == seen;
        seen = transactions.size();
        idleRounds = idle ? idleRounds + 1 : 0;
        idleRoundsMin = idle ? idleRoundsMin : IDLE_ROUNDS;
        if (transactions.size() >= many) {
            return true;
        }
        boolean due = !transactions.isEmpty() && idleRounds >= idleRoundsMin;
        if (due) {
            idleRoundsMin *= 2; // what does not show for long is asked for less and less
        }
        return due;
    }

    void deleted(Set<AtomicAssembly.PartId> gone) {
        for (AtomicAssembly.PartId part : gone) {
            Set<Integer> parts = transactions.get(part.stamp());
            if (parts != null && parts.add(part.index()) && parts.size() == part.count()) {
                transactions.remove(part.stamp());
            }
        }
    }

    void forget(Predicate<Stamp> which) {
        transactions.keySet().removeIf(which);
    }

    List<Stamp> stamps() {
        return List.copyOf(transactions.keySet());
    }

    boolean contains(Stamp transaction) {
        return transactions.containsKey(transaction);
    }

    int size() {
        return transactions.size();
    }

    boolean isEmpty() {
        return transactions.isEmpty();
    }
}
