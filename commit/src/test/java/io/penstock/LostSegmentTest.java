package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ClosedException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.queue.memory.MemoryQueueService;
import io.penstock.core.task.ThreadTasks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A commit whose answer was lost, while the look at its slot is refused: nobody may say that nothing was committed. */
class LostSegmentTest {
    private final AtomicReference<StoreException> refusal = new AtomicReference<>();
    private final AtomicReference<String> lost = new AtomicReference<>();

    static Stream<StoreException> verdicts() {
        return Stream.of(
                new InvalidRequestException(ErrorCode.REQUEST_REFUSED, "s3 read failed: the server refuses it"),
                new RefusedException(ErrorCode.ACCESS_DENIED, "s3 read failed: access was denied"),
                new CorruptDataException("damaged"),
                new ClosedException("closed"));
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    void commitOfALostSegmentIsUnknownWhateverTheLookIsAnswered(StoreException verdict) {
        ThreadTasks tasks = new ThreadTasks();
        ObjectStore objects = faulty(new MemoryObjectStore(tasks));
        try (Penstock store = Penstock.open(
                Settings.on(objects, new MemoryQueueService(tasks), tasks).level(ConsistencyLevel.SERIALIZABLE))) {
            RecordCollection<String, String> words = SimulatedStore.words(store);
            words.put("a", "old");
            refusal.set(verdict);
            assertThatThrownBy(() -> words.put("a", "new")).isInstanceOf(OutcomeUnknownException.class);
            assertThat(words.get("a")).hasValue("new");
        }
    }

    /** Loses the answer of the next put of a segment once there is a refusal, and refuses the read after it. */
    private ObjectStore faulty(ObjectStore objects) {
        return (ObjectStore) Proxy.newProxyInstance(
                LostSegmentTest.class.getClassLoader(),
                new Class<?>[] {ObjectStore.class},
                (proxy, method, arguments) -> answer(objects, method, arguments));
    }

    private Object answer(ObjectStore objects, Method method, Object[] arguments) throws Throwable {
        String key = arguments != null && arguments[0] instanceof String first ? first : "";
        if (method.getName().startsWith("get") && key.equals(lost.get())) {
            lost.set(null);
            throw refusal.getAndSet(null);
        }
        try {
            Object answer = method.invoke(objects, arguments);
            if (method.getName().equals("put") && key.contains("/log/") && refusal.get() != null) {
                lost.set(key);
                throw new OutcomeUnknownException("s3 put failed: the answer was lost");
            }
            return answer;
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
