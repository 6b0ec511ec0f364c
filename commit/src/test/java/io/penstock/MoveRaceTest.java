package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Others change a collection while it moves, by what they read of it before. */
class MoveRaceTest {
    private static final Duration LONGER_THAN_A_MOVE = Duration.ofMinutes(20);

    private static Iterator<Entry<String, String>> records(int at, Runnable meanwhile) {
        return IntStream.range(0, 100)
                .mapToObj(i -> {
                    if (i == at) {
                        meanwhile.run();
                    }
                    return new Entry<>("k" + i, "loaded");
                })
                .iterator();
    }

    private static List<String> keys(Penstock store) {
        return store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            try (Scan<Entry<String, String>> all = tx.scan(words(store), KeySpan.all())) {
                return all.stream().map(Entry::key).toList();
            }
        });
    }

    @Test
    void aLoadThatReadsItsRecordsMeanwhileFails() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock a = cloud.open("a");
                    Penstock b = cloud.open("b")) {
                Iterator<Entry<String, String>> records =
                        records(50, () -> b.admin().moveInto("words", "shop", progress -> {}));
                assertThatThrownBy(() -> words(a).load(records, n -> {})).isInstanceOf(ConflictException.class);
                assertThat(keys(b)).isEmpty();
            }
        });
    }

    @Test
    void aLoadThatPutsItsPagesMeanwhileFails() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            freeze(cloud, "a", "put", "/pages/", 2);
            Task<Optional<StoreException>> load =
                    outcome(cloud, "a", store -> words(store).load(records(0, () -> {}), n -> {}));
            cloud.sleep(Duration.ofMinutes(1));
            try (Penstock b = cloud.open("b")) {
                b.admin().moveInto("words", "shop", progress -> {});
                assertThat(keys(b)).isEmpty();
                assertThat(load.join()).get().isInstanceOf(ConflictException.class);
                assertThat(keys(b)).isEmpty();
            }
        });
    }

    /** Freezes a client before one of its calls, for longer than a move takes. */
    private static void freeze(SimulatedStore cloud, String machine, String of, String part, int number) {
        int[] seen = {0};
        SimulatedClient frozen = cloud.machine(machine);
        cloud.cloud.watch((step, client, call, on, outcome) -> {
            boolean wanted = step == CallWatcher.Step.BEGINS && client == frozen && call.equals(of);
            if (wanted && on.contains(part) && ++seen[0] == number) {
                client.freeze(LONGER_THAN_A_MOVE);
            }
        });
    }

    /** Starts what a client of its own does, and returns how it fails. */
    private static Task<Optional<StoreException>> outcome(
            SimulatedStore cloud, String machine, Function<Penstock, Object> work) {
        return cloud.machine(machine).fork("work", () -> {
            try (Penstock store = cloud.open(machine)) {
                var unused = work.apply(store);
                return Optional.<StoreException>empty();
            } catch (StoreException failure) {
                return Optional.<StoreException>of(failure);
            }
        });
    }
}
