package io.penstock.commit.protocol;

import io.penstock.commit.log.AtomicMessage;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.Receipt;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An adapter with which the protocol model decides by the production code's own assembly of ATOMIC messages. */
public final class RecoveryDecider {
    private RecoveryDecider() {}

    /**
     * The steps that a recovery may take now.
     *
     * @param winners transactions to forward
     * @param deletable the messages of which every transaction is settled
     * @param losers transactions that lack parts
     * @param deletableThen the messages that could be deleted if {@code losers} were given up, which no recovery does
     */
    public record Decision(Set<Stamp> winners, Set<Integer> deletable, Set<Stamp> losers, Set<Integer> deletableThen) {}

    /** @param seen the messages received, by number */
    public static Decision decide(Map<Integer, AtomicMessage> seen, Set<Stamp> settled) {
        AtomicAssembly assembly = assembly(seen, settled);
        Set<Stamp> winners = assembly.winners().stream()
                .map(AtomicAssembly.Winner::stamp)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<Integer> deletable = numbers(assembly.takeDeletable());
        Set<Stamp> losers = new TreeSet<>(assembly.undecided());
        losers.removeAll(winners);
        AtomicAssembly without = assembly(seen, settled);
        losers.forEach(without::settle);
        return new Decision(winners, deletable, losers, numbers(without.takeDeletable()));
    }

    private static AtomicAssembly assembly(Map<Integer, AtomicMessage> seen, Set<Stamp> settled) {
        AtomicAssembly assembly = new AtomicAssembly(Long.MAX_VALUE);
        new TreeMap<>(seen).forEach((number, message) -> {
            String name = String.valueOf(number);
            assembly.add(new Delivery(name, new Receipt(name), Bytes.EMPTY, 0, 1), message);
        });
        settled.forEach(assembly::settle);
        return assembly;
    }

    private static Set<Integer> numbers(List<Receipt> receipts) {
        return receipts.stream()
                .map(receipt -> Integer.valueOf(receipt.handle()))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
