package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.core.ConflictException;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Meters tell how commit logs and conflicts are. */
class LogMetersTest {
    private static RecordCollection<String, String> stock(Penstock store) {
        return store.collection("stock", Keys.string(), Json.of(String.class)).inDomain("shop");
    }

    private static void sell(Penstock store, String key) {
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.put(stock(store), key, "1");
            return true;
        });
    }

    private static double gauge(MeterRegistry meters, String name) {
        return meters.get("penstock.log." + name).gauge().value();
    }

    private static double count(MeterRegistry meters, String name, String... tags) {
        return meters.get("penstock." + name).tags(tags).counter().count();
    }

    @Test
    void ofTheLog() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").checkpointing(false);
            MeterRegistry meters = settings.meters();
            try (Penstock store = Penstock.open(settings)) {
                assertThat(gauge(meters, "segments")).isZero();
                sell(store, "a");
                sell(store, "b");
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(gauge(meters, "segments")).isEqualTo(2);
                assertThat(gauge(meters, "tail.bytes")).isBetween(100.0, 1000.0);
                assertThat(gauge(meters, "horizon.age")).isBetween(60.0, 62.0);
                store.admin().checkpoint();
                assertThat(gauge(meters, "segments")).isZero();
                assertThat(gauge(meters, "horizon.age")).isZero();
            }
        });
    }

    /** By a transaction that is no part of that which the thread is in. */
    private static void sellApart(Penstock store, String item) {
        try (Transaction apart = store.begin(ConsistencyLevel.SERIALIZABLE)) {
            apart.put(stock(store), item, "1");
            apart.commit();
        }
    }

    @Test
    void ofConflicts() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").callBudget(Duration.ofSeconds(2));
            MeterRegistry meters = settings.meters();
            try (Penstock store = Penstock.open(settings)) {
                AtomicInteger runs = new AtomicInteger();
                store.transact(ConsistencyLevel.SNAPSHOT, tx -> {
                    tx.put(stock(store), "a", tx.get(stock(store), "a").orElse("2"));
                    if (runs.incrementAndGet() < 3) {
                        sellApart(store, "a");
                    }
                    return true;
                });
                assertThat(count(meters, "transaction.retries", "level", "SNAPSHOT"))
                        .isEqualTo(2);
                assertThat(count(meters, "conflicts", "collection", "stock", "kind", "KEY"))
                        .isEqualTo(2);
                assertThatThrownBy(() -> store.transact(ConsistencyLevel.SNAPSHOT, tx -> {
                            tx.put(stock(store), "a", tx.get(stock(store), "a").orElseThrow());
                            sellApart(store, "a");
                            return true;
                        }))
                        .isInstanceOf(ConflictException.class);
                assertThat(count(meters, "transaction.aborts", "level", "SNAPSHOT"))
                        .isEqualTo(1);
            }
        });
    }
}
