package io.penstock.core.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.ShiftedTasks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A sealed object store keeps the contract, and finds out what was done to the objects below. */
class SealedObjectStoreTest extends ObjectStoreContract {
    private static final MasterKeys MASTERS = MasterKeys.given(TestKeys.line("main", 1));

    private final Tasks tasks = new ShiftedTasks();
    private final ObjectStore below = new MemoryObjectStore(tasks);
    private final KeyRing ring = KeyRing.open(tasks, below, "", MASTERS, true).orElseThrow();
    private final ObjectStore store = new Seals(tasks, ring).objects(below, "");

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    private static Bytes body(int seed, int bytes) {
        byte[] body = new byte[bytes];
        new Random(seed).nextBytes(body);
        return Bytes.wrap(body);
    }

    private Bytes sealed(String key) {
        return below.get(key).orElseThrow().body();
    }

    private void plant(String key, Bytes sealed) {
        below.put(key, sealed, WriteCondition.ALWAYS);
    }

    private void assertDamaged(String key) {
        assertThatThrownBy(() -> store.get(key)).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void everyByteCounts() {
        store.put("a", body(1, 300), WriteCondition.ALWAYS);
        byte[] whole = sealed("a").toArray();
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << (at % 8));
            plant("a", Bytes.wrap(flipped));
            assertDamaged("a");
        }
    }

    @Test
    void nothingOfABodyIsBelow() {
        String text = "a text that nobody but the owner of the key shall read";
        store.put("a", Bytes.utf8(text.repeat(3_000)), WriteCondition.ALWAYS);
        assertThat(new String(sealed("a").toArray(), StandardCharsets.ISO_8859_1))
                .doesNotContain(text.substring(0, 12));
    }

    /** Of three chunks: any cut, chunks in another order, twice, left out, or of another version. */
    @Test
    void chunksStayTogether() {
        store.put("a", body(1, 2 * Frame.CHUNK + 100), WriteCondition.ALWAYS);
        Bytes old = sealed("a");
        store.put("a", body(2, 2 * Frame.CHUNK + 100), WriteCondition.ALWAYS);
        Bytes now = sealed("a");
        List<Bytes> chunks = IntStream.range(0, 3)
                .mapToObj(n -> now.slice(n * Frame.WHOLE, Math.min(now.length(), (n + 1) * Frame.WHOLE)))
                .toList();
        for (Bytes wrong : List.of(
                Bytes.EMPTY,
                chunks.get(0),
                chunks.get(0).concat(chunks.get(1)),
                chunks.get(1).concat(chunks.get(0)).concat(chunks.get(2)),
                chunks.get(0).concat(chunks.get(2)),
                chunks.get(2),
                now.concat(chunks.get(2)),
                now.slice(0, now.length() - 1),
                now.slice(0, Frame.WHOLE + 10),
                old.slice(0, Frame.WHOLE).concat(now.slice(Frame.WHOLE, now.length())))) {
            plant("a", wrong);
            assertDamaged("a");
        }
        plant("a", now);
        assertThat(store.get("a").orElseThrow().body()).isEqualTo(body(2, 2 * Frame.CHUNK + 100));
    }

    @Test
    void objectsStayInTheirPlaces() {
        store.put("a", body(1, 10), WriteCondition.ALWAYS);
        plant("b", sealed("a"));
        assertDamaged("b");
        plant("c", body(1, 10));
        assertDamaged("c");
        ObjectStore other = new MemoryObjectStore(tasks);
        KeyRing ofOther = KeyRing.open(tasks, other, "", MASTERS, true).orElseThrow();
        new Seals(tasks, ofOther).objects(other, "").put("a", body(1, 10), WriteCondition.ALWAYS);
        plant("a", other.get("a").orElseThrow().body());
        assertDamaged("a");
    }

    @Test
    void rangesOpenAlone() {
        Bytes body = body(3, 3 * Frame.CHUNK);
        store.put("a", body, WriteCondition.ALWAYS);
        for (int offset : List.of(0, 1, Frame.CHUNK - 1, Frame.CHUNK, 2 * Frame.CHUNK + 5, 3 * Frame.CHUNK - 1)) {
            for (int length : List.of(1, 10, Frame.CHUNK, Frame.CHUNK + 1, 5 * Frame.CHUNK)) {
                assertThat(store.getRange("a", offset, length).map(StoredObject::body))
                        .hasValue(body.slice(offset, Math.min(body.length(), offset + length)));
            }
        }
        plant("a", sealed("a").slice(0, 2 * Frame.WHOLE));
        assertThatThrownBy(() -> store.getRange("a", Frame.CHUNK, 2 * Frame.CHUNK))
                .isInstanceOf(CorruptDataException.class);
    }

    @Test
    void anUploadOfWholeChunksHasItsEnd() {
        int partBytes = 5 << 20;
        var upload = store.upload("u", partBytes);
        upload.part(1, body(1, partBytes));
        upload.part(2, body(2, partBytes));
        upload.complete(2);
        assertThat(store.get("u").orElseThrow().body())
                .isEqualTo(body(1, partBytes).concat(body(2, partBytes)));
        assertThat(store.list("u", "", 1).entries().getFirst().bytes()).isEqualTo(2L * partBytes);
        plant("u", sealed("u").slice(0, sealed("u").length() - Frame.OVERHEAD));
        assertDamaged("u");
    }

    /** The answer to the completion may be lost, and no store has to take a part after it. */
    @Test
    void anUploadOfWholeChunksIsCompletedAgain() {
        ObjectStore strict = new io.penstock.testing.MemoryObjectStore();
        ObjectUpload upload = new Seals(tasks, ring).objects(strict, "").upload("u", Frame.CHUNK);
        upload.part(1, body(1, Frame.CHUNK));
        upload.complete(1);
        upload.complete(1);
        plant("u", strict.get("u").orElseThrow().body());
        assertThat(store.get("u").orElseThrow().body()).isEqualTo(body(1, Frame.CHUNK));
    }

    @Test
    void sizesGoBothWays() {
        for (long body : List.of(0L, 1L, 65_535L, 65_536L, 65_537L, 131_072L, 131_073L, 10L << 30)) {
            assertThat(Frame.bodyBytes(Frame.sealedBytes(body))).isEqualTo(body);
        }
    }
}
