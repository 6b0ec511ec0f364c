package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.object.WriteCondition;
import io.penstock.testkit.Profile;
import io.penstock.testkit.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every mistake has its kind of exception and a message that says what to do; and nothing is lost by it. */
class BadInputTest {
    record Note(String text, String tag) {}

    private static AbstractThrowableAssert<?, ? extends Throwable> invalid(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(InvalidRequestException.class);
    }

    /** Runs {@code mistake} on a store with one record, which must be there after it. */
    private static void mistake(Profile profile, Consumer<Penstock> mistake) {
        new SimulatedStore(1, profile, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                words(store).put("kept", "1");
                mistake.accept(store);
                assertThat(words(store).get("kept")).hasValue("1");
                words(store).put("after", "1");
                store.admin().checkpoint();
                assertThat(SimulatedStore.content(store)).containsOnlyKeys("kept", "after");
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    private static void mistake(Consumer<Penstock> mistake) {
        mistake(Profile.AWS_2026, mistake);
    }

    @Test
    void anEmptyKey() {
        mistake(store -> {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> words(store).put("", "v"),
                    () -> words(store).get(""),
                    () -> words(store).delete(""))) {
                invalid(call)
                        .is(code(ErrorCode.INVALID_ARGUMENT))
                        .hasMessageContaining("collection=words keyBytes=0 keyBytesMax=128");
            }
        });
    }

    @Test
    void anOversizedKey() {
        mistake(store -> {
            words(store).put("k".repeat(128), "v");
            words(store).delete("k".repeat(128));
            invalid(() -> words(store).put("k".repeat(129), "v"))
                    .is(code(ErrorCode.TOO_LARGE))
                    .hasMessageContaining("keyBytes=129 keyBytesMax=128");
        });
    }

    @Test
    void aKeyThatMakesAnIndexEntryTooLong() {
        mistake(store -> {
            RecordCollection<String, Note> notes = store.collection("notes", Keys.string(), Json.of(Note.class));
            notes.index("by-tag", Keys.string(), Note::tag);
            invalid(() -> notes.put("k".repeat(70), new Note("x", "t".repeat(70))))
                    .is(code(ErrorCode.TOO_LARGE));
            notes.put("k".repeat(60), new Note("x", "t".repeat(60)));
        });
    }

    @Test
    void aValueThatIsNoJson() {
        mistake(store -> {
            RecordCollection<String, Object> odd = store.collection("odd", Keys.string(), Json.of(Object.class));
            invalid(() -> odd.put("k", new Object())).is(code(ErrorCode.CODEC_FAILURE));
            RecordCollection<Bytes, Bytes> raw = store.rawCollection("words");
            raw.put(Bytes.utf8("bad"), Bytes.utf8("secret no json"));
            assertThatThrownBy(() -> words(store).get("bad"))
                    .isInstanceOf(CorruptDataException.class)
                    .is(code(ErrorCode.CODEC_FAILURE))
                    .message()
                    .doesNotContain("secret");
            raw.delete(Bytes.utf8("bad"));
        });
    }

    /** What a program hands in that does not check its own input. */
    @SuppressWarnings("NullAway")
    private static <T> T nothing() {
        return null;
    }

