package io.penstock.bench.tpcw.comparison;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.figures.Tally;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Clients of one process, each on a machine of its own, from the opening of their stores to the closing. Usage is
 * counted between the two. For one thread.
 */
final class Shoppers {
    /** A range of a scenario's clients: {@code count} from number {@code first} on. */
    record Range(int first, int count) {}

    private final Scenario scenario;
    private final Range range;
    private final List<Machine> machines = new ArrayList<>();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<Shopper> shoppers;
    private final Usage transactionBefore;
    private final Usage checkpointBefore;

    /** Opens the stores, all at once. */
    Shoppers(Venue.Site site, Scenario scenario, ConsistencyLevel level, Range range) {
        this.scenario = scenario;
        this.range = range;
        for (int i = 0; i < range.count; i++) {
            machines.add(site.machine("client-" + (range.first + i)));
        }
        shoppers = onEach(i -> open(machines.get(i), level));
        transactionBefore = Usage.read(meters, Usage.TRANSACTION);
        checkpointBefore = Usage.read(meters, Usage.CHECKPOINT);
    }

    private Shopper open(Machine machine, ConsistencyLevel level) {
        Settings settings = scenario.tune(machine.settings(), level).meters(meters);
        return new Shopper(Penstock.open(settings), machine.tasks());
    }

    /** Makes all purchases of these clients; returns the usage that their callers waited for. */
    Shift shop(Progress progress) {
        Population population = scenario.population();
        List<Tally> tallies = onEach(i -> shoppers.get(i).shop(population, scenario.load(), range.first + i, progress));
        Tally tally = new Tally();
        tallies.forEach(tally::add);
        Usage transaction = Usage.read(meters, Usage.TRANSACTION).minus(transactionBefore);
        return new Shift(tally, transaction, Usage.NONE, List.of());
    }

    /** Closes the stores; returns the usage apart from transactions, and any errors. */
    Shift close() {
        List<String> notes = new ArrayList<>(onEach(i -> close(shoppers.get(i))));
        notes.removeIf(String::isEmpty);
        Usage checkpoint = Usage.read(meters, Usage.CHECKPOINT).minus(checkpointBefore);
        return new Shift(new Tally(), Usage.NONE, checkpoint, notes);
    }

    /** The error, or nothing. A store that could not drain in time is still verified. */
    private static String close(Shopper shopper) {
        try {
            shopper.close();
            return "";
        } catch (StoreException e) {
            return "close: " + e.getMessage();
        }
    }

    @FunctionalInterface
    private interface OfClient<T> {
        T apply(int client);
    }

    /** Runs {@code work} on all machines at once, each with its own tasks. */
    private <T> List<T> onEach(OfClient<T> work) {
        List<Task<T>> running = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            int client = i;
            Supplier<T> body = () -> work.apply(client);
            running.add(machines.get(i).tasks().fork("client-" + client, body));
        }
        return running.stream().map(Task::join).toList();
    }
}
