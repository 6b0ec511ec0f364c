package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ConflictException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Reads and tokens of clients that work on while a collection moves out of its domain or into it. */
class MovedMeanwhileTest {
    /** A program that has set no level. */
    private static Penstock plain(SimulatedStore cloud, String machine) {
        return Penstock.open(unset(cloud, machine));
    }

    private static Settings unset(SimulatedStore cloud, String machine) {
        SimulatedClient client = cloud.machine(machine);
        return Settings.on(cloud.cloud.objects(client), cloud.cloud.queues(client), client)
                .pageBytes(1024)
                .advanced(advanced -> advanced.sweeping(false));
    }

    private static RecordCollection<String, String> other(Penstock store) {
        return store.collection("other", Keys.string(), Json.of(String.class));
    }

    /** Moves the words out, changes two of them together, and moves them in. */
    private static void outAndIn(SimulatedStore cloud) {
        Penstock mover = cloud.open("mover");
        mover.admin().moveOut("words", progress -> {});
        try (Penstock weak = cloud.open("weak")) {
            weak.transact(transaction -> {
                transaction.put(words(weak), "k", "new");
                transaction.put(words(weak), "l", "new");
                return true;
            });
        }
        mover.admin().moveInto("words", "main", progress -> {});
        cloud.sleep(Duration.ofMinutes(1));
    }

    private static Penstock filled(SimulatedStore cloud) {
        Penstock store = plain(cloud, "filler");
        for (String key : List.of("k", "l")) {
            words(store).put(key, "old");
        }
        other(store).put("x", "x");
        var unused = store.admin().checkpoint();
        return store;
    }

    /** One makes it without a domain; the other one, which has a domain by default, takes it as it is. */
    @Test
    void twoProgramsMakeACollectionAtOnce() {
        for (long seed = 1; seed <= 20; seed++) {
            new SimulatedStore(seed, World.CALM).run(cloud -> {
                Penstock weak = cloud.open("weak");
                Penstock plain = plain(cloud, "plain");
                Task<Boolean> other = cloud.machine("weak").fork("other", () -> {
                    words(weak).put("a", "1");
                    return true;
                });
                words(plain).put("b", "2");
                other.join();
            });
        }
    }

    @Test
    void firstReadsAfterIdleHoursAreOfTheLog() {
        for (boolean scans : List.of(false, true)) {
            new SimulatedStore(1, World.CALM).run(cloud -> {
                Penstock weak = cloud.open("weak");
                words(weak).put("k", "old");
                var unused = weak.admin().checkpoint();
                RecordCollection<String, String> idle = words(plain(cloud, "idle"));
                assertThat(idle.get("k")).contains("old");
                weak.admin().moveInto("words", "main", progress -> {});
                cloud.sleep(Duration.ofHours(1));
                words(plain(cloud, "writer")).put("k", "new");
                List<String> found = new ArrayList<>();
                if (scans) {
                    idle.scan(KeySpan.all()).forEachRemaining(entry -> found.add(entry.value()));
                } else {
                    found.add(idle.get("k").orElseThrow());
                }
                assertThat(found).containsExactly("new");
            });
        }
    }

