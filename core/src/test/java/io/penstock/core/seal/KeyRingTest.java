package io.penstock.core.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ShiftedTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rings of keys: made once, opened by their master keys alone, rotated while others work. */
class KeyRingTest {
    private static final String ONE = TestKeys.line("one", 1);
    private static final String TWO = TestKeys.line("two", 2);

    private final Tasks tasks = new ShiftedTasks();
    private final ObjectStore objects = new MemoryObjectStore(tasks);

    @TempDir
    Path directory;

    private Optional<KeyRing> open(MasterKeys masters, boolean create) {
        return KeyRing.open(tasks, objects, "s/", masters, create);
    }

    private ObjectStore sealed(String masters) {
        return new Seals(tasks, open(MasterKeys.given(masters), true).orElseThrow()).objects(objects, "s/");
    }

    private void assertRefused(MasterKeys masters, String says) {
        assertThatThrownBy(() -> open(masters, true)).isInstanceOfSatisfying(InvalidRequestException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.NO_KEY);
            assertThat(refusal.getMessage()).contains(says).doesNotContain("\n", ONE.substring(4, 20));
        });
    }

    @Test
    void opensByItsMasterKeyAlone() {
        sealed(ONE).put("s/a", Bytes.utf8("body"), WriteCondition.ALWAYS);
        List<StoredObject> before = all();
        assertThat(sealed(TWO + "\n# an older one\n\n" + ONE)
                        .get("s/a")
                        .orElseThrow()
                        .body())
                .isEqualTo(Bytes.utf8("body"));
        assertRefused(MasterKeys.given(TWO), "not among those given");
        assertRefused(MasterKeys.given(ONE.replace(ONE.substring(4), TWO.substring(4))), "not the one that sealed");
        assertThat(all()).isEqualTo(before);
    }

    private List<StoredObject> all() {
        return objects.list("", "", 100).entries().stream()
                .map(entry -> objects.get(entry.key()).orElseThrow())
                .toList();
    }

    @Test
    void keysThatAreNoneAreRefused() throws IOException {
        assertRefused(MasterKeys.given(""), "no master key");
        assertRefused(MasterKeys.given("main AAAA"), "32 bytes");
        assertRefused(MasterKeys.given("main not/base64!"), "32 bytes");
        assertRefused(MasterKeys.given(ONE + "," + ONE), "one name");
        assertRefused(MasterKeys.given(TestKeys.line("\u00e9".repeat(128), 1)), "short name");
        assertRefused(MasterKeys.environment("PENSTOCK_NO_SUCH_VARIABLE"), "no master key");
        assertRefused(MasterKeys.of("file:" + directory.resolve("none")), "cannot be read");
        assertRefused(MasterKeys.file(directory), "cannot be read");
        Path file = Files.writeString(directory.resolve("keys"), "AAAA\n");
        assertRefused(MasterKeys.file(file), "32 bytes");
        assertThat(objects.list("", "", 10).entries()).isEmpty();
        Files.writeString(file, ONE.substring(4) + "\n");
        assertThat(open(MasterKeys.of("file:" + file), true)).isPresent();
        assertThat(open(MasterKeys.of(ONE.substring(4)), false)).isPresent();
    }

    @Test
    void whatIsNotEncryptedIsRefused() {
        objects.put("s/store", Bytes.utf8("plain"), WriteCondition.ALWAYS);
        assertThatThrownBy(() -> open(MasterKeys.given(ONE), true))
                .isInstanceOfSatisfying(
                        InvalidRequestException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_SETTING));
        assertThat(objects.list("", "", 10).entries()).hasSize(1);
    }

    /** A console makes an object for a folder, and a doctor leaves some when it is cut short. */
    @Test
    void markersOfFoldersAndPingsAreNothing() {
        objects.put("s/", Bytes.EMPTY, WriteCondition.ALWAYS);
        objects.put("s/clients/", Bytes.EMPTY, WriteCondition.ALWAYS);
        for (int i = 0; i < 2_000; i++) {
            objects.put("s/clients/ping.doctor." + i + "/a", Bytes.utf8("a"), WriteCondition.ALWAYS);
        }
        assertThat(open(MasterKeys.given(ONE), false)).isEmpty();
        objects.put("s/store", Bytes.utf8("plain"), WriteCondition.ALWAYS);
        assertThatThrownBy(() -> open(MasterKeys.given(ONE), true)).isInstanceOf(InvalidRequestException.class);
        objects.delete("s/store");
        assertThat(open(MasterKeys.given(ONE), true)).isPresent();
    }

    @Test
    void nothingIsMadeWhereNothingMayBe() {
        assertThat(open(MasterKeys.given(ONE), false)).isEmpty();
        assertThat(objects.list("", "", 10).entries()).isEmpty();
    }

    @Test
    void aRotatedRingOpensOldAndNew() {
        ObjectStore beside = sealed(ONE);
        beside.put("s/old", Bytes.utf8("old"), WriteCondition.ALWAYS);
        KeyRing ring = open(MasterKeys.given(TWO + "\n" + ONE), true).orElseThrow();
        assertThat(ring.rotate()).isEqualTo(2);
        ObjectStore rotated = new Seals(tasks, ring).objects(objects, "s/");
        rotated.put("s/new", Bytes.utf8("new"), WriteCondition.ALWAYS);
        // The first master key is needed no more.
        for (String name : List.of("old", "new")) {
            assertThat(sealed(TWO).get("s/" + name).orElseThrow().body()).isEqualTo(Bytes.utf8(name));
        }
        assertRefused(MasterKeys.given(ONE), "not among those given");
        assertThat(beside.get("s/old").orElseThrow().body()).isEqualTo(Bytes.utf8("old"));
    }

    @Test
    void othersLearnOfANewKeyWhenTheyMeetIt() {
        ObjectStore beside = sealed(ONE);
        KeyRing ring = open(MasterKeys.given(ONE), true).orElseThrow();
        assertThat(List.of(ring.rotate(), ring.rotate())).containsExactly(2, 3);
        new Seals(tasks, ring).objects(objects, "s/").put("s/a", Bytes.utf8("new"), WriteCondition.ALWAYS);
        assertThat(beside.get("s/a").orElseThrow().body()).isEqualTo(Bytes.utf8("new"));
    }

    @Test
    void aRingThatIsLostHasACopy() {
        sealed(ONE).put("s/a", Bytes.utf8("body"), WriteCondition.ALWAYS);
        Bytes ring = objects.get("s/keys").orElseThrow().body();
        for (int at = 0; at < ring.length(); at++) {
            byte[] flipped = ring.toArray();
            flipped[at] ^= 1;
            objects.put("s/keys", Bytes.wrap(flipped), WriteCondition.ALWAYS);
            assertThat(sealed(ONE).get("s/a")).isPresent();
        }
        objects.delete("s/keys");
        assertThat(sealed(ONE).get("s/a")).isPresent();
        assertThat(open(MasterKeys.given(ONE), true).orElseThrow().rotate()).isEqualTo(2);
        assertThat(objects.get("s/keys")).isPresent();
        objects.deleteAll(List.of("s/keys", "s/keys.copy"));
        assertThatThrownBy(() -> sealed(ONE)).isInstanceOf(CorruptDataException.class);
        objects.put("s/keys", Bytes.utf8("penstock keys 2\n"), WriteCondition.ALWAYS);
        assertThatThrownBy(() -> sealed(ONE)).isInstanceOf(CorruptDataException.class);
    }

    /** Who rotated was killed between the two puts, or others rotated between them. */
    @Test
    void anOldCopyIsMadeNew() {
        KeyRing ring = open(MasterKeys.given(ONE), true).orElseThrow();
        Bytes old = copy();
        ring.rotate();
        Bytes rotated = copy();
        objects.put("s/keys.copy", old, WriteCondition.ALWAYS);
        assertThat(open(MasterKeys.given(ONE), false)).isPresent();
        assertThat(copy()).isEqualTo(old);
        assertThat(open(MasterKeys.given(ONE), true)).isPresent();
        assertThat(copy()).isEqualTo(rotated);
        objects.put("s/keys", old, WriteCondition.ALWAYS);
        assertThat(open(MasterKeys.given(ONE), true)).isPresent();
        assertThat(copy()).isEqualTo(rotated);
    }

    private Bytes copy() {
        return objects.get("s/keys.copy").orElseThrow().body();
    }

    @Test
    void ofTwoWhoRotateAtOnceTheCopyHasTheNewest() {
        KeyRing first = open(MasterKeys.given(ONE), true).orElseThrow();
        boolean[] done = {false};
        ObjectStore slow = new io.penstock.testing.MemoryObjectStore() {
            @Override
            public Optional<StoredObject> get(String key) {
                return objects.get(key);
            }

            @Override
            public Written put(String key, Bytes body, WriteCondition condition) {
                if (key.endsWith(".copy") && !done[0]) {
                    done[0] = true;
                    first.rotate();
                }
                return objects.put(key, body, condition);
            }
        };
        assertThat(KeyRing.open(tasks, slow, "s/", MasterKeys.given(ONE), false)
                        .orElseThrow()
                        .rotate())
                .isEqualTo(2);
        assertThat(done[0]).isTrue();
        assertThat(copy()).isEqualTo(objects.get("s/keys").orElseThrow().body());
    }

    /** An older ring, or that of another store, with the same master key. */
    @Test
    void aRingThatDoesNotFitIsFoundOut() {
        ObjectStore store = sealed(ONE);
        Bytes old = objects.get("s/keys").orElseThrow().body();
        KeyRing ring = open(MasterKeys.given(ONE), true).orElseThrow();
        ring.rotate();
        new Seals(tasks, ring).objects(objects, "s/").put("s/a", Bytes.utf8("new"), WriteCondition.ALWAYS);
        objects.put("s/keys", old, WriteCondition.ALWAYS);
        assertThatThrownBy(() -> store.get("s/a")).isInstanceOf(CorruptDataException.class);
        // Who knows the newer key keeps it, and does not give its number to another.
        assertThat(ring.key(9)).isEmpty();
        assertThat(ring.key(2)).isPresent();
        assertThatThrownBy(() -> ring.rotate())
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("older");
        KeyRing.open(tasks, objects, "t/", MasterKeys.given(ONE), true);
        objects.put("s/keys", objects.get("t/keys").orElseThrow().body(), WriteCondition.ALWAYS);
        assertThatThrownBy(() -> ring.rotate()).isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> sealed(ONE).get("s/a")).isInstanceOf(CorruptDataException.class);
    }
}
