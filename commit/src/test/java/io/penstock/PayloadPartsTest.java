package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.testkit.World;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sizes, ranges and appends of payloads; those above a quarter of a page, which is 256 bytes here, are large. */
class PayloadPartsTest {
    private static final Bytes K = Bytes.utf8("k");

    private static void store(ConsistencyLevel level, BiConsumer<SimulatedStore, Penstock> body) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store =
                    Penstock.open(cloud.settings("a").checkpointing(false).level(level))) {
                body.accept(cloud, store);
            }
        });
    }

    private static void store(BiConsumer<SimulatedStore, Penstock> body) {
        store(ConsistencyLevel.SERIALIZABLE, body);
    }

    private static RecordCollection<Bytes, Bytes> raw(Penstock store) {
        return store.collection("raw", Keys.bytes(), PayloadCodec.bytes());
    }

    private static Bytes noise(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private static Bytes readAll(InputStream in) {
        try (in) {
            return Bytes.wrap(in.readAllBytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Bytes part(RecordCollection<Bytes, Bytes> raw, int offset, int length) {
        return readAll(raw.open(K, offset, length).orElseThrow());
    }

    /** At every level, with and without checkpoints between, from nothing to many objects. */
    @ParameterizedTest
    @EnumSource(ConsistencyLevel.class)
    void whatIsAppendedIsThere(ConsistencyLevel level) {
        store(level, (cloud, store) -> {
            Random random = new Random(level.ordinal());
            RecordCollection<Bytes, Bytes> raw = raw(store);
            Bytes whole = noise(random, 5);
            raw.put(K, whole);
            boolean sees = StoreProbe.keepsSession(store, level);
            store.admin().checkpoint();
            for (int i = 0; i < 60; i++) {
                Bytes more = noise(random, random.nextInt(i % 7 == 0 ? 3_000 : 200));
                if (random.nextBoolean()) {
                    raw.append(K, more);
                } else {
                    store.transact(tx -> {
                        tx.append(raw, K, more.slice(0, more.length() / 2));
                        tx.append(raw, K, more.slice(more.length() / 2, more.length()));
                        assertThat(tx.payloadBytes(raw, K).orElseThrow()).isGreaterThanOrEqualTo(more.length());
                        return true;
                    });
                }
                whole = whole.concat(more);
                if (!sees || random.nextInt(4) == 0) {
                    store.admin().checkpoint();
                }
                assertThat(raw.payloadBytes(K)).isEqualTo(OptionalLong.of(whole.length()));
                int offset = random.nextInt(whole.length() + 1);
                int length = random.nextInt(whole.length() - offset + 1);
                assertThat(part(raw, offset, length)).isEqualTo(whole.slice(offset, offset + length));
                assertThat(raw.get(K)).hasValue(whole);
            }
            store.admin().checkpoint();
            assertThat(cloud.keys("overflow/")).containsAll(FinalState.overflowKeys(raw));
            assertThat(store.admin().verify().violations()).isEmpty();
        });
    }

    @Test
    void anAppendWritesWhatItAdds() {
        store((cloud, store) -> {
            RecordCollection<Bytes, Bytes> raw = raw(store);
            Bytes large = noise(new Random(1), 1 << 20);
            raw.put(K, large);
            String first = cloud.keys("overflow/").getFirst();
            raw.append(K, Bytes.utf8("2 3"));
            assertThat(cloud.keys("overflow/")).as("a few bytes need no object").containsExactly(first);
            raw.append(K, noise(new Random(2), 10_000));
            assertThat(cloud.keys("overflow/")).hasSize(2).contains(first);
            cloud.objects().deleteAll(cloud.keys("overflow/"));
            assertThat(raw.payloadBytes(K)).as("not read").hasValue((1 << 20) + 3 + 10_000);
        });
    }

    @Test
    void badInputIsToldInOneLine() {
        store((cloud, store) -> {
            RecordCollection<Bytes, Bytes> raw = raw(store);
            for (int length : new int[] {10, 5_000}) {
                raw.put(K, Bytes.wrap(new byte[length]));
                for (long[] range : new long[][] {{-1, 1}, {0, -1}, {0, length + 1}, {length, 1}, {length + 1, 0}}) {
                    assertThatThrownBy(() -> raw.open(K, range[0], range[1]))
                            .isInstanceOf(InvalidRequestException.class)
                            .is(code(ErrorCode.INVALID_ARGUMENT))
                            .hasMessageContaining("offset=" + range[0] + " length=" + range[1]);
                }
                assertThat(readAll(raw.open(K, length, 0).orElseThrow())).isEqualTo(Bytes.EMPTY);
            }
            Bytes none = Bytes.utf8("none");
            assertThat(raw.open(none, 3, 4)).isEmpty();
            assertThat(raw.payloadBytes(none)).isEmpty();
            assertThatThrownBy(() -> raw.append(none, K))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("there is no record to append to; put it first");
            raw.put(K, Bytes.wrap(new byte[RecordCollection.PAYLOAD_BYTES_MAX - 1]));
            assertThatThrownBy(() -> raw.append(K, Bytes.utf8("xx")))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.TOO_LARGE));
            RecordCollection<Bytes, Bytes> indexed = store.collection("indexed", Keys.bytes(), PayloadCodec.bytes());
            var unused = indexed.index("by-value", Keys.bytes(), value -> value);
            indexed.put(K, K);
            assertThatThrownBy(() -> indexed.append(K, K)).isInstanceOf(InvalidRequestException.class);
        });
    }

    @Test
    void aMissingObjectAndADamagedBlockAreTold() {
        store((cloud, store) -> {
            RecordCollection<Bytes, Bytes> raw = raw(store);
            Bytes first = noise(new Random(3), 100_000);
            raw.put(K, first);
            raw.append(K, noise(new Random(4), 50_000));
            store.admin().checkpoint();
            String second = cloud.keys("overflow/").stream()
                    .filter(key -> cloud.objects().get(key).orElseThrow().body().length() < 60_000)
                    .findFirst()
                    .orElseThrow();
            cloud.objects().deleteAll(List.of(second));
            assertThat(part(raw, 0, 100_000)).isEqualTo(first);
            assertThatThrownBy(() -> part(raw, 100_000, 10)).isInstanceOf(CorruptDataException.class);
            assertThatThrownBy(() -> raw.get(K)).isInstanceOf(CorruptDataException.class);
            InputStream begun = raw.open(K).orElseThrow();
            assertThatThrownBy(begun::readAllBytes).isInstanceOf(CorruptDataException.class);
            assertThat(store.admin().verify().violations()).hasSize(1);
        });
    }

    /** Ways to read a payload within a body. */
    private enum Look {
        GET((tx, raw) -> tx.get(raw, K).orElseThrow()),
        GET_ALL((tx, raw) -> tx.getAll(raw, List.of(K)).get(K)),
        OPEN((tx, raw) -> readAll(tx.open(raw, K).orElseThrow())),
        SCAN((tx, raw) ->
                tx.scan(raw, KeySpan.all()).stream().toList().getFirst().value());

        private final BiFunction<Transaction, RecordCollection<Bytes, Bytes>, Bytes> read;

        Look(BiFunction<Transaction, RecordCollection<Bytes, Bytes>, Bytes> read) {
            this.read = read;
        }
    }

    /** What a body appends to may be replaced, and its objects removed, before the body reads it: that is no damage. */
    @ParameterizedTest
    @EnumSource
    void aBodyReadsWhatItHasAppendedToAPayloadThatOthersReplace(Look look) {
        for (ConsistencyLevel level : Stream.of(ConsistencyLevel.values())
                .filter(ConsistencyLevel::isolates)
                .toList()) {
            store(level, (cloud, store) -> {
                RecordCollection<Bytes, Bytes> raw = raw(store);
                raw.put(K, noise(new Random(5), 3_000));
                store.admin().checkpoint();
                Bytes other = noise(new Random(6), 4_000);
                try (Transaction tx = store.begin()) {
                    tx.append(raw, K, Bytes.utf8("more"));
                    cloud.machine("b")
                            .fork("replace", () -> replace(cloud, level, other))
                            .join();
                    assertThat(cloud.keys("overflow/")).hasSize(1);
                    assertThatThrownBy(() -> look.read.apply(tx, raw)).isInstanceOf(ConflictException.class);
                }
                assertThat(raw.get(K)).hasValue(other);
            });
        }
    }

    private static boolean replace(SimulatedStore cloud, ConsistencyLevel level, Bytes by) {
        try (Penstock store =
                Penstock.open(cloud.settings("b").checkpointing(false).level(level))) {
            raw(store).put(K, by);
            store.admin().checkpoint();
            return true;
        }
    }

    @Test
    void anAppendKeepsTheExpiry() {
        store((cloud, store) -> {
            RecordCollection<Bytes, Bytes> raw = raw(store);
            raw.put(K, Bytes.wrap(new byte[2_000]), Duration.ofMinutes(10));
            cloud.sleep(Duration.ofMinutes(5));
            raw.append(K, Bytes.wrap(new byte[2_000]));
            cloud.sleep(Duration.ofMinutes(4));
            assertThat(raw.payloadBytes(K)).hasValue(4_000);
            cloud.sleep(Duration.ofMinutes(2));
            assertThat(raw.payloadBytes(K)).isEmpty();
            assertThatThrownBy(() -> raw.append(K, K)).isInstanceOf(InvalidRequestException.class);
        });
    }

    /** Of two that append at one time none is lost, and what is read is a part of one version. */
    @Test
    void writersBesideAreSerialAndReadersSeeNoMixture() {
        store((cloud, store) -> {
            raw(store).put(K, Bytes.wrap(new byte[1_000]));
            List<Task<Boolean>> work = new ArrayList<>();
            for (int client = 1; client <= 3; client++) {
                int of = client;
                work.add(cloud.machine("c" + client).start("work", () -> {
                    try (Penstock own = Penstock.open(cloud.settings("c" + of).level(ConsistencyLevel.SERIALIZABLE))) {
                        Random random = new Random(of);
                        for (int i = 0; i < 15; i++) {
                            write(raw(own), random, of);
                            read(own, random);
                        }
                    }
                }));
            }
            work.forEach(Task::join);
            store.admin().checkpoint();
            assertThat(store.admin().verify().violations()).isEmpty();
            assertThat(raw(store).payloadBytes(K).orElseThrow() % 1_000).isZero();
        });
    }

    /** Each piece is a thousand equal bytes; a new version is of pieces of one kind. */
    private static void write(RecordCollection<Bytes, Bytes> raw, Random random, int of) {
        byte[] piece = new byte[1_000];
        java.util.Arrays.fill(piece, (byte) (of * 32 + random.nextInt(32)));
        try {
            if (random.nextInt(5) == 0) {
                raw.put(K, Bytes.wrap(piece));
            } else {
                raw.append(K, Bytes.wrap(piece));
            }
        } catch (ConflictException | UnavailableException unlucky) {
            assertThat(unlucky.getMessage()).isNotEmpty();
        }
    }

    private static void read(Penstock store, Random random) {
        RecordCollection<Bytes, Bytes> raw = raw(store);
        try {
            boolean unused = store.read(tx -> {
                int size = (int) tx.payloadBytes(raw, K).orElseThrow();
                assertThat(size % 1_000).isZero();
                int offset = random.nextInt(size);
                Bytes some = readAll(tx.open(raw, K, offset, size - offset).orElseThrow());
                assertThat(tx.get(raw, K).orElseThrow().slice(offset, size)).isEqualTo(some);
                for (int at = offset; at < size - 1; at++) {
                    boolean same = some.at(at - offset) == some.at(at + 1 - offset);
                    assertThat(same || (at + 1) % 1_000 == 0).as("at=" + at).isTrue();
                }
                return true;
            });
        } catch (ConflictException | UnavailableException unlucky) {
            assertThat(unlucky.getMessage()).isNotEmpty();
        }
    }

    @Test
    void garbageCollectionAndCompactionKeepOldObjectsOfYoungPayloads() {
        store((cloud, store) -> {
            RecordCollection<Bytes, Bytes> raw = raw(store);
            Bytes whole = noise(new Random(5), 3_000);
            raw.put(K, whole);
            for (int i = 0; i < 12; i++) {
                cloud.sleep(Duration.ofDays(20));
                Bytes more = noise(new Random(i), 100 + 200 * i);
                raw.append(K, more);
                whole = whole.concat(more);
                if (i % 2 == 0) {
                    store.admin().checkpoint();
                }
                var unused = store.admin().removeGarbage(Duration.ofHours(2));
                var compacted = store.admin().compact();
                assertThat(raw.get(K)).hasValue(whole);
            }
            store.admin().checkpoint();
            assertThat(new TreeSet<>(cloud.keys("overflow/")))
                    .as("none is left over, and none missing")
                    .hasSizeGreaterThan(1)
                    .isEqualTo(FinalState.overflowKeys(raw));
            raw.delete(K);
            store.admin().checkpoint();
            assertThat(cloud.keys("overflow/")).isEmpty();
        });
    }
}
