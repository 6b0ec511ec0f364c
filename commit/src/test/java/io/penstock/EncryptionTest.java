package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.queue.memory.MemoryQueueService;
import io.penstock.core.seal.KeyRing;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.seal.Seals;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted stores: nothing readable is outside of the client, what was changed is found out, keys are needed. */
class EncryptionTest {
    private static final MasterKeys MAIN = MasterKeys.given(line("main", 1));
    private static final int PLANTED = 1_000;
    private static final int PLANTED_BYTES = 16;

    @TempDir
    Path directory;

    private final Tasks tasks = new ThreadTasks();
    private final ObjectStore bare = new MemoryObjectStore(tasks);
    private final MemoryQueueService queues = new MemoryQueueService(tasks);

    private static String line(String name, long seed) {
        byte[] key = new byte[32];
        new Random(seed).nextBytes(key);
        return name + " " + Base64.getEncoder().encodeToString(key);
    }

    private Settings memory() {
        return Settings.on(bare, queues, tasks).pageBytes(1024).advanced(advanced -> advanced.sweeping(false));
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static RecordCollection<String, String> strict(Penstock store) {
        return words(store).inDomain("main");
    }

    private static ErrorCode codeOf(ThrowingCallable call) {
        return catchThrowableOfType(StoreException.class, call).code();
    }

    private Map<String, Bytes> objects() {
        Map<String, Bytes> all = new TreeMap<>();
        ObjectStores.listAll(bare, "")
                .forEach(entry ->
                        all.put(entry.key(), bare.get(entry.key()).orElseThrow().body()));
        return all;
    }

    // ---- Nothing readable

    /** A text that is searched for, and that nothing else has. */
    private static String planted(int number) {
        byte[] text = new byte[PLANTED_BYTES / 2];
        new Random(number + 77).nextBytes(text);
        return Bytes.wrap(text).toHex();
    }

    private static Set<String> found(Path place) {
        Set<String> wanted = new HashSet<>();
        for (int i = 0; i < PLANTED; i++) {
            wanted.add(planted(i));
        }
        Set<String> found = new HashSet<>();
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
                for (int at = 0; at + PLANTED_BYTES <= bytes.length(); at++) {
                    String text = bytes.substring(at, at + PLANTED_BYTES);
                    if (wanted.contains(text)) {
                        found.add(text);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** Plants texts as values, keys and large payloads of a collection whose messages stay in their queues. */
    private static void plantInQueues(Settings settings) {
        try (Penstock store =
                Penstock.open(settings.level(ConsistencyLevel.ATOMIC).checkpointing(false))) {
            RecordCollection<String, String> weak = store.collection("weak", Keys.string(), Json.of(String.class));
            for (int i = 0; i < PLANTED; i += 10) {
                weak.put(planted(i), planted(i) + " ".repeat(i % 100 == 0 ? 100_000 : 0));
            }
        }
    }

    /** Plants texts as values, keys, search keys and included fields, and takes a backup. */
    private void plant(Settings settings, Path backups) {
        try (Penstock store = Penstock.open(settings)) {
            store.admin().checkpoint();
            store.admin().drop("weak");
            RecordCollection<String, String> strict = strict(store);
            var unused = strict.index("by-text", Keys.string(), text -> text)
                    .including("text", Json.of(String.class), text -> text);
            for (int i = 0; i < PLANTED; i++) {
                strict.put("k" + planted(i), planted(i));
            }
            store.admin().checkpoint();
            for (int i = 0; i < PLANTED; i++) {
                assertThat(strict.get("k" + planted(i))).hasValue(planted(i));
            }
            try (LocalCloud cloud = LocalCloud.open(backups, tasks)) {
                store.admin().backup(cloud.objects(), "b", true);
            }
        }
    }

    /** Without encryption they are found everywhere: that is what makes the search a proof. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingPlantedIsFoundOutside(boolean encrypted) throws IOException {
        Path store = Files.createDirectory(directory.resolve("store"));
        Path tier = Files.createDirectory(directory.resolve("tier"));
        Path log = Files.createDirectory(directory.resolve("log"));
        Path backups = Files.createDirectory(directory.resolve("backups"));
        try (LocalCloud logs = LocalCloud.open(log, tasks)) {
            Settings plain = Settings.local(store)
                    .pageBytes(4096)
                    .poolBytes(64 << 10)
                    .diskTier(tier, 64 << 20)
                    .commitLog(logs.objects());
            Settings settings = encrypted ? plain.encryption(MAIN) : plain;
            plantInQueues(settings);
            assertFound(encrypted, store.resolve("queues"));
            plant(settings, backups);
        }
        for (Path place : List.of(store.resolve("objects"), tier, log, backups)) {
            assertFound(encrypted, place);
        }
    }

    private static void assertFound(boolean encrypted, Path place) {
        Set<String> found = found(place);
        if (encrypted) {
            assertThat(found).as(place.toString()).isEmpty();
        } else {
            assertThat(found).as(place.toString()).hasSizeGreaterThanOrEqualTo(PLANTED / 10);
        }
    }

    // ---- Found out

    /** Whatever object takes the place of another one, and whichever of its bytes is another. */
    @Test
    void everySwapAndFlipIsFoundOut() {
        tamper(61);
    }

    @Test
    @Tag("long")
    void everySwapAndEveryFlippedByteIsFoundOut() {
        tamper(1);
    }

    /** @param step between two bytes that are flipped */
    private void tamper(int step) {
        write(memory().encryption(MAIN), 0, 300);
        Map<String, Bytes> all = objects();
        List<String> keys =
                all.keySet().stream().filter(key -> !key.contains("/keys")).toList();
        assertThat(keys).hasSizeGreaterThan(20);
        ObjectStore copy = new MemoryObjectStore(tasks);
        copy.put("penstock/keys", all.get("penstock/keys"), WriteCondition.ALWAYS);
        KeyRing ring = KeyRing.open(tasks, copy, "penstock/", MAIN, false).orElseThrow();
        ObjectStore sealed = new Seals(tasks, ring).objects(copy, "penstock/");
        long found = 0;
        for (String place : keys) {
            for (String other : keys) {
                copy.put(place, all.get(other), WriteCondition.ALWAYS);
                if (place.equals(other)) {
                    assertThat(sealed.get(place)).isPresent();
                    assertFlipsFound(copy, sealed, place, all.get(place), step);
                } else {
                    assertThatThrownBy(() -> sealed.get(place)).isInstanceOf(CorruptDataException.class);
                    found++;
                }
            }
        }
        assertThat(found).isEqualTo((long) keys.size() * (keys.size() - 1));
    }

    private static void assertFlipsFound(ObjectStore below, ObjectStore sealed, String key, Bytes body, int step) {
        for (int at = 0; at < body.length(); at += step) {
            byte[] flipped = body.toArray();
            flipped[at] ^= (byte) (1 << (at % Byte.SIZE));
            below.put(key, Bytes.wrap(flipped), WriteCondition.ALWAYS);
            assertThatThrownBy(() -> sealed.get(key)).isInstanceOf(CorruptDataException.class);
        }
    }

    private static void write(Settings settings, int from, int to) {
        try (Penstock store = Penstock.open(settings)) {
            RecordCollection<String, String> words = strict(store);
            for (int i = from; i < to; i++) {
                words.put("k" + i % 100, "value " + i);
            }
            store.admin().checkpoint();
        }
    }

    /** What becomes of a store one object of which is an older version of itself, put back by who can write there. */
    @Test
    void whatIsReplayedIsFoundOutOrListed() {
        Settings settings = Settings.on(bare, tasks)
                .pageBytes(1024)
                .advanced(advanced -> advanced.sweeping(false))
                .encryption(MAIN);
        write(settings, 0, 400);
        Map<String, Bytes> older = objects();
        try (Penstock store = Penstock.open(settings)) {
            store.admin().rotateKeys();
        }
        write(settings, 400, 800);
        Map<String, Bytes> newer = objects();
        Map<String, Set<String>> outcomes = new TreeMap<>(); // by the folders of objects
        older.forEach((key, body) -> {
            if (newer.containsKey(key) && !newer.get(key).equals(body)) {
                reset(newer);
                bare.put(key, body, WriteCondition.ALWAYS);
                outcomes.computeIfAbsent(key.split("/")[1], folder -> new TreeSet<>())
                        .add(outcome(settings));
            }
        });
        assertThat(outcomes).containsKeys("domains", "keys", "keys.copy", "pages");
        assertThat(outcomes.remove("keys")).containsExactly("found out");
        // Decision 0059 says what it would take.
        outcomes.remove("pages");
        assertThat(outcomes.values()).allSatisfy(each -> assertThat(each).doesNotContain("not found out"));
    }

    private void reset(Map<String, Bytes> to) {
        bare.deleteAll(objects().keySet());
        to.forEach((key, body) -> bare.put(key, body, WriteCondition.ALWAYS));
    }

    private static String outcome(Settings settings) {
        try (Penstock store = Penstock.open(settings)) {
            boolean right = true;
            for (int i = 0; i < 100; i++) {
                right &= strict(store).get("k" + i).equals(Optional.of("value " + (700 + i)));
            }
            boolean sound = store.admin().verify().violations().isEmpty();
            return sound ? right ? "harmless" : "not found out" : "found out";
        } catch (StoreException found) {
            return "found out";
        }
    }

    // ---- Keys

    private void assertRefused(Settings settings, ErrorCode code) {
        Map<String, Bytes> before = objects();
        assertThatThrownBy(() -> Penstock.open(settings)).isInstanceOfSatisfying(StoreException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal.getMessage()).doesNotContain("\n");
        });
        objects().forEach((key, body) -> assertThat(body).as(key).isEqualTo(before.get(key)));
        assertThat(objects()).hasSameSizeAs(before);
    }

    @Test
    void anEncryptedStoreNeedsItsKey() {
        write(memory().encryption(MAIN), 0, 10);
        assertRefused(memory(), ErrorCode.NO_KEY);
        assertRefused(memory().readOnly(true), ErrorCode.NO_KEY);
        assertRefused(memory().encryption(MasterKeys.given(line("main", 2))), ErrorCode.NO_KEY);
        assertRefused(memory().encryption(MasterKeys.given(line("other", 1))), ErrorCode.NO_KEY);
        assertRefused(memory().encryption(MasterKeys.file(directory.resolve("none"))), ErrorCode.NO_KEY);
        assertRefused(memory().with(Map.of("encryption", "main AAAA")), ErrorCode.NO_KEY);
        // A client that was cut off between ring and identity; nobody makes a plain store there.
        bare.deleteAll(objects().keySet().stream()
                .filter(key -> !key.equals("penstock/keys"))
                .toList());
        assertRefused(memory(), ErrorCode.NO_KEY);
        write(memory().encryption(MAIN), 0, 10);
    }

    @Test
    void aPlainStoreTakesNoKey() {
        write(memory(), 0, 10);
        assertRefused(memory().encryption(MAIN), ErrorCode.INVALID_SETTING);
        assertRefused(memory().prefix("none").readOnly(true).encryption(MAIN), ErrorCode.STORE_NOT_FOUND);
        try (Penstock store = Penstock.open(memory())) {
            assertThat(codeOf(() -> store.admin().rotateKeys())).isEqualTo(ErrorCode.INVALID_SETTING);
        }
    }

    /** The ring, or an object, of another store that the same master key opens. */
    @Test
    void objectsOfAnotherStoreAreFoundOut() {
        write(memory().encryption(MAIN), 0, 10);
        write(memory().prefix("other").encryption(MAIN), 0, 10);
        Map<String, Bytes> all = objects();
        bare.put("penstock/store", all.get("other/store"), WriteCondition.ALWAYS);
        bare.put("penstock/store.copy", all.get("other/store.copy"), WriteCondition.ALWAYS);
        assertThat(codeOf(() -> Penstock.open(memory().encryption(MAIN)))).isEqualTo(ErrorCode.OBJECT_DAMAGED);
        bare.put("penstock/store", all.get("penstock/store"), WriteCondition.ALWAYS);
        bare.put("penstock/store.copy", all.get("penstock/store.copy"), WriteCondition.ALWAYS);
        write(memory().encryption(MAIN), 10, 20);
        bare.put("penstock/keys", all.get("other/keys"), WriteCondition.ALWAYS);
        assertThat(codeOf(() -> Penstock.open(memory().encryption(MAIN)))).isEqualTo(ErrorCode.OBJECT_DAMAGED);
    }

    @Test
    void aStoreReadsOnAfterItsKeysWereRotated() {
        write(memory().encryption(MAIN), 0, 10);
        MasterKeys both = MasterKeys.given(line("next", 2) + "\n" + line("main", 1));
        try (Penstock beside = Penstock.open(memory().encryption(MAIN));
                Penstock store = Penstock.open(memory().encryption(both))) {
            strict(beside).put("k", "before");
            assertThat(store.admin().rotateKeys()).isEqualTo(2);
            strict(store).put("k", "after");
        }
        try (Penstock store = Penstock.open(memory().encryption(MasterKeys.given(line("next", 2))))) {
            assertThat(strict(store).get("k")).hasValue("after");
            assertThat(strict(store).get("k3")).hasValue("value 3");
            assertThat(store.admin().verify().violations()).isEmpty();
        }
        assertRefused(memory().encryption(MAIN), ErrorCode.NO_KEY);
    }

    // ---- Backups

    private void backUp(Settings settings, ObjectStore target) {
        try (Penstock store = Penstock.open(settings)) {
            store.admin().backup(target, "b", false);
        }
    }

    @Test
    void backupsAfterARotationNeedTheNewMasterKeyAlone() {
        ObjectStore target = new MemoryObjectStore(tasks);
        write(memory().encryption(MAIN), 0, 10);
        backUp(memory().encryption(MAIN), target);
        Bytes before = target.get("b/keys").orElseThrow().body();
        backUp(memory().encryption(MAIN), target);
        assertThat(target.get("b/keys").orElseThrow().body()).isEqualTo(before);
        MasterKeys next = MasterKeys.given(line("next", 2));
        Settings both = memory().encryption(MasterKeys.given(line("next", 2) + "\n" + line("main", 1)));
        try (Penstock store = Penstock.open(both)) {
            store.admin().rotateKeys();
        }
        backUp(both, target);
        backUp(memory().encryption(next), target);
        assertThat(restored(target, Settings.inMemory().encryption(next))).hasSize(10);
        assertThat(codeOf(() -> restored(target, Settings.inMemory().encryption(MAIN))))
                .isEqualTo(ErrorCode.NO_KEY);
    }

    private Map<String, String> restored(ObjectStore from, Settings empty) {
        try (Penstock store = Penstock.open(empty)) {
            store.admin().restore(from, "b", Optional.empty());
            Map<String, String> found = new HashMap<>();
            try (Scan<Entry<String, String>> scan = strict(store).scan(KeySpan.all())) {
                scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
            }
            return found;
        }
    }

    @Test
    void backupsOfAnEncryptedStoreNeedTheKeyToo() {
        Settings here = Settings.on(bare, tasks).encryption(MAIN);
        write(here, 0, 50);
        ObjectStore target = new MemoryObjectStore(tasks);
        backUp(here, target);
        write(here, 50, 60);
        backUp(here, target);
        assertThat(restored(target, here.prefix("back"))).hasSize(60);
        assertThat(codeOf(() -> restored(target, Settings.on(bare, tasks).prefix("no-key"))))
                .isEqualTo(ErrorCode.NO_KEY);
        MasterKeys wrong = MasterKeys.given(line("main", 2));
        assertThat(codeOf(() -> restored(
                        target, Settings.on(bare, tasks).prefix("wrong").encryption(wrong))))
                .isEqualTo(ErrorCode.NO_KEY);
        String cut = target.list("b/cut/", "", 10).entries().getLast().key();
        byte[] flipped = target.get(cut).orElseThrow().body().toArray();
        flipped[flipped.length / 2] ^= 1;
        target.put(cut, Bytes.wrap(flipped), WriteCondition.ALWAYS);
        assertThat(codeOf(() -> restored(target, here.prefix("again")))).isEqualTo(ErrorCode.BACKUP_DAMAGED);
    }

    @Test
    void backupsWhoseRingIsLostAreReadByItsCopy() {
        Settings here = Settings.on(bare, tasks).encryption(MAIN);
        write(here, 0, 50);
        ObjectStore target = new MemoryObjectStore(tasks);
        backUp(here, target);
        target.delete("b/keys");
        assertThat(restored(target, here.prefix("back"))).hasSize(50);
        assertThat(codeOf(() -> restored(target, Settings.on(bare, tasks).prefix("no-key"))))
                .isEqualTo(ErrorCode.NO_KEY);
    }

    /** The way from a plain store to an encrypted one; a place of plain backups stays so. */
    @Test
    void aPlainBackupIsRestoredIntoAnEncryptedStore() {
        Settings plain = Settings.on(bare, tasks);
        write(plain, 0, 50);
        ObjectStore target = new MemoryObjectStore(tasks);
        backUp(plain, target);
        Settings next = plain.prefix("next").encryption(MAIN);
        assertThat(restored(target, next)).hasSize(50);
        assertThat(codeOf(() -> backUp(next, target))).isEqualTo(ErrorCode.INVALID_SETTING);
    }

    // ---- Values

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKeyThatIsForgottenErasesItsValuesEverywhere(boolean encrypted) throws IOException {
        Path file = Files.writeString(directory.resolve("keys"), line("main", 1) + "\n" + line("anna", 2));
        MasterKeys keys = MasterKeys.file(file);
        Settings plain = Settings.on(bare, tasks).pageBytes(1024);
        Settings settings = encrypted ? plain.encryption(keys) : plain;
        ObjectStore target = new MemoryObjectStore(tasks);
        try (Penstock store = Penstock.open(settings)) {
            var annas = store.collection(
                    "anna", Keys.string(), Json.of(String.class).sealed(keys, "anna"));
            for (int i = 0; i < 100; i++) {
                annas.put("k" + i, planted(i) + " ".repeat(i == 50 ? 1_000 : 0));
            }
            strict(store).put("k", "not hers");
            store.admin().checkpoint();
            assertThat(annas.get("k7")).hasValue(planted(7));
        }
        backUp(settings, target);
        if (!encrypted) {
            objects()
                    .forEach((key, body) -> assertThat(new String(body.toArray(), StandardCharsets.ISO_8859_1))
                            .as(key)
                            .doesNotContain(planted(7), planted(50)));
        }
        Files.writeString(file, line("main", 1));
        List<Settings> places = new ArrayList<>(List.of(settings, settings.prefix("back")));
        assertThat(restored(target, places.get(1))).hasSize(1);
        for (Settings place : places) {
            try (Penstock store = Penstock.open(place)) {
                assertThat(strict(store).get("k")).hasValue("not hers");
                Files.writeString(file, line("main", 1) + "\n" + line("anna", 3));
                var annas = store.collection(
                        "anna", Keys.string(), Json.of(String.class).sealed(keys, "anna"));
                assertThat(codeOf(() -> annas.get("k7"))).isEqualTo(ErrorCode.NO_KEY);
                Files.writeString(file, line("main", 1));
                assertThat(codeOf(() -> annas.get("k50"))).isEqualTo(ErrorCode.NO_KEY);
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        }
    }

    @Test
    void aSealedValueIsReplacedByWhatItIs() {
        try (Penstock store = Penstock.open(Settings.on(bare, tasks))) {
            var notes = store.collection(
                    "notes", Keys.string(), Json.of(String.class).sealed(MAIN, "main"));
            notes.put("k", "first");
            assertThat(notes.replace("k", "other", "second")).isFalse();
            assertThat(notes.replace("k", "first", "second")).isTrue();
            assertThat(notes.get("k")).hasValue("second");
        }
    }

    /** Its bytes would be stored in the clear, or be no value any more. */
    @Test
    void aSealedValueIsPutWhole() {
        try (Penstock store = Penstock.open(Settings.on(bare, tasks))) {
            var notes = store.collection(
                    "notes", Keys.string(), PayloadCodec.bytes().sealed(MAIN, "main"));
            notes.put("k", Bytes.utf8("first"));
            assertThatThrownBy(() -> notes.append("k", Bytes.utf8("more")))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("seal");
            InputStream more = new ByteArrayInputStream(new byte[1]);
            assertThatThrownBy(() -> notes.putStream("k", more))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("seal");
            assertThat(notes.get("k")).hasValue(Bytes.utf8("first"));
        }
    }

    /** The length of a name has one byte in a sealed value. */
    @Test
    void aMasterKeyOfALongNameSealsNoValues() {
        MasterKeys named = new MasterKeys() {
            @Override
            public String current() {
                return "\u00e9".repeat(128);
            }

            @Override
            public Bytes seal(String name, Bytes dataKey, Bytes context) {
                return dataKey;
            }

            @Override
            public Bytes open(String name, Bytes sealed, Bytes context) {
                return sealed;
            }
        };
        assertThat(codeOf(() -> Json.of(String.class).sealed(named, named.current())))
                .isEqualTo(ErrorCode.NO_KEY);
        PayloadCodec<String> codec = Json.of(String.class).sealed(named, "n".repeat(255));
        assertThat(codec.decode(codec.encode("text"))).isEqualTo("text");
    }

    @Test
    void everyByteOfASealedValueCounts() {
        PayloadCodec<String> codec = Json.of(String.class).sealed(MAIN, "main");
        byte[] sealed = codec.encode("the text").toArray();
        assertThat(codec.decode(Bytes.wrap(sealed))).isEqualTo("the text");
        for (int at = 0; at < sealed.length; at++) {
            byte[] flipped = sealed.clone();
            flipped[at] ^= 1;
            assertThat(codeOf(() -> codec.decode(Bytes.wrap(flipped)))).isIn(ErrorCode.CODEC_FAILURE, ErrorCode.NO_KEY);
            int length = at;
            assertThat(codeOf(() -> codec.decode(Bytes.wrap(sealed).slice(0, length))))
                    .isIn(ErrorCode.CODEC_FAILURE, ErrorCode.NO_KEY);
        }
        assertThat(codeOf(() -> codec.decode(Bytes.utf8("\"plain\"")))).isEqualTo(ErrorCode.CODEC_FAILURE);
    }
}
