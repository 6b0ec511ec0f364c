package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The commit log lies in another object store than the pages, with other latencies. */
class LogPlaceTest {
    private static RecordCollection<String, String> stock(Penstock store) {
        return store.collection("stock", Keys.string(), Json.of(String.class)).inDomain("shop");
    }

    private static boolean sell(Penstock store, String key) {
        return store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.put(stock(store), key, "1");
            return true;
        });
    }

    private static SimulatedCloud express(SimulatedStore cloud) {
        return new SimulatedCloud(cloud.simulation, Profile.EXPRESS_2026, World.CALM);
    }

    private static Settings settings(SimulatedStore cloud, SimulatedCloud logs, String machine) {
        return cloud.settings(machine).commitLog(logs.objects(cloud.machine(machine)));
    }

    /** The time of a commit without rivals, in virtual nanoseconds. */
    private static long commitNanos(SimulatedStore cloud, Penstock store) {
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            long begun = cloud.simulation.nowNanos();
            assertThat(sell(store, "k" + i)).isTrue();
            sum += cloud.simulation.nowNanos() - begun;
        }
        return sum / 20;
    }

    @Test
    void commitsTakeAsLongAsItsPuts() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedCloud logs = express(cloud);
            long besides;
            try (Penstock store = Penstock.open(settings(cloud, logs, "a"))) {
                besides = commitNanos(cloud, store);
                store.admin().checkpoint();
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(store.admin().inspect().stats().logs().getFirst().segments())
                        .isEqualTo(20);
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(stock(store).get("k1")).contains("1");
            }
            try (Penstock store = Penstock.open(cloud.settings("b").prefix("other"))) {
                assertThat(commitNanos(cloud, store)).isGreaterThan(3 * besides);
            }
            assertThat(cloud.keys("log/")).isEmpty();
            assertThat(cloud.keys("domains/")).containsExactly("penstock/domains/shop");
        });
    }

    @Test
    void othersReadItAndCommitToIt() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedCloud logs = express(cloud);
            try (Penstock store = Penstock.open(settings(cloud, logs, "a"));
                    Penstock other = Penstock.open(settings(cloud, logs, "b"));
                    Penstock reader = Penstock.open(
                            settings(cloud, logs, "c").readOnly(true).level(ConsistencyLevel.SNAPSHOT))) {
                sell(store, "a");
                sell(other, "b");
                Optional<String> found = reader.read(tx -> tx.get(stock(reader), "b"));
                assertThat(found).contains("1");
                assertThat(reader.admin().backlog().logSegments()).isEqualTo(2);
            }
        });
    }

    @Test
    void aClientThatLooksElsewhereBeginsNoSecondLog() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            SimulatedCloud logs = express(cloud);
            try (Penstock store = Penstock.open(settings(cloud, logs, "a"))) {
                sell(store, "a");
            }
            try (Penstock store = Penstock.open(cloud.settings("b"))) {
                assertThatThrownBy(() -> sell(store, "b"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.INVALID_SETTING))
                        .hasMessageContaining("penstock/domains/shop");
            }
            try (Penstock store = Penstock.open(settings(cloud, express(cloud), "c"))) {
                assertThatThrownBy(() -> sell(store, "c"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.INVALID_SETTING));
            }
        });
    }

    @Test
    void aLogThatIsAlreadyThereStays() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                sell(store, "a");
            }
            try (Penstock store = Penstock.open(settings(cloud, express(cloud), "b"))) {
                assertThatThrownBy(() -> sell(store, "b"))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.INVALID_SETTING));
            }
        });
    }

    /** Its horizon would have the key of the mark, and the domain would be of no use any more. */
    @Test
    void aLogInTheStoreOfThePagesIsRefusedAndLeavesNothing() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(settings(cloud, cloud.cloud, "a"))) {
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> sell(store, "a"))
                            .isInstanceOf(InvalidRequestException.class)
                            .is(code(ErrorCode.INVALID_SETTING))
                            .hasMessageContaining("the store's own");
                }
            }
            assertThat(cloud.keys("domains/")).isEmpty();
            try (Penstock store = cloud.open("b")) {
                assertThat(sell(store, "b")).isTrue();
            }
        });
    }

    @Test
    void itsRetentionIsThatOfWhoTrims() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").logRetention(Duration.ofHours(1)));
                    Penstock other = cloud.open("b")) {
                for (int i = 0; i < 5; i++) {
                    sell(store, "k" + i);
                }
                sell(other, "l");
                store.admin().checkpoint();
                cloud.sleep(Duration.ofMinutes(50));
                assertThat(store.admin().findGarbage(Duration.ZERO).orphans()).isZero();
                cloud.sleep(Duration.ofMinutes(15));
                assertThat(other.admin().removeGarbage(Duration.ZERO).deleted()).isZero();
                store.admin().removeGarbage(Duration.ZERO);
                assertThat(cloud.keys("log/")).containsExactly("penstock/log/shop/0000000000000006");
                // Whoever slept meanwhile knows nothing of it, and of another client's choice.
                assertThat(sell(other, "m")).isTrue();
                assertThat(stock(other).scan(KeySpan.all()).stream().count()).isBetween(6L, 7L);
            }
            assertThatThrownBy(() -> cloud.settings("a").logRetention(Duration.ofMinutes(59)))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING));
        });
    }
}