    @Test
    void nullKeysAndValues() {
        mistake(store -> {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> words(store).put("k", nothing()),
                    () -> words(store).put(nothing(), "v"),
                    () -> words(store).get(nothing()),
                    () -> words(store).getAll(Collections.singletonList(nothing())),
                    () -> words(store).delete(nothing()))) {
                invalid(call).hasMessageContaining("must not be null; give one collection=words");
            }
            RecordCollection<String, Note> notes = store.collection("notes", Keys.string(), Json.of(Note.class));
            Index<String, String, Note> byTag = notes.index("by-tag", Keys.string(), Note::tag);
            invalid(() -> store.transact(tx -> tx.scan(byTag, BadInputTest.<String>nothing())))
                    .is(code(ErrorCode.INVALID_ARGUMENT));
            invalid(() -> KeySpan.from(nothing())).is(code(ErrorCode.INVALID_ARGUMENT));
            invalid(() -> KeySpan.startingWith(nothing())).is(code(ErrorCode.INVALID_ARGUMENT));
        });
    }

    @Test
    void aPayloadThatItsCodecTakesForNull() {
        mistake(store -> {
            RecordCollection<Bytes, Bytes> raw = store.rawCollection("words");
            raw.put(Bytes.utf8("null"), Bytes.utf8("null"));
            for (ThrowingCallable read : List.<ThrowingCallable>of(
                    () -> words(store).get("null"),
                    () -> words(store).getAll(List.of("null")),
                    () -> SimulatedStore.content(store))) {
                assertThatThrownBy(read)
                        .isInstanceOf(CorruptDataException.class)
                        .is(code(ErrorCode.CODEC_FAILURE))
                        .hasMessageContaining("collection=words");
            }
            raw.delete(Bytes.utf8("null"));
        });
    }

    @Test
    void durationsWithoutEnd() {
        Settings settings = Settings.local(Path.of("nowhere"));
        Duration forever = ChronoUnit.FOREVER.getDuration();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> settings.ttl(forever),
                () -> settings.ttl(Duration.ofDays(300 * 365L)),
                () -> settings.ttl(Duration.ofMinutes(6)),
                () -> settings.checkpointInterval(forever),
                () -> settings.advanced(advanced -> advanced.forwardInterval(forever)),
                () -> settings.advanced(advanced -> advanced.heartbeatInterval(forever)),
                () -> settings.deadAfter(forever),
                () -> settings.advanced(advanced -> advanced.lease(forever)),
                () -> settings.advanced(advanced -> advanced.clockSkewMax(forever)),
                () -> settings.closeWithin(forever),
                () -> settings.callBudget(forever),
                () -> settings.advanced(advanced -> advanced.sweepEvery(forever)))) {
            invalid(call).is(code(ErrorCode.INVALID_SETTING));
        }
        assertThat(settings.deadAfter(Duration.ofDays(36_500))).as("a century").isNotNull();
    }

    @Test
    void aHeartbeatThatComesTooLate() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").deadAfter(Duration.ofSeconds(5));
            for (int seconds : List.of(5, 30)) {
                invalid(() -> Penstock.open(
                                settings.advanced(advanced -> advanced.heartbeatInterval(Duration.ofSeconds(seconds)))))
                        .is(code(ErrorCode.INVALID_SETTING));
            }
            Penstock.open(settings.advanced(advanced -> advanced.heartbeatInterval(Duration.ofSeconds(2))))
                    .close();
        });
    }

    @Test
    void settingsThatAreNull() {
        Settings settings = Settings.local(Path.of("nowhere"));
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> settings.level(nothing()),
                () -> settings.advanced(advanced -> advanced.layout(nothing())),
                () -> settings.provisioning(nothing()),
                () -> settings.meters(nothing()),
                () -> settings.prefix(nothing()),
                () -> settings.clientName(nothing()),
                () -> settings.diskTier(nothing(), 1 << 20),
                () -> settings.ttl(nothing()),
                () -> settings.advanced(advanced -> advanced.lease(nothing())))) {
            invalid(call).is(code(ErrorCode.INVALID_ARGUMENT));
        }
    }

    @Test
    void anUnknownCollection() {
        mistake(store -> invalid(() -> store.rawCollection("nothing"))
                .hasMessageContaining("the store has no such collection; check its name collection=nothing"));
    }

    @Test
    void badNames() {
        mistake(store -> {
            for (String name : List.of("", "a b", "-a", "a/b", "x".repeat(65), "ä", "..")) {
                invalid(() -> store.collection(name, Keys.string(), PayloadCodec.bytes()))
                        .is(code(ErrorCode.INVALID_ARGUMENT));
                RecordCollection<String, Note> notes = store.collection("notes", Keys.string(), Json.of(Note.class));
                invalid(() -> notes.index(name, Keys.string(), Note::tag)).is(code(ErrorCode.INVALID_ARGUMENT));
            }
        });
    }

    @Test
    void badSettings() {
        Settings settings = Settings.local(Path.of("unused"));
        for (String prefix : List.of("", "A", "a_b", "-a", "a".repeat(31), "a/b")) {
            invalid(() -> settings.prefix(prefix)).is(code(ErrorCode.INVALID_SETTING));
        }
        invalid(() -> settings.pageBytes(511)).hasMessageContaining("setting=pageBytes value=511 min=512 max=16777216");
        invalid(() -> settings.pageBytes((16 << 20) + 1)).is(code(ErrorCode.INVALID_SETTING));
        invalid(() -> settings.poolBytes(1)).hasMessageContaining("setting=poolBytes");
        for (Duration bad : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            invalid(() -> settings.ttl(bad)).is(code(ErrorCode.INVALID_SETTING));
            invalid(() -> settings.checkpointInterval(bad)).hasMessageContaining("setting=checkpointInterval");
            invalid(() -> settings.advanced(advanced -> advanced.forwardInterval(bad)))
                    .hasMessageContaining("setting=forwardInterval");
            invalid(() -> settings.advanced(advanced -> advanced.heartbeatInterval(bad)))
                    .hasMessageContaining("setting=heartbeatInterval");
            invalid(() -> settings.deadAfter(bad)).hasMessageContaining("setting=deadAfter");
            invalid(() -> settings.advanced(advanced -> advanced.lease(bad))).hasMessageContaining("setting=lease");
            invalid(() -> settings.advanced(advanced -> advanced.clockSkewMax(bad)))
                    .hasMessageContaining("setting=clockSkewMax");
            invalid(() -> settings.closeWithin(bad)).hasMessageContaining("setting=closeWithin");
            invalid(() -> settings.advanced(advanced -> advanced.sweepEvery(bad)))
                    .hasMessageContaining("setting=sweepEvery");
        }
        invalid(() -> settings.advanced(advanced -> advanced.lease(Duration.ofHours(13))))
                .as("no queue hides a message for longer")
                .hasMessageContaining("setting=lease");
        invalid(() -> Layout.partitioned(0)).is(code(ErrorCode.INVALID_SETTING));
        invalid(() -> Layout.partitioned(1025)).is(code(ErrorCode.INVALID_SETTING));
        invalid(() -> KeySpan.between(null, "a")).is(code(ErrorCode.INVALID_ARGUMENT));
    }

    @Test
    void anIndexDeclaredTooLateOrTwice() {
        mistake(store -> {
            RecordCollection<String, Note> notes = store.collection("notes", Keys.string(), Json.of(Note.class));
            notes.index("by-tag", Keys.string(), Note::tag);
            invalid(() -> notes.index("by-tag", Keys.string(), Note::text)).is(code(ErrorCode.ALREADY_EXISTS));
            notes.put("k", new Note("x", "t"));
            invalid(() -> notes.index("by-text", Keys.string(), Note::text)).is(code(ErrorCode.DEFINITION_MISMATCH));
        });
    }

    @Test
    void definitionsThatDisagree() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock a = cloud.open("a");
                    Penstock b = cloud.open("b")) {
                RecordCollection<String, Note> notes = a.collection("notes", Keys.string(), Json.of(Note.class));
                Index<String, String, Note> byTag = notes.index("by-tag", Keys.string(), Note::tag);
                notes.put("k", new Note("x", "t"));
                for (Penstock store : List.of(a, b)) {
                    RecordCollection<String, Note> bare = store.collection("notes", Keys.string(), Json.of(Note.class));
                    invalid(() -> bare.put("k", new Note("y", "u")))
                            .is(code(ErrorCode.DEFINITION_MISMATCH))
                            .hasMessageContaining("by-tag:string");
                    RecordCollection<Long, Note> numbered =
                            store.collection("notes", Keys.longs(), Json.of(Note.class));
                    numbered.index("by-tag", Keys.string(), Note::tag);
                    invalid(() -> numbered.get(1L))
                            .hasMessageContaining("stored=keys:string")
                            .hasMessageContaining("wanted=keys:long");
                    invalid(() -> store.rawCollection("notes").put(Bytes.utf8("k"), Bytes.EMPTY))
                            .is(code(ErrorCode.UNDECLARED_INDEX));
                }
                assertThat(FrontDoorContract.all(byTag.scan("t"))).hasSize(1);
            }
        });
    }

    /**
     * Of two clients with different definitions the second is refused; with the same definition both share one tree.
     */
    @Test
    void twoClientsDefineAtOnce() {
        for (long seed = 1; seed <= 20; seed++) {
            String run = "seed=" + seed;
            new SimulatedStore(seed, World.ROUGH).run(cloud -> {
                var tasks = List.of("a", "b", "c").stream()
                        .map(name -> cloud.machine(name).fork("define", () -> {
                            try (Penstock store = cloud.open(name)) {
                                words(store).put(name, name);
                                return true;
                            }
                        }))
                        .toList();
                tasks.forEach(io.penstock.core.task.Task::join);
                cloud.cloud.setWorld(World.CALM);
                try (Penstock store = cloud.open("d")) {
                    SimulatedStore.settle(store, cloud.machine("d"));
                    assertThat(SimulatedStore.content(store)).as(run).containsOnlyKeys("a", "b", "c");
                    assertThat(store.collections()).as(run).containsExactly("words");
                }
            });
        }
    }

    @Test
    void aClosedStore() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Penstock store = cloud.open("a");
            RecordCollection<String, String> words = words(store);
            words.put("a", "1");
            Transaction open = store.begin();
            open.put(words, "b", "1");
            store.close();
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> words.get("a"),
                    () -> words.put("a", "2"),
                    () -> words.scan(KeySpan.all()),
                    () -> open.get(words, "a"),
                    open::commit,
                    store::begin,
                    store::newSession,
                    store.admin()::checkpoint,
                    store.admin()::recover,
                    store.admin()::backlog,
                    store.admin()::verify,
                    store::collections,
                    () -> store.rawCollection("words"),
                    () -> words(store))) {
                assertThatThrownBy(call).isInstanceOf(ClosedException.class).is(code(ErrorCode.CLOSED));
            }
            open.close();
            try (Penstock again = cloud.open("a")) {
                assertThat(SimulatedStore.content(again)).containsOnlyKeys("a");
            }
        });
    }

    @Test
    void aTransactionThatIsOver() {
        mistake(store -> {
            Transaction tx = store.begin();
            tx.abort();
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    tx::commit,
                    () -> tx.put(words(store), "x", "1"),
                    () -> tx.delete(words(store), "x"),
                    () -> tx.get(words(store), "x"),
                    () -> tx.scan(words(store), KeySpan.all()))) {
                assertThatThrownBy(call).isInstanceOf(ClosedException.class).is(code(ErrorCode.CLOSED));
            }
        });
    }

    @Test
    void aCollectionOfAnotherHandle() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock a = cloud.open("a");
                    Penstock b = cloud.open("b")) {
                RecordCollection<String, String> ofB = words(b);
                invalid(() -> a.begin().put(ofB, "k", "v"))
                        .is(code(ErrorCode.TRANSACTION_MISUSE))
                        .hasMessageContaining("open it from this one collection=words");
            }
        });
    }

    @Test
    void aDirectoryInUseOrUnusable(@TempDir Path directory) throws Exception {
        Settings settings = Settings.local(directory.resolve("store"), Durability.OS_CACHE);
        try (Penstock store = Penstock.open(settings)) {
            words(store).put("a", "1");
            invalid(() -> Penstock.open(settings)).is(code(ErrorCode.DIRECTORY_IN_USE));
            assertThat(words(store).get("a")).hasValue("1");
        }
        try (Penstock store = Penstock.open(settings)) {
            assertThat(words(store).get("a")).hasValue("1");
        }
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertThatThrownBy(() -> Penstock.open(Settings.local(file))).isInstanceOf(StoreException.class);
    }

    /** Any byte of any page: a reader is told which object to restore, and gets no wrong answer. */
    @Test
    void aFlippedByteInAnyPage() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                for (int i = 0; i < 120; i++) {
                    words(store).put("key" + i, "value " + i + "x".repeat(40));
                }
                store.admin().checkpoint();
            }
            List<String> pages = cloud.objects().list("penstock/", "", 1000).entries().stream()
                    .map(entry -> entry.key())
                    .filter(key -> !key.contains("catalog") && !key.contains("clients") && !key.contains("/store"))
                    .toList();
            assertThat(pages).hasSizeGreaterThan(10);
            int unnoticed = 0;
            for (String key : pages) {
                unnoticed += flip(cloud, key) ? 0 : 1;
            }
            assertThat(unnoticed)
                    .as("the ledger, which only a checkpoint reads; the tree's name and its mark, which are hints")
                    .isEqualTo(3);
            try (Penstock store = cloud.open("z")) {
                assertThat(SimulatedStore.content(store)).hasSize(120);
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    /**
     * Damages one byte, lets a new client read everything, and repairs the byte. Returns whether the client found the
     * damage.
     */
    private static boolean flip(SimulatedStore cloud, String key) {
        Bytes good = cloud.object(key);
        byte[] damaged = good.toArray();
        damaged[(key.hashCode() & 0x7fffffff) % damaged.length] ^= 0x10;
        cloud.objects().put(key, Bytes.wrap(damaged), WriteCondition.ALWAYS);
        boolean met = false;
        try (Penstock store = Penstock.open(cloud.settings("r" + key))) {
            assertThat(SimulatedStore.content(store)).hasSize(120);
        } catch (CorruptDataException e) {
            met = true;
            assertThat(e).hasMessageContaining(key);
        }
        try (Penstock store = Penstock.open(cloud.settings("c" + key).closeWithin(Duration.ofMillis(1)))) {
            words(store).put("key1", "value 1" + "x".repeat(40));
            if (!met) {
                assertThat(store.admin().checkpoint().records()).as(key).isPositive(); // a damaged ledger is begun anew
            }
        }
        cloud.objects().put(key, good, WriteCondition.ALWAYS);
        return met;
    }
}