    @Test
    void transactionsThatHaveReadBeforeConflict() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            filled(cloud);
            Penstock store = plain(cloud, "reader");
            Transaction before = store.begin(ConsistencyLevel.SERIALIZABLE);
            assertThat(before.get(words(store), "k")).contains("old");
            Transaction readsOn = store.begin(ConsistencyLevel.SERIALIZABLE);
            assertThat(readsOn.get(words(store), "k")).contains("old");
            outAndIn(cloud);
            assertThatThrownBy(() -> readsOn.get(words(store), "l")).isInstanceOf(ConflictException.class);
            before.put(other(store), "y", "k is old");
            assertThatThrownBy(before::commit).isInstanceOf(ConflictException.class);
        });
    }

    /** The client keeps segments of before, in which these records have older values. */
    @Test
    void theLogOfBeforeTheMoveOutTellsNothing() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock filler = filled(cloud);
            Penstock store = Penstock.open(unset(cloud, "reader").checkpointing(false));
            assertThat(words(store).get("k")).contains("old");
            words(filler).put("k", "in between");
            words(filler).delete("l");
            assertThat(words(store).get("k")).contains("in between");
            outAndIn(cloud);
            assertThat(words(store).get("k")).contains("new");
            assertThat(words(store).scan(KeySpan.all()).stream().map(Entry::value))
                    .containsExactly("new", "new");
        });
    }

    @Test
    void readsRightAfterTheMoveInAreOfTheLog() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock weak = cloud.open("weak");
            words(weak).put("k", "old");
            var unused = weak.admin().checkpoint();
            RecordCollection<String, String> reader = words(plain(cloud, "reader"));
            Task<Boolean> move = cloud.machine("weak").fork("move", () -> {
                weak.admin().moveInto("words", "main", progress -> {});
                return true;
            });
            while (!move.isDone()) {
                assertThat(reader.get("k")).contains("old");
                cloud.sleep(Duration.ofMillis(300));
            }
            words(plain(cloud, "writer")).put("k", "new");
            assertThat(reader.get("k")).contains("new");
        });
    }

    @Test
    void readsAfterAMoveOutThatWasTakenBackAreOfTheLog() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock filler = filled(cloud);
            RecordCollection<String, String> reader = words(plain(cloud, "reader"));
            Penstock mover = cloud.open("mover");
            Task<Boolean> out = cloud.machine("mover").fork("out", () -> {
                mover.admin().moveOut("words", progress -> {});
                return true;
            });
            cloud.sleep(Duration.ofSeconds(60));
            assertThat(reader.get("k")).contains("old");
            filler.admin().moveInto("words", "main", progress -> {});
            words(plain(cloud, "writer")).put("k", "new");
            assertThat(reader.get("k")).contains("new");
            assertThatThrownBy(out::join).isInstanceOf(StoreException.class);
        });
    }

    @Test
    void readsOnTheWayOutSeeWhatWasAcknowledged() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock store = filled(cloud);
            RecordCollection<String, String> words = words(store);
            AtomicBoolean over = new AtomicBoolean();
            cloud.cloud.watch((step, client, call, on, outcome) -> {
                boolean fences = call.equals("put") && on.contains("/log/main/") && step == CallWatcher.Step.BEGINS;
                if (fences && client == cloud.machine("mover")) {
                    client.crash();
                }
            });
            Task<Boolean> writer = cloud.machine("filler").fork("writer", () -> {
                String last = "old";
                for (int i = 0; !over.get(); i++) {
                    try {
                        words.put("k", "v" + i);
                        last = "v" + i;
                    } catch (UnavailableException moves) {
                        assertThat(words.get("k")).contains(last);
                    }
                    cloud.machine("filler").sleep(Duration.ofMillis(500));
                    assertThat(words.get("k")).contains(last);
                }
                return true;
            });
            cloud.sleep(Duration.ofSeconds(5));
            var unused = cloud.machine("mover").fork("mover", () -> {
                cloud.open("mover").admin().moveOut("words", progress -> {});
                return true;
            });
            cloud.sleep(Duration.ofMinutes(3));
            over.set(true);
            writer.join();
        });
    }

    @Test
    void tokensOfDomainsWithoutCollectionsGoOn() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock store = filled(cloud);
            words(store).put("k", "new");
            String token = store.session().token();
            try (Penstock mover = cloud.open("mover")) {
                mover.admin().moveOut("words", progress -> {});
                mover.admin().moveOut("other", progress -> {});
            }
            try (Penstock next = plain(cloud, "next");
                    Session session = next.session(token)) {
                assertThat(session.isWhole()).isTrue();
            }
        });
    }

    @Test
    void tokensOfEmptiedCollectionsGoOnWhenTheirGarbageIsGone() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            String token;
            try (Penstock store = cloud.open("writer")) {
                words(store).put("k", "one");
                token = store.session().token();
            }
            try (Penstock store = cloud.open("emptier")) {
                store.admin().truncate("words");
                cloud.sleep(Duration.ofHours(2));
                var unused = store.admin().removeGarbage(Duration.ZERO);
            }
            try (Penstock next = cloud.open("next");
                    Session session = next.session(token)) {
                assertThat(session.isWhole()).isTrue();
            }
        });
    }
}
