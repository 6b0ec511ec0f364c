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
 * What a client knows of its ATOMIC queue: the transactions that are forwarded and not yet deleted there. When the
 * client goes on under another identity, what is left in the queue of the old one is for others to look after. Not safe
 * for use by many threads.
 */
final class Undeleted {
    /** Each with the parts that were deleted. */
    private final Map<Stamp, Set<Integer>> transactions = new HashMap<>();

    private @Nullable Identity owner;

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
