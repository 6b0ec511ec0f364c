package io.penstock.bench.tpcw.comparison;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.farm.Farm;
import io.penstock.bench.tpcw.farm.Machine;
import io.penstock.bench.tpcw.farm.Venue;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Clients that make the purchases of a level, as threads of this process, each on a machine of its own. */
final class Shoppers implements Farm {
    private final LevelPlan plan;
    private final List<Integer> numbers;
    private final List<Machine> machines;
    private final List<Shopper> shoppers;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Bill opened;
    private Bill worked;

    /** Opens the stores, all at once. */
    Shoppers(LevelPlan plan, Venue.Site site, Share share, Consumer<SessionEvent> witness) {
        this.plan = plan;
        int clients = plan.scenario().load().clients();
        numbers = IntStream.range(0, clients).filter(share::has).boxed().toList();
        machines = numbers.stream().map(client -> site.machine(name(client))).toList();
        shoppers = onEach(i -> open(machines.get(i), witness));
        opened = Bill.of(meters);
        worked = opened;
    }

    private static String name(int client) {
        return "client-" + client;
    }

    private Shopper open(Machine machine, Consumer<SessionEvent> witness) {
        Penstock store = Penstock.open(
                plan.scenario().tune(machine.settings(), plan.level()).meters(meters));
        return new Shopper(store, machine.tasks(), witness);
    }

    /** All purchases, however long they take. */
    @Override
    public Bill work(Interval interval, Progress progress) {
        Population population = plan.scenario().population();
        onEach(i -> shoppers.get(i).shop(population, plan.scenario().load(), numbers.get(i)));
        worked = Bill.of(meters);
        return worked.minus(opened);
    }

    /** Drains what is pending. A store that could not in time is still verified. */
    @Override
    public Closing finish() {
        List<String> notes = new ArrayList<>(onEach(i -> close(shoppers.get(i))));
        notes.removeIf(String::isEmpty);
        return new Closing(Bill.of(meters).minus(worked).checkpoint(), notes);
    }

    /** The error, or nothing. */
    private static String close(Shopper shopper) {
        try {
            shopper.close();
            return "";
        } catch (StoreException e) {
            return "close: " + e.getMessage();
        }
    }

    /** Does nothing: a store that drains where the run has failed would only take long. */
    @Override
    public void close() {}

    /** Runs {@code work} on all machines at once, each with its own tasks. */
    private <T> List<T> onEach(IntFunction<T> work) {
        List<Task<T>> running = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            int client = i;
            running.add(machines.get(i).tasks().fork(name(numbers.get(i)), () -> work.apply(client)));
        }
        return running.stream().map(Task::join).toList();
    }
}
