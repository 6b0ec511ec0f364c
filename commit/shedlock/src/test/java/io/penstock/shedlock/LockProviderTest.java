package io.penstock.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.core.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases that ShedLock asks of each provider of extensible locks, and those of two machines. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockProviderTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    List<Place> places() {
        return List.of(Place.MEMORY, Place.DIRECTORY, Place.BUCKET);
    }

    private static LockConfiguration lock(String name, Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), name, atMost, atLeast);
    }

    private static LockConfiguration lock(String name) {
        return lock(name, LONG, Duration.ZERO);
    }

    private static RecordCollection<String, Holder> records(Penstock store) {
        return store.collection("shedlock", Keys.string(), Json.of(Holder.class));
    }

    private static boolean isHeld(Place.Clients clients, String name) {
        return records(clients.second()).get(name).isPresent();
    }

    @ParameterizedTest
    @MethodSource("places")
    void aLockIsHeldUntilItIsUnlocked(Place place) {
        place.run(clients -> {
            PenstockLockProvider first = new PenstockLockProvider(clients.first());
            PenstockLockProvider second = new PenstockLockProvider(clients.second());
            // The same configuration again and again, as schedulers that make it once do.
            LockConfiguration wanted = lock("job");
            for (int i = 0; i < 10; i++) {
                SimpleLock held = first.lock(wanted).orElseThrow();
                assertThat(isHeld(clients, "job")).isTrue();
                assertThat(first.lock(wanted)).isEmpty();
                assertThat(second.lock(wanted)).isEmpty();
                SimpleLock other = second.lock(lock("other")).orElseThrow();
                held.unlock();
                assertThat(isHeld(clients, "job")).isFalse();
                assertThat(isHeld(clients, "other")).isTrue();
                other.unlock();
                second.lock(wanted).orElseThrow().unlock();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void aLockOfADeadHolderEnds(Place place) {
        place.run(clients -> {
            LockProvider second = new PenstockLockProvider(clients.second());
            SimpleLock lost =
                    new PenstockLockProvider(clients.first()).lock(lock("job")).orElseThrow();
            clients.pass(LONG.minusSeconds(30));
            assertThat(second.lock(lock("job"))).isEmpty();
            clients.pass(Duration.ofSeconds(31));
            assertThat(isHeld(clients, "job")).isFalse();
            SimpleLock taken = second.lock(lock("job")).orElseThrow();
            // The late holder must not free what is another's by now.
            lost.unlock();
            assertThat(isHeld(clients, "job")).isTrue();
            taken.unlock();
            assertThat(isHeld(clients, "job")).isFalse();
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void aLockIsHeldForAsLongAsItMustBe(Place place) {
        place.run(clients -> {
            LockProvider second = new PenstockLockProvider(clients.second());
            SimpleLock quick = new PenstockLockProvider(clients.first())
                    .lock(lock("job", LONG.multipliedBy(2), LONG))
                    .orElseThrow();
            clients.pass(Duration.ofMinutes(1));
            quick.unlock();
            clients.pass(LONG.minusSeconds(90));
            assertThat(second.lock(lock("job"))).isEmpty();
            clients.pass(Duration.ofSeconds(31));
            second.lock(lock("job")).orElseThrow().unlock();
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void aLockIsExtendedByItsHolder(Place place) {
        place.run(clients -> {
            PenstockLockProvider first = new PenstockLockProvider(clients.first());
            SimpleLock held = first.lock(lock("job")).orElseThrow();
            clients.pass(LONG.minusSeconds(30));
            SimpleLock extended = held.extend(LONG, Duration.ZERO).orElseThrow();
            clients.pass(LONG.minusSeconds(30));
            assertThat(isHeld(clients, "job")).isTrue();
            assertThatThrownBy(held::unlock).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> held.extend(LONG, Duration.ZERO)).isInstanceOf(IllegalStateException.class);
            SimpleLock atLeast = extended.extend(LONG, LONG).orElseThrow();
            atLeast.unlock();
            assertThat(isHeld(clients, "job")).isTrue();
            assertThatThrownBy(() -> atLeast.extend(LONG, LONG)).isInstanceOf(IllegalStateException.class);
        });
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatHasEndedIsNotExtended(Place place) {
        place.run(clients -> {
            PenstockLockProvider first = new PenstockLockProvider(clients.first());
            SimpleLock expired =
                    first.lock(lock("job", Duration.ofMillis(1), Duration.ZERO)).orElseThrow();
            clients.pass(Duration.ofSeconds(1));
            assertThat(expired.extend(LONG, Duration.ZERO)).isEmpty();
            assertThat(isHeld(clients, "job")).isFalse();
            SimpleLock lost =
                    first.lock(lock("job", Duration.ofMillis(1), Duration.ZERO)).orElseThrow();
            clients.pass(Duration.ofSeconds(1));
            SimpleLock taken =
                    new PenstockLockProvider(clients.second()).lock(lock("job")).orElseThrow();
            assertThat(lost.extend(LONG.multipliedBy(3), Duration.ZERO)).isEmpty();
            clients.pass(LONG.plusSeconds(1));
            assertThat(isHeld(clients, "job")).isFalse();
            taken.unlock();
        });
    }

    /** An increment that loses updates unless its callers exclude each other. */
    private static final class Counter {
        private final AtomicInteger count = new AtomicInteger();

        void increment(Runnable pause) {
            int before = count.get();
            pause.run();
            count.set(before + 1);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void holdersExcludeEachOther(Place place) {
        place.run(clients -> excludeEachOther(clients, place == Place.BUCKET || place == Place.LOCALSTACK ? 5 : 25));
    }

    /** Threads of both machines that want two locks at once. */
    private static void excludeEachOther(Place.Clients clients, int rounds) {
        List<Counter> counters = List.of(new Counter(), new Counter());
        List<Task<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Penstock store = i / 2 % 2 == 0 ? clients.first() : clients.second();
            PenstockLockProvider provider = new PenstockLockProvider(store);
            int job = i % 2;
            tasks.add(store.tasks().start("job", () -> {
                for (int done = 0; done < rounds; ) {
                    Optional<SimpleLock> held = provider.lock(lock("job" + job));
                    if (held.isPresent()) {
                        counters.get(job).increment(() -> store.tasks().sleep(Duration.ofMillis(1)));
                        held.get().unlock();
                        done++;
                    }
                }
            }));
        }
        tasks.forEach(Task::join);
        assertThat(counters).extracting(counter -> counter.count.get()).containsExactly(4 * rounds, 4 * rounds);
    }

    /** A lock that were a part of the caller's transaction would be seen by others only after it, or never. */
    @ParameterizedTest
    @MethodSource("places")
    void aLockIsNoPartOfTheTransactionOfItsCaller(Place place) {
        place.run(clients -> {
            PenstockLockProvider first = new PenstockLockProvider(clients.first());
            PenstockLockProvider second = new PenstockLockProvider(clients.second());
            RecordCollection<String, String> words =
                    clients.first().collection("words", Keys.string(), Json.of(String.class));
            SimpleLock held = clients.first().transact(ConsistencyLevel.SERIALIZABLE, transaction -> {
                SimpleLock taken = first.lock(lock("job")).orElseThrow();
                transaction.put(words, "1", "taken back");
                assertThat(second.lock(lock("job"))).isEmpty();
                transaction.abort();
                return taken;
            });
            assertThat(isHeld(clients, "job")).isTrue();
            assertThat(words.get("1")).isEmpty();
            held.unlock();
        });
    }

    /** As scheduled methods use a provider. */
    @ParameterizedTest
    @MethodSource("places")
    void aTaskRunsOnOneMachine(Place place) {
        place.run(clients -> {
            LockingTaskExecutor first = new DefaultLockingTaskExecutor(new PenstockLockProvider(clients.first()));
            LockingTaskExecutor second = new DefaultLockingTaskExecutor(new PenstockLockProvider(clients.second()));
            List<String> ran = new ArrayList<>();
            first.executeWithLock(
                    (Runnable) () -> {
                        ran.add("first");
                        // On another thread: a thread that has a lock may take it again.
                        boolean unused = clients.second()
                                .tasks()
                                .start(
                                        "early",
                                        () -> second.executeWithLock(
                                                (Runnable) () -> ran.add("second, too early"), lock("job")))
                                .join();
                    },
                    lock("job"));
            second.executeWithLock((Runnable) () -> ran.add("second"), lock("job"));
            assertThat(ran).containsExactly("first", "second");
        });
    }

    List<Place> inRealTime() {
        return places().stream().filter(place -> place != Place.BUCKET).toList();
    }

    /** As a scheduler that ends interrupts its jobs. Threads of a simulation know no interrupt but its own. */
    @ParameterizedTest
    @MethodSource("inRealTime")
    void anInterruptIsNoReasonToKeepALock(Place place) {
        place.run(clients -> {
            PenstockLockProvider first = new PenstockLockProvider(clients.first());
            Thread.currentThread().interrupt();
            SimpleLock held = first.lock(lock("job")).orElseThrow();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(isHeld(clients, "job")).isTrue();
            Thread.currentThread().interrupt();
            held.unlock();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(isHeld(clients, "job")).isFalse();
        });
    }
}
