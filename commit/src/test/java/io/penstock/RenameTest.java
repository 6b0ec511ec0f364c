package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Collections that are renamed beside clients that have them open. */
class RenameTest {
    private static final Duration NOTICED = Duration.ofSeconds(61);

    private static RecordCollection<String, String> named(Penstock store, String name) {
        RecordCollection<String, String> found = store.collection(name, Keys.string(), Json.of(String.class));
        var unused = found.index("by-value", Keys.string(), value -> value);
        return found;
    }

    private static Map<String, String> content(RecordCollection<String, String> collection) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = collection.scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private static Penstock open(SimulatedStore cloud, String machine, ConsistencyLevel level) {
        return Penstock.open(cloud.settings(machine).level(level));
    }

    /** An application whose programs know one name or the other, as while a new release comes in. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAIVE") // of which two clients overwrite each other's records
    void clientsOfTheOldNameAndOfTheNewOneShareOneCollection(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", level);
                    Penstock other = open(cloud, "b", level)) {
                RecordCollection<String, String> old = named(store, "old");
                RecordCollection<String, String> open = named(other, "old");
                old.put("k1", "before");
                open.put("k2", "before, pending");
                store.admin().rename("old", "new");
                store.admin().rename("old", "new");
                old.put("k3", "after");
                open.put("k4", "after, not noticed");
                cloud.sleep(NOTICED);
                open.put("k5", "noticed");
                named(other, "new").put("k6", "by the new name");
                SimulatedStore.settle(store, cloud.machine("main"));
                cloud.sleep(NOTICED);
                for (Penstock each : new Penstock[] {store, other}) {
                    assertThat(content(named(each, "new")))
                            .containsOnlyKeys("k1", "k2", "k3", "k4", "k5", "k6")
                            .isEqualTo(content(named(each, "old")));
                    assertThat(each.collections()).containsExactly("new");
                    assertThat(each.admin().verify().violations()).isEmpty();
                }
                cloud.sleep(Duration.ofHours(3));
                var unused = store.admin().removeGarbage(Duration.ofHours(1));
                assertThat(content(named(store, "old"))).hasSize(6);
            }
        });
    }

    /** Whoever wants to replace a collection fills another one, and gives it the name. */
    @Test
    void aCollectionTakesThePlaceOfAnother() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            try (Penstock store = open(cloud, "a", ConsistencyLevel.ATOMIC);
                    Penstock other = open(cloud, "b", ConsistencyLevel.ATOMIC)) {
                named(store, "orders").put("k", "old");
                RecordCollection<String, String> seen = named(other, "orders");
                assertThat(seen.get("k")).isEmpty();
                named(store, "orders-2").put("k", "new");
                assertThatThrownBy(() -> store.admin().rename("orders-2", "orders"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.ALREADY_EXISTS));
                store.admin().rename("orders", "orders-before");
                store.admin().rename("orders-2", "orders");
                cloud.sleep(NOTICED);
                SimulatedStore.settle(store, cloud.machine("main"));
                assertThat(seen.get("k")).contains("new");
                assertThat(content(named(other, "orders-before"))).containsEntry("k", "old");
                assertThat(store.collections()).containsExactly("orders", "orders-before");
                store.admin().drop("orders-before");
                assertThat(content(named(store, "orders"))).containsEntry("k", "new");
            }
        });
    }

    /** One who renames dies at any of its calls; another one does it again, or goes on with the old name. */
    @Test
    void aCrashAtAnyCallLosesNothing() {
        for (int call = 1; call <= 24; call++) {
            for (boolean again : new boolean[] {false, true}) {
                new CrashRun(call, again).run();
            }
        }
    }

    private record CrashRun(int call, boolean again) {
        void run() {
            SimulatedStore simulated = new SimulatedStore(call, World.CALM);
            simulated.run(cloud -> {
                try (Penstock store = open(cloud, "lives", ConsistencyLevel.ATOMIC)) {
                    named(store, "old").put("k", "v");
                    dieAsItRenames(cloud);
                    if (again) {
                        store.admin().rename("old", "new");
                    }
                    named(store, "old").put("k2", "v");
                    cloud.sleep(NOTICED);
                    SimulatedStore.settle(store, cloud.machine("main"));
                    assertThat(content(named(store, "old"))).as("call %s", call).containsOnlyKeys("k", "k2");
                    assertThat(store.collections()).hasSize(1);
                    assertThat(store.admin().verify().violations()).isEmpty();
                    if (again) {
                        assertThat(content(named(store, "new"))).containsOnlyKeys("k", "k2");
                        assertThat(store.collections()).containsExactly("new");
                    }
                }
            });
        }

        private void dieAsItRenames(SimulatedStore cloud) {
            Penstock dies = open(cloud, "dies", ConsistencyLevel.ATOMIC);
            AtomicInteger calls = new AtomicInteger();
            cloud.cloud.watch((step, client, what, on, outcome) -> {
                if (client.name().equals("dies")
                        && step == (call % 2 == 0 ? CallWatcher.Step.DONE : CallWatcher.Step.BEGINS)
                        && calls.incrementAndGet() == (call + 1) / 2) {
                    client.crash();
                }
            });
            try {
                cloud.machine("dies")
                        .fork("rename", () -> {
                            dies.admin().rename("old", "new");
                            return true;
                        })
                        .join();
            } catch (RuntimeException died) {
                assertThat(died).isInstanceOf(CrashedException.class);
            }
        }
    }
}
