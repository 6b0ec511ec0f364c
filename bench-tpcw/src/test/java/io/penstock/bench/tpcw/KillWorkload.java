package io.penstock.bench.tpcw;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.Transaction;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.bookstore.PurchasePlan;
import io.penstock.bench.tpcw.bookstore.Scale;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What {@link LocalKillTest} kills: makes purchases until it is, and prints {@code ack <number>;} after each one that
 * was acknowledged. Everything that can be cut short happens often: forwarding, checkpoints, splits of small pages.
 */
final class KillWorkload {
    private static final Scale SCALE = new Scale(1, 200);

    private KillWorkload() {}

    static Population population(long seed) {
        return new Population(seed, SCALE);
    }

    static Settings settings(Path directory) {
        return Settings.local(directory)
                .level(ConsistencyLevel.ATOMIC)
                .pageBytes(8 << 10)
                .advanced(advanced -> advanced.forwardInterval(Duration.ofMillis(50)))
                .checkpointInterval(Duration.ofMillis(200))
                .advanced(advanced -> advanced.heartbeatInterval(Duration.ofMillis(200)))
                .deadAfter(Duration.ofSeconds(1))
                .advanced(advanced -> advanced.lease(Duration.ofSeconds(2)));
    }

    /** Arguments: directory, seed, number of the first purchase. */
    public static void main(String[] arguments) {
        Population population = population(Long.parseLong(arguments[1]));
        Penstock store = Penstock.open(settings(Path.of(arguments[0])));
        Bookstore bookstore = Bookstore.open(store);
        for (long number = Long.parseLong(arguments[2]); ; number++) {
            PurchasePlan plan = PurchasePlan.draw(population, 0, 1, number);
            try (Transaction tx = store.begin()) {
                Purchase.make(tx, bookstore, plan);
                tx.commit();
            }
            System.out.println("ack " + number + ";");
            System.out.flush();
        }
    }
}
