package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Task;
import io.penstock.report.ScrubReport;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
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

    private static RecordCollection<String, String> indexed(Penstock store, boolean unique) {
        RecordCollection<String, String> words = words(store);
        Index<String, String, String> byWord = words.index("by-word", Keys.string(), word -> word);
        if (unique) {
            var unused = byWord.unique();
        }
        return words;
    }

    private static boolean build(RecordCollection<String, String> words) {
        words.build(progress -> {});
        return true;
    }

    private static void putStrictly(Penstock store, String key, String value) {
        putStrictly(store, indexed(store, false), key, value);
    }

    private static void putStrictly(Penstock store, RecordCollection<String, String> into, String key, String value) {
        store.transact(ConsistencyLevel.SERIALIZABLE, tx -> {
            tx.put(into, key, value);
            return true;
        });
    }

    @Test
    void noIndexIsAddedOrMadeUniqueOnTheWayIn() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock a = cloud.open("a");
                    Penstock b = cloud.open("b")) {
                words(a).put("k", "one");
                build(indexed(a, false));
                b.admin().moveInto("words", "shop", progress -> {
                    RecordCollection<String, String> more = indexed(a, false);
                    var unused = more.index("by-length", Keys.string(), word -> "" + word.length());
                    for (RecordCollection<String, String> late : List.of(more, strictly(a))) {
                        assertThatThrownBy(() -> build(late))
                                .isInstanceOf(UnavailableException.class)
                                .hasMessageContaining("moved");
                    }
                });
                putStrictly(b, "k2", "two");
                build(strictly(a));
                assertThatThrownBy(() -> a.admin().moveOut("words", progress -> {}))
                        .is(code(ErrorCode.DOMAIN_MISMATCH));
            }
        });
    }

    private static RecordCollection<String, String> strictly(Penstock store) {
        RecordCollection<String, String> words = words(store).inDomain("shop");
        var unused = words.index("by-word", Keys.string(), word -> word).unique();
        return words;
    }

    @Test
    void noIndexIsMadeUniqueOnceItsCollectionIsOut() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = cloud.open("b")) {
                words(b).put("k", "one");
                build(indexed(b, false));
                b.admin().moveInto("words", "shop", progress -> {});
                freeze(cloud, "a", "put", "catalog/words", 1);
                Task<Optional<StoreException>> late = outcome(cloud, "a", store -> build(strictly(store)));
                cloud.sleep(Duration.ofMinutes(1));
                b.admin().moveOut("words", progress -> {});
                assertThat(late.join()).get().is(code(ErrorCode.DOMAIN_MISMATCH));
                cloud.sleep(Duration.ofMinutes(2));
                indexed(b, false).put("k2", "two");
            }
        });
    }

    @Test
    void noCollectionOfADomainIsEmptied() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = cloud.open("b")) {
                words(b).put("k", "one");
                freeze(cloud, "a", "put", "catalog/words", 1);
                Task<Optional<StoreException>> late = outcome(cloud, "a", store -> {
                    store.admin().truncate("words");
                    return true;
                });
                cloud.sleep(Duration.ofMinutes(1));
                b.admin().moveInto("words", "shop", progress -> {});
                putStrictly(b, "k2", "two");
                assertThat(late.join()).get().is(code(ErrorCode.DOMAIN_MISMATCH));
                assertThat(keys(b)).containsExactly("k", "k2");
            }
        });
    }

    /** A reader by the index must notice: others write its entries no more. */
    @Test
    void anIndexIsDroppedAsInADomainOnceItsCollectionIsInOne() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = cloud.open("b");
                    Penstock c = cloud.open("c")) {
                words(b).put("k", "one");
                build(indexed(b, false));
                freeze(cloud, "a", "put", "catalog/words", 1);
                Task<Optional<StoreException>> late = outcome(cloud, "a", store -> {
                    store.admin().dropIndex("words", "by-word");
                    return true;
                });
                cloud.sleep(Duration.ofMinutes(1));
                b.admin().moveInto("words", "shop", progress -> {});
                Index<String, String, String> byWord = byWord(b);
                try (Transaction tx = b.begin(ConsistencyLevel.SERIALIZABLE)) {
                    assertThat(tx.scan(byWord, "two").hasNext()).isFalse();
                    assertThat(late.join()).isEmpty();
                    c.transact(ConsistencyLevel.SERIALIZABLE, other -> {
                        other.put(words(c), "k2", "two");
                        return true;
                    });
                    tx.put(words(b), "k3", "there was no two");
                    assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class);
                }
            }
        });
    }

    /** The slower one must not undo what a build has told the root. */
    @Test
    void anIndexThatIsBuiltBesideASlowerMoveStaysWhole() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = cloud.open("b")) {
                words(b).put("k", "one");
                SimulatedClient slow = cloud.machine("a");
                Task<Optional<StoreException>> late = outcome(cloud, "a", store -> {
                    boolean[] frozen = {false};
                    store.admin().moveInto("words", "shop", progress -> {
                        if (progress.step().equals("apply the queues") && !frozen[0]) {
                            frozen[0] = true;
                            slow.freeze(LONGER_THAN_A_MOVE);
                        }
                    });
                    return true;
                });
                cloud.sleep(Duration.ofMinutes(2));
                b.admin().moveInto("words", "shop", progress -> {});
                Index<String, String, String> byWord = byWord(b);
                build(byWord.collection());
                assertThat(late.join()).isEmpty();
                putStrictly(b, words(b), "k2", "two"); // by a program without the index
                b.admin().checkpoint();
                assertThat(b.admin().check(byWord).missing()).isZero();
            }
        });
    }

    /** Entries from before the fence of a build may be left over, and the move had read the definition before that. */
    @Test
    void aMoveThatComesToNothingKeepsTheFenceOfABuild() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = cloud.open("b")) {
                words(b).put("k", "one");
                b.admin().moveInto("words", "shop", progress -> {});
                SimulatedClient mover = cloud.machine("a");
                boolean[] frozen = {false};
                cloud.cloud.watch((step, client, call, on, outcome) -> {
                    if (step == CallWatcher.Step.DONE
                            && client == mover
                            && on.contains("catalog/words")
                            && !frozen[0]) {
                        frozen[0] = true;
                        client.freeze(LONGER_THAN_A_MOVE);
                    } else if (client == mover && call.equals("put") && on.contains("/log/shop")) {
                        client.crash();
                    }
                });
                List<Task<Optional<StoreException>>> moves = new ArrayList<>();
                indexed(b, false).build(progress -> {
                    if (moves.isEmpty()) {
                        moves.add(outcome(cloud, "a", store -> {
                            store.admin().moveOut("words", left -> {});
                            return true;
                        }));
                        cloud.sleep(Duration.ofMinutes(1));
                    }
                });
                String built = since(cloud);
                assertThat(moves.getFirst())
                        .satisfies(move -> assertThatThrownBy(move::join).isInstanceOf(CrashedException.class));
                assertThat(since(cloud)).isEqualTo(built);
                b.admin().moveInto("words", "shop", progress -> {}); // it never left
                assertThat(since(cloud)).isEqualTo(built);
            }
        });
    }

    /** The fence before which pages lack entries, and the one before which these are of races, in the definition. */
    private static String since(SimulatedStore cloud) {
        String definition = cloud.object("penstock/catalog/words.json").toUtf8();
        int from = definition.indexOf("\"since\"");
        return from < 0 ? "" : definition.substring(from, definition.indexOf('}', from));
    }

    @Test
    void aNewHandleThatDeclaresNoDomainTakesTheCollectionAsItIs() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock a = Penstock.open(cloud.settings("a").level(ConsistencyLevel.SERIALIZABLE));
                    Penstock b = cloud.open("b")) {
                words(a).put("k", "one");
                b.admin().moveOut("words", progress -> {});
                cloud.sleep(Duration.ofMinutes(2));
                Optional<String> found = a.transact(ConsistencyLevel.ATOMIC, tx -> tx.get(words(a), "k"));
                assertThat(found).contains("one");
            }
        });
    }

    /** What it would write into the log comes to no page, and counts as left over. */
    @Test
    void aScrubEndsWhereItsCollectionLeavesTheDomain() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = cloud.open("b")) {
                words(b).put("k", "one");
                build(indexed(b, false));
                b.admin().moveInto("words", "shop", progress -> {});
                words(b).put("k", "two"); // by a program without the index, so that its entry stays
                b.admin().checkpoint();
                freeze(cloud, "a", "list", "/log/shop", 1);
                Task<ScrubReport> late = cloud.machine("a").fork("scrub", () -> {
                    try (Penstock a = cloud.open("a")) {
                        return a.admin().scrub(byWord(a));
                    }
                });
                cloud.sleep(Duration.ofMinutes(1));
                b.admin().moveOut("words", progress -> {});
                assertThat(late.join()).isEqualTo(new ScrubReport(0, 0, 1));
                assertThat(b.admin().scrub(byWord(b)).indexed()).isEqualTo(1);
            }
        });
    }

    private static Index<String, String, String> byWord(Penstock store) {
        return words(store).index("by-word", Keys.string(), word -> word);
    }

    /** Keeps a record for an operator, as if its writer had sent it through a queue before the collection moved. */
    private static String keep(SimulatedStore cloud, Penstock store, String folder) {
        ClientId writer = new ClientId(42);
        Stamp stamp = Stamp.of(cloud.machine("main").nowMillis(), 0, writer);
        RecordChange late = new RecordChange.Put(Bytes.utf8("late"), Bytes.utf8("\"x\""), stamp);
        List<LogRecord> records = List.of(new LogRecord(words(store).tree(), late));
        String id = folder + "one";
        Bytes message = new PuMessage(writer, PuMessage.UNORDERED, records).encode();
        cloud.objects().put("penstock/" + id, message, WriteCondition.ALWAYS);
        return id;
    }

    @Test
    void aQuarantinedRecordIsNotPutOnItsPageBesideTheLog() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = cloud.open("b")) {
                words(b).put("k", "one");
                b.admin().checkpoint();
                keep(cloud, b, "quarantine/queue/");
                freeze(cloud, "a", "put", "/pages/", 1);
                Task<Optional<StoreException>> late =
                        outcome(cloud, "a", store -> store.admin().quarantine().applyAll(false));
                cloud.sleep(Duration.ofMinutes(1));
                b.admin().moveInto("words", "shop", progress -> {});
                assertThat(late.join()).get().isInstanceOf(UnavailableException.class);
                try (Penstock c = cloud.open("c")) {
                    assertThat(keys(c)).containsExactly("k");
                    assertThat(c.admin().quarantine().applyAll(false).kept()).hasSize(1);
                    c.admin().moveOut("words", progress -> {});
                    assertThat(c.admin().quarantine().applyAll(false).applied()).isEqualTo(1);
                }
            }
        });
    }

    @Test
    void aParkedRecordOfAQueueIsNotPutOnItsPageBesideTheLog() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock b = cloud.open("b")) {
                words(b).put("k", "one");
                b.admin().checkpoint();
                String folder = "parked/" + words(b).tree().hex() + "/0000000000000001/";
                String ofQueue = keep(cloud, b, folder + "queue-");
                String ofLog = keep(cloud, b, folder);
                b.admin().moveInto("words", "shop", progress -> {});
                assertThat(b.admin().quarantine().applyAll(false).kept()).containsOnlyKeys(ofQueue);
                assertThat(b.admin().quarantine().list())
                        .noneMatch(item -> item.id().equals(ofLog));
            }
        });
    }

    /** Freezes a client at one of its calls, for longer than a move takes. */
    private static void freeze(SimulatedStore cloud, String machine, String of, String part, int number) {
        int[] seen = {0};
        SimulatedClient frozen = cloud.machine(machine);
        cloud.cloud.watch((step, client, call, on, outcome) -> {
            // What reads is frozen with its answer on the way.
            CallWatcher.Step at = of.equals("put") ? CallWatcher.Step.BEGINS : CallWatcher.Step.DONE;
            boolean wanted = step == at && client == frozen && call.equals(of);
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
