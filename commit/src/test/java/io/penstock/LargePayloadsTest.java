package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.World;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Payloads above a quarter of a page, which is 256 bytes here, and far above it. */
class LargePayloadsTest {
    private static void store(BiConsumer<SimulatedStore, Penstock> body) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").checkpointing(false))) {
                body.accept(cloud, store);
            }
        });
    }

    private static String large(int seed) {
        return "large " + seed + " " + "v".repeat(1000 + seed);
    }

    private static RecordCollection<Bytes, Bytes> raw(Penstock store) {
        return store.collection("raw", Keys.bytes(), PayloadCodec.bytes());
    }

    private static Bytes noise(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private static InputStream stream(Bytes payload) {
        return new ByteArrayInputStream(payload.array(), payload.offset(), payload.length());
    }

    private static Bytes readAll(InputStream in) {
        try (in) {
            return Bytes.wrap(in.readAllBytes());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(ConsistencyLevel.class)
    void areReadAtOnceAfterTheirCheckpointAndByOthers(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").checkpointing(false).level(level);
            try (Penstock store = Penstock.open(settings)) {
                store.transact(tx -> {
                    tx.put(words(store), "a", large(1));
                    assertThat(tx.get(words(store), "a")).hasValue(large(1));
                    tx.put(words(store), "b", "small");
                    return true;
                });
                if (StoreProbe.keepsSession(store, level)) {
                    assertThat(words(store).get("a")).as("not applied yet").hasValue(large(1));
                    assertThat(SimulatedStore.content(store)).isEqualTo(Map.of("a", large(1), "b", "small"));
                }
                store.admin().checkpoint();
                assertThat(words(store).get("a")).hasValue(large(1));
            }
            try (Penstock other = cloud.open("b")) {
                assertThat(SimulatedStore.content(other)).isEqualTo(Map.of("a", large(1), "b", "small"));
                assertThat(words(other).getAll(List.of("b", "none", "a")))
                        .isEqualTo(Map.of("a", large(1), "b", "small"));
                assertThat(other.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void goWhenTheyAreReplacedOrDeleted() {
        store((cloud, store) -> {
            for (int i = 0; i < 5; i++) {
                words(store).put("k", large(i));
            }
            assertThat(cloud.keys("overflow/")).hasSize(5);
            store.admin().checkpoint();
            assertThat(cloud.keys("overflow/")).as("the last one").hasSize(1);
            words(store).put("k", "small");
            store.admin().checkpoint();
            assertThat(cloud.keys("overflow/")).isEmpty();
            words(store).put("k", large(7));
            store.admin().checkpoint();
            words(store).delete("k");
            assertThat(words(store).get("k")).isEmpty();
            store.admin().checkpoint();
            assertThat(cloud.keys("overflow/")).isEmpty();
            assertThat(words(store).get("k")).isEmpty();
        });
    }

    /** Reads from a page in the pool that names an object which another client's checkpoint has removed. */
    @Test
    void aReaderOfAnOldPageFindsTheNewPayload() {
        store((cloud, store) -> {
            words(store).put("k", large(1));
            words(store).put("gone", large(2));
            store.admin().checkpoint();
            try (Penstock reader = Penstock.open(cloud.settings("b").ttl(Duration.ofMinutes(5)))) {
                assertThat(words(reader).get("k")).hasValue(large(1));
                Scan<Entry<String, String>> scan = words(reader).scan(KeySpan.all());
                assertThat(scan.next().key()).isEqualTo("gone");
                words(store).put("k", large(3));
                words(store).delete("gone");
                store.admin().checkpoint();
                assertThat(scan.next()).isEqualTo(new Entry<>("k", large(3)));
                assertThat(scan.hasNext()).isFalse();
                assertThat(words(reader).get("gone")).isEmpty();
                assertThat(words(reader).get("k")).hasValue(large(3));
            }
        });
    }

    /** The session's overlay still holds a record that another client has replaced since. */
    @Test
    void aSessionWhoseOwnPayloadWasReplacedReadsTheNewer() {
        store((cloud, store) -> {
            words(store).put("k", large(1));
            try (Penstock other = Penstock.open(cloud.settings("b").checkpointing(false))) {
                other.admin().checkpoint();
                words(other).put("k", large(2));
                other.admin().checkpoint();
            }
            assertThat(cloud.keys("overflow/")).hasSize(1);
            assertThat(words(store).get("k")).hasValue(large(2));
        });
    }

    @Test
    void anObjectThatIsNotThereIsToldNotGuessed() {
        store((cloud, store) -> {
            words(store).put("k", large(1));
            store.admin().checkpoint();
            cloud.objects().deleteAll(cloud.keys("overflow/"));
            assertThatThrownBy(() -> words(store).get("k"))
                    .isInstanceOf(CorruptDataException.class)
                    .is(code(ErrorCode.OBJECT_DAMAGED))
                    .hasMessageContaining("object=penstock/overflow/");
        });
    }

    @Test
    void streamsOfManyParts() {
        store((cloud, store) -> {
            Bytes payload = noise(1, 20 << 20);
            raw(store).putStream(Bytes.utf8("k"), stream(payload));
            assertThat(readAll(raw(store).open(Bytes.utf8("k")).orElseThrow())).isEqualTo(payload);
            assertThat(raw(store).get(Bytes.utf8("k"))).hasValue(payload);
            raw(store).putStream(Bytes.utf8("small"), stream(Bytes.utf8("few bytes")));
            assertThat(cloud.keys("overflow/")).hasSize(1);
            assertThat(readAll(raw(store).open(Bytes.utf8("small")).orElseThrow()))
                    .isEqualTo(Bytes.utf8("few bytes"));
            assertThat(raw(store).open(Bytes.utf8("none"))).isEmpty();
            InputStream begun = raw(store).open(Bytes.utf8("k")).orElseThrow();
            raw(store).delete(Bytes.utf8("k"));
            store.admin().checkpoint();
            assertThatThrownBy(begun::readAllBytes).isInstanceOf(ConflictException.class);
        });
    }

    @Test
    void indexesReadTheWholeValue() {
        store((cloud, store) -> {
            RecordCollection<String, String> words = words(store);
            Index<String, String, String> byStart =
                    words.index("by-start", Keys.string(), word -> word.substring(0, 7));
            words.put("a", large(1));
            words.put("b", large(2));
            words.put("c", "small one");
            store.admin().checkpoint();
            words.put("b", large(11));
            try (Scan<Entry<String, String>> found = byStart.scan("large 1")) {
                assertThat(found.stream()).containsExactly(new Entry<>("a", large(1)), new Entry<>("b", large(11)));
            }
            assertThatThrownBy(() -> words.putStream("d", stream(Bytes.utf8("\"x\""))))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_ARGUMENT));
        });
    }

    @Test
    void aboveTheLimitIsRefused() {
        store((cloud, store) -> {
            Bytes tooLarge = Bytes.wrap(new byte[RecordCollection.PAYLOAD_BYTES_MAX + 1]);
            assertThatThrownBy(() -> raw(store).put(Bytes.utf8("k"), tooLarge))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.TOO_LARGE))
                    .hasMessageContaining("payloadBytes=104857601 payloadBytesMax=104857600");
            assertThatThrownBy(() -> raw(store).putStream(Bytes.utf8("k"), stream(tooLarge)))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("payloadBytesMax=104857600");
            assertThat(cloud.keys("overflow/")).isEmpty();
        });
    }

    @Test
    void theLargestOneIsTaken() {
        store((cloud, store) -> {
            Bytes largest = noise(3, RecordCollection.PAYLOAD_BYTES_MAX);
            raw(store).put(Bytes.utf8("k"), largest);
            store.admin().checkpoint();
            assertThat(raw(store).get(Bytes.utf8("k")).orElseThrow().equals(largest))
                    .isTrue();
        });
    }

    /** Otherwise garbage collection might remove the object before the record that refers to it is applied. */
    @Test
    void aTransactionThatIsTooOldIsNotCommitted() {
        store((cloud, store) -> {
            Transaction tx = store.begin();
            tx.put(words(store), "k", large(1));
            cloud.sleep(Duration.ofHours(25));
            assertThatThrownBy(tx::commit).isInstanceOf(ConflictException.class).is(code(ErrorCode.CONFLICT));
            assertThat(words(store).get("k")).isEmpty();
            Transaction small = store.begin();
            small.put(words(store), "k", "small");
            cloud.sleep(Duration.ofHours(25));
            small.commit();
            assertThat(words(store).get("k")).hasValue("small");
        });
    }

    @Test
    void aReadOnlyClientWritesNoObject() {
        store((cloud, store) -> {
            words(store).put("k", "small");
            try (Penstock reader = Penstock.open(cloud.settings("b").readOnly(true));
                    Transaction tx = reader.begin()) {
                assertThatThrownBy(() -> tx.put(words(reader), "k", large(1)))
                        .isInstanceOf(InvalidRequestException.class)
                        .is(code(ErrorCode.READ_ONLY));
            }
            assertThat(cloud.keys("overflow/")).isEmpty();
        });
    }

    /** With messages of 8 KB, a payload above them goes into an object, whatever the page could hold. */
    @Test
    void aPayloadAboveAMessage() {
        new SimulatedStore(1, Profile.PAPER_2008, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").pageBytes(64 << 10))) {
                for (int bytes = 8192 - 120; bytes <= 8192; bytes++) {
                    Bytes payload = noise(bytes, bytes);
                    for (ConsistencyLevel level :
                            Levels.except(ConsistencyLevel.SNAPSHOT, ConsistencyLevel.SERIALIZABLE)) {
                        store.transact(level, tx -> {
                            tx.put(raw(store), Bytes.utf8("k"), payload);
                            return true;
                        });
                    }
                    store.admin().checkpoint();
                    assertThat(raw(store).get(Bytes.utf8("k"))).hasValue(payload);
                }
            }
        });
    }

    /** The input of garbage collection: every object that a page refers to. */
    @Test
    void theObjectsThatPagesName() {
        store((cloud, store) -> {
            for (int i = 0; i < 100; i++) {
                words(store).put("k" + i % 40, i % 3 == 0 ? "small" : large(i));
            }
            store.admin().checkpoint();
            store.begin().put(words(store), "k1", large(500));
            Set<String> named = FinalState.overflowKeys(words(store));
            Set<String> stored = new TreeSet<>(cloud.keys("overflow/"));
            assertThat(named).isNotEmpty().isSubsetOf(stored);
            stored.removeAll(named);
            assertThat(stored).as("written, and never committed").hasSize(1);
        });
    }

    /** The leaf that takes over another one keeps its references as references. */
    @Test
    void largePayloadsOutliveTheJoiningOfTheirLeaves() {
        store((cloud, store) -> {
            Map<String, String> written = new TreeMap<>();
            for (int i = 0; i < 60; i++) {
                words(store).put("k" + (100 + i), large(i));
                written.put("k" + (100 + i), large(i));
            }
            store.admin().checkpoint();
            for (int i = 0; i < 60; i += 2) {
                words(store).delete("k" + (100 + i));
                written.remove("k" + (100 + i));
            }
            store.admin().checkpoint();
            cloud.sleep(Duration.ofDays(40));
            assertThat(StoreProbe.compact(store, 130).joined()).isPositive();
            assertThat(SimulatedStore.content(store)).isEqualTo(written);
            assertThat(store.admin().verify().violations()).isEmpty();
        });
    }
}
