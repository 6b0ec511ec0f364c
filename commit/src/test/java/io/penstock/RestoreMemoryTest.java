package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.ThreadTasks;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory of a restore. One that is repeated compares each object of the backup with what is there, and writes
 * nothing: so nothing of them may be held but the key where each begins.
 */
class RestoreMemoryTest {
    private static final int RECORDS = 12_000;

    private final ThreadTasks tasks = new ThreadTasks();
    private final ObjectStore saved = new MemoryObjectStore(tasks);
    private final List<WeakReference<byte[]>> ranges = new CopyOnWriteArrayList<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicLong held = new AtomicLong(-1);

    /** What is seen of a call, with its key. */
    private interface Look {
        Object at(String call, Callable<Object> made) throws Exception;
    }

    private static ObjectStore seen(ObjectStore of, Look look) {
        return (ObjectStore) Proxy.newProxyInstance(
                RestoreMemoryTest.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (self, method, given) -> {
                    Callable<Object> made = () -> {
                        try {
                            return method.invoke(of, given);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause() instanceof RuntimeException failure ? failure : thrown;
                        }
                    };
                    boolean isKeyed = given != null && given.length > 0 && given[0] instanceof String;
                    return isKeyed ? look.at(method.getName() + " " + given[0], made) : made.call();
                });
    }

    /** Hands out an own copy of a range, as a server does, and watches it. */
    private Object copied(String call, Callable<Object> made) throws Exception {
        if (!call.startsWith("get ") || !call.contains("/records/")) {
            return made.call();
        }
        StoredObject object = (StoredObject) ((Optional<?>) made.call()).orElseThrow();
        byte[] own = object.body().toArray().clone();
        ranges.add(new WeakReference<>(own));
        return Optional.of(new StoredObject(Bytes.wrap(own), object.version(), object.modifiedMillis()));
    }

    /** Stops the first run when definitions are to be made whole, and counts there in the second one what is held. */
    private Object counted(String call, Callable<Object> made) throws Exception {
        if (call.startsWith("put ") && call.contains("/catalog/") && !ranges.isEmpty() && held.get() < 0) {
            if (runs.incrementAndGet() == 1) {
                throw new InvalidRequestException(ErrorCode.INVALID_SETTING, "stopped");
            }
            System.gc();
            held.set(ranges.stream().filter(range -> range.get() != null).count());
        }
        return made.call();
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    private static void fill(Penstock store) {
        for (int i = 0; i < RECORDS; i += 500) {
            int from = i;
            store.transact(transaction -> {
                for (int k = from; k < from + 500; k++) {
                    transaction.put(words(store), "k" + k, "v".repeat(1_000) + k);
                }
                return true;
            });
        }
    }

    private void restore(Penstock store) {
        var unused = store.admin().restore(seen(saved, this::copied), "b", Optional.empty());
    }

    /** @param changed whether some records of each range were changed since: they are written in each run, twice */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rangesAreLetGo(boolean changed) {
        try (Penstock store = Penstock.open(Settings.on(new MemoryObjectStore(tasks), tasks))) {
            fill(store);
            store.admin().backup(saved, "b", true);
            for (int i = 0; changed && i < RECORDS; i += 100) {
                words(store).put("k" + i, "changed");
            }
            store.admin().backup(saved, "b", false);
        }
        ObjectStore target = seen(new MemoryObjectStore(tasks), this::counted);
        try (Penstock store = Penstock.open(Settings.on(target, tasks))) {
            assertThatThrownBy(() -> restore(store)).isInstanceOf(InvalidRequestException.class);
        }
        ranges.clear();
        try (Penstock store = Penstock.open(Settings.on(target, tasks))) {
            restore(store);
        }
        assertThat(ranges).hasSizeGreaterThan(10);
        assertThat(held.get()).as("of %s ranges", ranges.size()).isBetween(0L, 4L);
    }
}
