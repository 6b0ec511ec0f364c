package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.task.Task;
import io.penstock.report.MoveProgress;
import io.penstock.report.QuarantineReport;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A collection moves into a domain and back, beside writers, whatever crashes when. */
class MoveTest {
    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static void putStrictly(Penstock store, String key, String value) {
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.put(words(store), key, value);
            return true;
        });
    }

    private static Map<String, String> strictly(Penstock store) {
        Map<String, String> content = new ConcurrentSkipListMap<>();
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.scan(words(store), KeySpan.all()).forEachRemaining(entry -> content.put(entry.key(), entry.value()));
            return true;
        });
        return content;
    }

    /** Writes at whatever level the collection takes, and counts what was acknowledged. */
    private static void write(SimulatedStore cloud, int m, AtomicBoolean over, Map<String, String> acknowledged) {
        SimulatedClient machine = cloud.machine("w" + m);
        try (Penstock store = cloud.open("w" + m)) {
            boolean strict = false;
            for (int i = 0; !over.get(); i++) {
                String key = m + "." + i % 50;
                try {
                    if (strict) {
                        putStrictly(store, key, "v" + i);
                    } else {
                        words(store).put(key, "v" + i);
                    }
                    acknowledged.put(key, "v" + i);
                } catch (UnavailableException moving) {
                    machine.sleep(Duration.ofSeconds(5));
                } catch (StoreException refused) {
                    strict = !strict;
                }
                machine.sleep(Duration.ofMillis(900));
            }
        }
    }

    /** Throws at one of its calls, as if the process had ended there. */
    private static Consumer<MoveProgress> crashingAt(int call) {
        AtomicInteger calls = new AtomicInteger();
        return progress -> {
            if (calls.getAndIncrement() == call) {
                throw new Crash();
            }
        };
    }

    private static void untilDone(SimulatedStore cloud, int crashes, Consumer<Consumer<MoveProgress>> move) {
        for (int i = 0; i < 20; i++) {
            try {
                move.accept(i == 0 ? crashingAt(crashes) : progress -> {});
                return;
            } catch (Crash | UnavailableException again) {
                cloud.sleep(Duration.ofSeconds(20));
            }
        }
        throw new AssertionError("the move never ended");
    }

    @Test
    void nothingAcknowledgedIsLostBesideWriters() {
        for (int seed = 1; seed <= 5; seed++) {
            int crash = seed - 1;
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.ROUGH).run(cloud -> {
                Map<String, String> acknowledged = new ConcurrentSkipListMap<>();
                AtomicBoolean over = new AtomicBoolean();
                List<Task<Boolean>> writers = IntStream.range(0, 3)
                        .mapToObj(
                                m -> cloud.machine("w" + m).start("writer", () -> write(cloud, m, over, acknowledged)))
                        .toList();
                cloud.sleep(Duration.ofSeconds(30));
                untilDone(cloud, crash, progress -> {
                    try (Penstock store = cloud.open("in")) {
                        store.admin().moveInto("words", "shop", progress);
                    }
                });
                cloud.sleep(Duration.ofMinutes(3));
                untilDone(cloud, crash % 2, progress -> {
                    try (Penstock store = cloud.open("out")) {
                        store.admin().moveOut("words", progress);
                    }
                });
                cloud.sleep(Duration.ofMinutes(3));
                over.set(true);
                writers.forEach(Task::join);
                cloud.cloud.setWorld(World.CALM);
                try (Penstock last = cloud.open("last")) {
                    SimulatedStore.settle(last, cloud.machine("last"));
                    cloud.sleep(Duration.ofMinutes(1));
                    assertThat(SimulatedStore.content(last)).as(run).containsAllEntriesOf(acknowledged);
                    // What a recovery has sent once more, under another number, is told from nothing but the page.
                    last.admin()
                            .quarantine()
                            .list()
                            .forEach(item -> last.admin().quarantine().apply(item.id(), false));
                    cloud.sleep(Duration.ofMinutes(1));
                    assertThat(last.admin().quarantine().list()).as(run).isEmpty();
                    assertThat(SimulatedStore.content(last)).as(run).containsAllEntriesOf(acknowledged);
                }
            });
        }
    }

    @Test
    void transactionsSeeWhatWasThereBefore() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock a = cloud.open("a");
                    Penstock b = cloud.open("b")) {
                words(a).put("k", "1");
                assertThat(words(b).get("k")).isEmpty(); // pooled before the drain
                assertThatThrownBy(() -> putStrictly(a, "k", "2")).isInstanceOf(InvalidRequestException.class);
                a.admin().moveInto("words", "shop", progress -> {});
                a.admin().moveInto("words", "shop", progress -> {}); // there already
                assertThat(strictly(b)).containsExactly(Map.entry("k", "1"));
                putStrictly(b, "k", "2");
                assertThat(strictly(a)).containsExactly(Map.entry("k", "2"));
                assertThatThrownBy(() -> a.transact(transaction -> {
                            transaction.put(words(a), "k", "3");
                            return true;
                        }))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.DOMAIN_MISMATCH));
                words(a).put("k", "3");
                assertThat(strictly(b)).containsExactly(Map.entry("k", "3"));
                assertThatThrownBy(() -> a.admin().moveInto("words", "other", progress -> {}))
                        .is(code(ErrorCode.DOMAIN_MISMATCH));
                b.admin().moveOut("words", progress -> {});
                cloud.sleep(Duration.ofMinutes(2));
                words(a).put("k", "4");
                a.admin().checkpoint();
                assertThat(SimulatedStore.content(cloud.open("c"))).containsExactly(Map.entry("k", "4"));
                assertThat(a.admin().verify().violations()).isEmpty();
            }
        });
    }

    /** A client that failed has the message, and the queue's count, which is approximate, does not have it. */
    @Test
    void messageThatIsHiddenAndNotCountedIsWaitedFor() {
        World rough = new World(0, 0, 0, Duration.ZERO, 0, 0.5, Duration.ZERO);
        for (int seed = 1; seed <= 5; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                try (Penstock store = Penstock.open(cloud.settings("a").checkpointing(false))) {
                    words(store).put("k", "1");
                    store.flush();
                    MessageQueue queue = cloud.queues("pu-").getFirst();
                    cloud.cloud.setWorld(rough);
                    store.admin().moveInto("words", "shop", progress -> {
                        if (progress.step().contains("noticed")) {
                            queue.receive(10, Duration.ofSeconds(150), Duration.ofSeconds(1));
                        }
                    });
                    cloud.cloud.setWorld(World.CALM);
                    assertThat(strictly(store)).as(run).containsExactly(Map.entry("k", "1"));
                }
            });
        }
    }

    /** Others are told, and a move that was begun can be taken back. */
    @Test
    void nobodyWritesMeanwhile() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            try (Penstock a = cloud.open("a");
                    Penstock b = cloud.open("b")) {
                words(a).put("k", "1");
                words(b).put("k", "2");
                assertThatThrownBy(() -> a.admin().moveInto("words", "shop", crashingAt(1)))
                        .isInstanceOf(Crash.class);
                for (Penstock store : List.of(a, b)) {
                    assertThatThrownBy(() -> words(store).put("k", "3"))
                            .isInstanceOf(UnavailableException.class)
                            .is(code(ErrorCode.UNAVAILABLE));
                    assertThatThrownBy(() -> putStrictly(store, "k", "3"))
                            .isInstanceOf(UnavailableException.class)
                            .is(code(ErrorCode.UNAVAILABLE));
                }
                b.admin().moveOut("words", progress -> {});
                words(b).put("k", "4");
                assertThat(words(b).get("k")).contains("4");
            }
        });
    }

    /** A writer that slept meanwhile sends what transactions would not see. */
    @Test
    void whatComesLateIsKeptForPeople() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").checkpointing(false))) {
                store.transact(ConsistencyLevel.BASIC, tx -> {
                    tx.put(words(store), "k", "1"); // without a number, so that a repeat cannot be told
                    return true;
                });
                MessageQueue queue = cloud.queues("pu-").getFirst();
                List<Delivery> sent = queue.receive(10, Duration.ofSeconds(1), Duration.ofSeconds(5));
                Bytes late = sent.getFirst().body();
                cloud.sleep(Duration.ofSeconds(10));
                store.admin().moveInto("words", "shop", progress -> {});
                putStrictly(store, "k", "2");
                queue.send(List.of(late));
                assertThat(store.admin().checkpoint().quarantined()).isEqualTo(1);
                assertThat(strictly(store)).containsExactly(Map.entry("k", "2"));
                assertThat(store.admin().quarantine().list().getFirst().reason())
                        .contains("moved into a domain");
            }
        });
    }

    /** It was put on its page beside the commit log, in the middle of a transaction that read it twice. */
    @Test
    void whatCameLateIsAppliedWhenTheCollectionIsOutAgain() {
        new SimulatedStore(3, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").checkpointing(false))) {
                words(store).put("first", "1");
                store.flush();
                store.admin().checkpoint();
                store.transact(ConsistencyLevel.BASIC, tx -> {
                    tx.put(words(store), "late", "1");
                    return true;
                });
                MessageQueue queue = cloud.queues("pu-").getFirst();
                List<Delivery> sent = queue.receive(10, Duration.ofMinutes(2), Duration.ofSeconds(5));
                Bytes late = sent.getFirst().body();
                queue.delete(sent.stream().map(Delivery::receipt).toList());
                store.admin().moveInto("words", "shop", progress -> {});
                queue.send(List.of(late));
                assertThat(store.admin().checkpoint().quarantined()).isEqualTo(1);
                QuarantineReport report = store.admin().quarantine().applyAll(false);
                assertThat(report.applied()).isZero();
                assertThat(report.kept().values()).allMatch(why -> why.contains("moved into a domain"));
                cloud.sleep(Duration.ofMinutes(6));
                assertThat(SimulatedStore.content(store)).containsOnlyKeys("first");
                store.admin().moveOut("words", progress -> {});
                assertThat(store.admin().quarantine().applyAll(false).kept()).isEmpty();
                cloud.sleep(Duration.ofMinutes(1));
                assertThat(SimulatedStore.content(store)).containsOnlyKeys("first", "late");
            }
        });
    }
}
