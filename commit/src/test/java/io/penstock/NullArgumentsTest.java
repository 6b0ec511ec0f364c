package io.penstock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.InvalidRequestException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A null where a value is needed is told in words, not by an exception from the inside. */
class NullArgumentsTest {
    private interface Calls {
        void of(Penstock store, RecordCollection<String, Long> numbers);
    }

    @SuppressWarnings("NullAway") // that is the point
    private static Map<String, Calls> calls() {
        Map<String, Calls> calls = new LinkedHashMap<>();
        calls.put("session", (store, numbers) -> store.session(null));
        calls.put("changes", (store, numbers) -> store.changes(null));
        calls.put("gc", (store, numbers) -> store.admin().removeGarbage(null));
        calls.put("garbage", (store, numbers) -> store.admin().findGarbage(null));
        calls.put("get", (store, numbers) -> numbers.get(null));
        calls.put("put", (store, numbers) -> numbers.put(null, 1L));
        calls.put("value", (store, numbers) -> numbers.put("a", null));
        calls.put("delete", (store, numbers) -> numbers.delete(null));
        calls.put("getAll", (store, numbers) -> numbers.getAll(null));
        calls.put("scan", (store, numbers) -> numbers.scan(null));
        calls.put("Settings.from", (store, numbers) -> Settings.from(null));
        return calls;
    }

    @TestFactory
    Stream<DynamicTest> aNullIsTold() {
        return calls().entrySet().stream()
                .map(call -> DynamicTest.dynamicTest(call.getKey(), () -> {
                    try (Penstock store = Penstock.open(Settings.inMemory().level(ConsistencyLevel.SERIALIZABLE))) {
                        RecordCollection<String, Long> numbers =
                                store.collection("numbers", Keys.string(), Json.of(Long.class));
                        assertThatThrownBy(() -> call.getValue().of(store, numbers))
                                .isInstanceOf(InvalidRequestException.class);
                    }
                }));
    }
}
