package io.penstock.bench.experiment;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.core.ConflictException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Purchases of skewed items by many clients: the n-th most wanted is drawn with a chance of 1/n^0.99. */
final class BuyConfirms {
    private static final long SEED = 1;
    private static final int BROWSERS = 1;
    private static final double SKEW = 0.99;

    private final Population population;
    private final double[] cumulated;
    private final int clients;
    private final Map<Integer, Long> drawn = new HashMap<>();
    private final Map<Penstock, Bookstore> shops = new HashMap<>();

    private BuyConfirms(int items, int clients) {
        this.population = new Population(SEED, new Scale(BROWSERS, items));
        this.clients = clients;
        this.cumulated = new double[items];
        double sum = 0;
        for (int i = 0; i < items; i++) {
            sum += Math.pow(i + 1, -SKEW);
            cumulated[i] = sum;
        }
    }

    /** Measures {@code clients} of one thread each. */
    static Crowd.Result run(int items, int clients, int seconds) {
        BuyConfirms buying = new BuyConfirms(items, clients);
        return VirtualCloud.run(Profile.AWS_2026, cloud -> {
            try (Penstock store =
                    cloud.open(cloud.settings().level(Loader.levelFor(ConsistencyLevel.SERIALIZABLE)), new Meter())) {
                new Loader(store, Bookstore.open(store), rows -> {}).load(buying.population);
            }
            return new Crowd(cloud, cloud.cloud()).measure(clients, 1, seconds, buying::buy);
        });
    }

    private void buy(Penstock store, SimulatedClient machine, int thread) {
        Bookstore shop = shops.computeIfAbsent(store, Bookstore::open);
        long number = drawn.merge(thread, 1L, Long::sum);
        PurchasePlan plan = plan(PurchasePlan.draw(population, thread, clients, number), machine.random());
        while (true) {
            try {
                store.transact(tx -> Purchase.make(tx, shop, plan));
                return;
            } catch (ConflictException tooOften) {
                // The customer tries again; the time counts.
            }
        }
    }

    private PurchasePlan plan(PurchasePlan uniform, RandomGenerator random) {
        List<Long> items = new ArrayList<>();
        while (items.size() < PurchasePlan.SEARCHED) {
            int found = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[cumulated.length - 1]);
            long item = (found < 0 ? -found - 1 : found) + 1L;
            if (!items.contains(item)) {
                items.add(item);
            }
        }
        return new PurchasePlan(
                uniform.orderId(),
                uniform.customerId(),
                items,
                uniform.quantities(),
                uniform.shipType(),
                uniform.comments());
    }
}
