package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.task.ThreadTasks;
import io.penstock.report.RestoreReport;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Copies of stores: where they may be made, and what becomes of those that fail. */
class CopyTest {
    private static final int RECORDS = 500;

    private final ThreadTasks tasks = new ThreadTasks();
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    private final ObjectStore bucket = new MemoryObjectStore(tasks);
    private final ObjectStore other = limited(new MemoryObjectStore(tasks), left);

    private static MasterKeys keys(int number) {
        byte[] key = new byte[32];
        key[0] = (byte) number;
        return MasterKeys.given("main " + Base64.getEncoder().encodeToString(key));
    }

    private Settings settings() {
        return Settings.on(bucket, tasks).pageBytes(1024);
    }

    private Settings elsewhere() {
        return Settings.on(other, tasks).pageBytes(1024);
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static Map<String, String> all(Penstock store) {
        Map<String, String> found = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = words(store).scan(KeySpan.all())) {
            scan.forEachRemaining(entry -> found.put(entry.key(), entry.value()));
        }
        return found;
    }

    private static void fill(Penstock store) {
        for (int i = 0; i < RECORDS; i++) {
            words(store).put("k" + i, "v".repeat(i % 10 == 0 ? 3_000 : 30) + i);
        }
    }

    private static RestoreReport copy(Penstock store, Settings to) {
        try (Penstock copy = Penstock.open(to)) {
            return store.admin().copy(copy);
        }
    }

    private static void assertEqual(Penstock store, Settings copied) {
        try (Penstock copy = Penstock.open(copied)) {
            assertThat(all(copy)).isEqualTo(all(store));
            assertThat(copy.admin().verify().violations()).isEmpty();
        }
    }

    @Test
    void copyIsAStoreOfItsOwn() {
        try (Penstock store = Penstock.open(settings())) {
            fill(store);
            String token = store.session().token();
            RestoreReport report = copy(store, elsewhere());
            assertThat(report).isEqualTo(new RestoreReport(1, RECORDS, 0, 0, 0));
            assertEqual(store, elsewhere());
            copy(store, settings().prefix("beside"));
            assertEqual(store, settings().prefix("beside"));
            try (Penstock copy = Penstock.open(elsewhere())) {
                words(copy).put("k1", "of the copy");
                assertThat(words(store).get("k1")).isNotEqualTo(words(copy).get("k1"));
                assertThatThrownBy(() -> copy.session(token)).isInstanceOf(StoreException.class);
            }
        }
    }

    /** Nor does a repetition help, as it does where it was replaced meanwhile. */
    @Test
    void lostLargePayloadIsNamedByBackupsAndCopies() {
        try (Penstock store = Penstock.open(settings())) {
            words(store).put("k", "v".repeat(3_000));
            store.admin().checkpoint();
            String lost = ObjectStores.listAll(bucket, "penstock/overflow/")
                    .getFirst()
                    .key();
            bucket.delete(lost);
            ObjectStore place = new MemoryObjectStore(tasks);
            assertThatThrownBy(() -> copy(store, elsewhere()))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(lost);
            assertThatThrownBy(() -> store.admin().backup(place, "b", true))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(lost);
            words(store).put("k", "whole");
            assertThat(store.admin().backup(place, "b", true).records()).isEqualTo(1);
        }
    }

    @Test
    void storeInUseIsNotCopiedOver() {
        try (Penstock store = Penstock.open(settings())) {
            fill(store);
            assertThatThrownBy(() -> copy(store, settings())).is(code(ErrorCode.ALREADY_EXISTS));
            copy(store, elsewhere());
            assertThatThrownBy(() -> copy(store, elsewhere())).is(code(ErrorCode.ALREADY_EXISTS));
            assertThatThrownBy(() -> copy(store, elsewhere().prefix("new").readOnly(true)))
                    .isInstanceOf(StoreException.class);
        }
    }

    /** Pages and logs that are left of a store would be taken for the new one's. */
    @Test
    void prefixThatIsNotEmptyIsNotCopiedInto() {
        try (Penstock store = Penstock.open(settings())) {
            fill(store);
            copy(store, elsewhere());
            ObjectStores.listAll(other, "penstock/").stream()
                    .map(entry -> entry.key())
                    .filter(key -> !key.contains("/pages/"))
                    .forEach(other::delete);
            assertThatThrownBy(() -> copy(store, elsewhere()))
                    .is(code(ErrorCode.ALREADY_EXISTS))
                    .hasMessageContaining("choose another place");
        }
    }

    @Test
    void copyHasAnEncryptionOfItsOwn() {
        try (Penstock store = Penstock.open(settings().encryption(keys(1)))) {
            fill(store);
            copy(store, elsewhere().encryption(keys(2)));
            assertEqual(store, elsewhere().encryption(keys(2)));
            copy(store, elsewhere().prefix("plain"));
            assertEqual(store, elsewhere().prefix("plain"));
            assertThatThrownBy(() -> copy(store, elsewhere().encryption(keys(1))))
                    .is(code(ErrorCode.NO_KEY));
        }
    }

    /** A full disk, at each of some calls. */
    @Test
    void halfACopyIsRefusedUntilItIsRepeated() {
        try (Penstock store = Penstock.open(settings())) {
            fill(store);
            for (int puts = 5; puts < 100; puts += 19) {
                Settings to = elsewhere().prefix("p" + puts);
                Penstock.open(to).close();
                left.set(puts);
                assertThatThrownBy(() -> copy(store, to)).is(code(ErrorCode.DISK_FULL));
                left.set(Integer.MAX_VALUE);
                try (Penstock half = Penstock.open(to)) {
                    assertThatThrownBy(() -> words(half).get("k1")).is(code(ErrorCode.BEING_RESTORED));
                }
                words(store).delete("k" + puts);
                copy(store, to);
                assertEqual(store, to);
            }
        }
    }

    /** Returns an object store that takes some more objects, and then no more. */
    private static ObjectStore limited(ObjectStore inner, AtomicInteger left) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            boolean writes = method.getName().equals("put") || method.getName().equals("upload");
            if (writes && left.getAndDecrement() <= 0) {
                throw new RefusedException(ErrorCode.DISK_FULL, "No space left on device; free some");
            }
            try {
                return method.invoke(inner, arguments);
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
        };
        return (ObjectStore)
                Proxy.newProxyInstance(ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, handler);
    }
}
