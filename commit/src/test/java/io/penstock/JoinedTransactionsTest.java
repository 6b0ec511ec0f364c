package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.testkit.World;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the body of a transaction does with the same store on its thread is a part of that transaction. */
class JoinedTransactionsTest {
    private static final class Rolled extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static void at(ConsistencyLevel level, BiConsumer<SimulatedStore, Penstock> test) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").level(level))) {
                test.accept(cloud, store);
            }
        });
    }

    private static RecordCollection<String, Long> counts(Penstock store) {
        return store.collection("counts", Keys.string(), Json.of(Long.class));
    }

    private static void add(Penstock store, String key, long by) {
        store.transact(transaction -> {
            transaction.put(
                    counts(store), key, transaction.get(counts(store), key).orElse(0L) + by);
            return true;
        });
    }

    @Test
    void aCheckedExceptionOfABodyIsACauseAndCommitsNothing() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            IOException failure = new IOException("the printer is out of paper");
            assertThatThrownBy(() -> store.transact(transaction -> {
                        transaction.put(counts(store), "a", 1L);
                        throw failure;
                    }))
                    .isInstanceOf(BodyException.class)
                    .hasCause(failure);
            assertThatThrownBy(() -> store.read(transaction -> {
                        throw failure;
                    }))
                    .isInstanceOf(BodyException.class)
                    .hasCause(failure);
            assertThat(counts(store).get("a")).isEmpty();
        });
    }

    @Test
    void anInterruptOfABodyStaysWithItsThread() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            assertThatThrownBy(() -> store.transact(transaction -> {
                        throw new InterruptedException();
                    }))
                    .isInstanceOf(BodyException.class);
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC"})
    void anInnerTransactionIsAPartOfTheOuterOne(ConsistencyLevel level) {
        at(level, (cloud, store) -> {
            add(store, "b", 1);
            AtomicInteger bodies = new AtomicInteger();
            store.transact(outer -> {
                bodies.incrementAndGet();
                long before = outer.get(counts(store), "b").orElseThrow();
                add(store, "b", 1);
                assertThat(outer.get(counts(store), "b")).contains(before + 1);
                outer.put(counts(store), "b", before + 10);
                return true;
            });
            assertThat(bodies).hasValue(1);
            assertThat(counts(store).get("b")).contains(11L);
        });
    }

    /** All ways to write by a method of a collection. */
    static Stream<Consumer<RecordCollection<String, Long>>> writes() {
        return Stream.of(
                counts -> counts.put("inside", 1L),
                counts -> counts.put("inside", 1L, Duration.ofHours(1)),
                counts -> counts.putStream("inside", new ByteArrayInputStream("1".getBytes())),
                counts -> counts.putIfAbsent("inside", 1L),
                counts -> counts.update("inside", any -> Optional.of(1L)),
                counts -> RecordCollection.increment(counts, "inside", 1));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void whatACollectionWritesInABodyGoesWithIt(Consumer<RecordCollection<String, Long>> write) {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            assertThatThrownBy(() -> store.transact(transaction -> {
                        write.accept(counts(store));
                        assertThat(counts(store).get("inside")).contains(1L);
                        assertThat(transaction.get(counts(store), "inside")).contains(1L);
                        throw new Rolled();
                    }))
                    .isInstanceOf(Rolled.class);
            assertThat(counts(store).get("inside")).isEmpty();
            store.transact(transaction -> {
                write.accept(counts(store));
                return true;
            });
            assertThat(counts(store).get("inside")).contains(1L);
        });
    }

    @Test
    void deletesOfACollectionInABodyGoWithIt() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            RecordCollection<String, Long> counts = counts(store);
            List.of("a", "b", "c").forEach(key -> counts.put(key, 1L));
            assertThatThrownBy(() -> store.transact(transaction -> {
                        counts.delete("a");
                        assertThat(counts.deleteRange(KeySpan.all())).isEqualTo(2);
                        assertThat(counts.scan(KeySpan.all()).hasNext()).isFalse();
                        throw new Rolled();
                    }))
                    .isInstanceOf(Rolled.class);
            assertThat(counts.getAll(List.of("a", "b", "c"))).hasSize(3);
        });
    }

    /** Every read of collections and indexes in a body shows what the body has written. */
    @Test
    void readsOfCollectionsAndIndexesInABodyAreItsOwn() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            RecordCollection<String, String> people = store.collection("people", Keys.string(), Json.of(String.class));
            Index<String, String, String> byMail = people.index("by-mail", Keys.string(), mail -> mail);
            CoveringIndex<String, String, String, String> rows =
                    byMail.including("mail", Json.of(String.class), mail -> mail);
            people.put("a", "one@example.org");
            store.transact(transaction -> {
                transaction.put(people, "b", "two@example.org");
                assertThat(people.get("b")).isPresent();
                assertThat(people.open("b")).isPresent();
                assertThat(people.getAll(List.of("a", "b"))).hasSize(2);
                assertThat(people.scan(KeySpan.all()).page().records()).hasSize(2);
                assertThat(byMail.scan("two@example.org").page().records()).hasSize(1);
                assertThat(byMail.scan(KeySpan.all().reversed()).page().records())
                        .hasSize(2);
                assertThat(rows.scan(KeySpan.all()).page().records()).hasSize(2);
                Optional<String> read = store.read(inner -> inner.get(people, "b"));
                assertThat(read).isPresent();
                return true;
            });
        });
    }

    /** An inner body that throws or aborts is taken back alone; the outer one may go on. */
    @Test
    void aFailedPartIsTakenBackAlone() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            RecordCollection<String, Long> counts = counts(store);
            counts.put("kept", 1L);
            store.transact(outer -> {
                outer.put(counts, "kept", 2L);
                assertThatThrownBy(() -> store.transact(inner -> {
                            inner.put(counts, "kept", 3L);
                            inner.put(counts, "gone", 3L);
                            inner.delete(counts, "none");
                            throw new Rolled();
                        }))
                        .isInstanceOf(Rolled.class);
                boolean done = store.transact(inner -> {
                    inner.put(counts, "gone", 4L);
                    inner.abort();
                    assertThatThrownBy(() -> inner.get(counts, "kept")).is(code(ErrorCode.CLOSED));
                    return false;
                });
                assertThat(done).isFalse();
                assertThat(outer.get(counts, "kept")).contains(2L);
                return store.transact(inner -> {
                    inner.put(counts, "third", 5L);
                    return true;
                });
            });
            assertThat(counts.getAll(List.of("kept", "gone", "third", "none")))
                    .isEqualTo(Map.of("kept", 2L, "third", 5L));
        });
    }

    @Test
    void whatCannotTakePartIsRefused() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            RecordCollection<String, Long> counts = counts(store);
            counts.put("a", 1L);
            List<Runnable> calls = List.of(
                    () -> counts.load(List.<Entry<String, Long>>of().iterator(), read -> {}),
                    () -> store.admin().rename("counts", "other"),
                    () -> store.admin().drop("counts"),
                    () -> store.admin().truncate("counts"),
                    counts::build,
                    () -> store.admin().dropIndex("counts", "none"),
                    () -> store.admin().repage("counts", 2048, io.penstock.core.Compression.NONE),
                    () -> store.admin().moveInto("counts", "main", progress -> {}),
                    () -> store.admin().moveOut("counts", progress -> {}),
                    () -> store.session().withDeadline(Duration.ofSeconds(1), () -> counts.get("a")));
            store.transact(transaction -> {
                calls.forEach(call -> assertThatThrownBy(call::run)
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.TRANSACTION_MISUSE)));
                assertThatThrownBy(() -> store.transact(inner -> inner.commit()))
                        .is(code(ErrorCode.TRANSACTION_MISUSE));
                assertThatThrownBy(() -> store.read(inner -> {
                            counts.put("a", 2L);
                            return true;
                        }))
                        .is(code(ErrorCode.READ_ONLY));
                return true;
            });
            store.read(transaction -> {
                assertThatThrownBy(() -> counts.put("a", 2L)).is(code(ErrorCode.READ_ONLY));
                assertThatThrownBy(() -> add(store, "a", 1)).is(code(ErrorCode.READ_ONLY));
                return true;
            });
            assertThat(counts.get("a")).contains(1L);
        });
    }

    /** A part may not rely on more than the whole promises. */
    @Test
    void aPartAsksForNoMoreThanTheWholePromises() {
        at(ConsistencyLevel.ATOMIC, (cloud, store) -> {
            RecordCollection<String, Long> counts = counts(store);
            store.transact(outer -> {
                assertThatThrownBy(() -> store.transact(ConsistencyLevel.SERIALIZABLE, inner -> true))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("wanted=SERIALIZABLE");
                assertThatThrownBy(() -> counts.putIfAbsent("a", 1L)).isInstanceOf(InvalidRequestException.class);
                return store.transact(ConsistencyLevel.MONOTONIC, inner -> true);
            });
        });
    }

    /** A transaction that is begun is apart, and one that is over is none. */
    @Test
    void aTransactionThatIsBegunIsApart() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            RecordCollection<String, Long> counts = counts(store);
            assertThatThrownBy(() -> store.transact(outer -> {
                        try (Transaction apart = store.begin()) {
                            apart.put(counts, "apart", 1L);
                            apart.commit();
                        }
                        throw new Rolled();
                    }))
                    .isInstanceOf(Rolled.class);
            assertThat(counts.get("apart")).contains(1L);
            store.transact(outer -> {
                outer.commit();
                counts.put("after", 1L);
                return true;
            });
            assertThat(counts.get("after")).contains(1L);
        });
    }

    /** A framework binds a transaction to a thread around a method. */
    @Test
    void aThreadIsInATransactionThatIsBoundToIt() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            RecordCollection<String, Long> counts = counts(store);
            try (Transaction bound = store.begin()) {
                bound.bind();
                counts.put("inside", 1L);
                bound.unbind();
                assertThat(counts.get("inside")).isEmpty();
                bound.bind();
                assertThat(counts.get("inside")).contains(1L);
                bound.commit();
                counts.put("after", 1L);
                bound.unbind();
            }
            assertThat(counts.getAll(List.of("inside", "after"))).hasSize(2);
        });
    }

    /** A joined body that has aborted is over until it ends: the outer one goes on where it was. */
    @Test
    void aThreadComesBackToATransactionThatGoesOn() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            RecordCollection<String, Long> counts = counts(store);
            store.transact(outer -> {
                var unused = store.transact(inner -> {
                    inner.abort();
                    try (Transaction bound = store.begin()) {
                        bound.bind();
                        bound.bind();
                        counts.put("bound", 1L);
                        bound.commit();
                        bound.unbind();
                        bound.unbind();
                    }
                    return true;
                });
                assertThat(store.current()).containsSame(outer);
                counts.put("after", 1L);
                outer.abort();
                return true;
            });
            assertThat(counts.get("bound")).contains(1L);
            assertThat(counts.get("after")).isEmpty();
        });
    }

    @Test
    void theTransactionOfAThreadIsKnown() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            assertThat(store.current()).isEmpty();
            store.transact(outer -> {
                assertThat(store.current()).containsSame(outer);
                outer.abort();
                assertThat(store.current()).isEmpty();
                return true;
            });
            try (Transaction bound = store.begin()) {
                assertThat(store.current()).isEmpty();
                bound.bind();
                assertThat(store.current()).containsSame(bound);
                bound.unbind();
            }
            assertThat(store.current()).isEmpty();
        });
    }

    /** A framework hears once of the end of each run of a body, and makes its commit. */
    @Test
    void aFrameworkTakesPartInTheEnd() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            List<String> told = new ArrayList<>();
            Consumer<Transaction> listen = transaction -> transaction.endBy(
                    commit -> {
                        told.add("committing");
                        Stamp stamp = commit.get();
                        told.add("committed");
                        return stamp;
                    },
                    () -> told.add("aborted"));
            AtomicInteger runs = new AtomicInteger();
            store.transact(transaction -> {
                listen.accept(transaction);
                long before = counts(store).get("a").orElse(0L);
                if (runs.incrementAndGet() == 1) {
                    try (Transaction other = store.begin()) {
                        other.put(counts(store), "a", 7L);
                        other.commit();
                    }
                }
                counts(store).put("a", before + 1);
                return true;
            });
            assertThat(told).containsExactly("committing", "committing", "committed");
            assertThat(counts(store).get("a")).contains(8L);
            told.clear();
            assertThatThrownBy(() -> store.transact(transaction -> {
                        listen.accept(transaction);
                        throw new Rolled();
                    }))
                    .isInstanceOf(Rolled.class);
            assertThat(told).containsExactly("aborted");
            told.clear();
            store.read(transaction -> {
                listen.accept(transaction);
                return true;
            });
            assertThat(told).containsExactly("committing", "committed");
        });
    }

    /** What a framework throws instead of a commit aborts it. */
    @Test
    void aFrameworkRefusesACommit() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            assertThatThrownBy(() -> store.transact(transaction -> {
                        transaction.endBy(
                                commit -> {
                                    throw new Rolled();
                                },
                                () -> {});
                        counts(store).put("a", 1L);
                        return true;
                    }))
                    .isInstanceOf(Rolled.class);
            assertThat(counts(store).get("a")).isEmpty();
        });
    }

    /** A put that a unique index refuses leaves the rest of an outer transaction as it was. */
    @Test
    void aRefusedPutLeavesTheRest() {
        at(ConsistencyLevel.SERIALIZABLE, (cloud, store) -> {
            RecordCollection<String, String> people = store.collection("people", Keys.string(), Json.of(String.class));
            var unused = people.index("by-mail", Keys.string(), mail -> mail).unique();
            people.put("a", "one@example.org");
            store.transact(outer -> {
                people.put("b", "two@example.org");
                assertThatThrownBy(() -> people.put("c", "one@example.org")).isInstanceOf(DuplicateException.class);
                return true;
            });
            assertThat(people.getAll(List.of("a", "b", "c"))).hasSize(2);
        });
    }
}
