package io.penstock.commit.domain;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.testing.ShiftedTasks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Horizons and the marks of logs that lie elsewhere have one key: which it is, and that it is damaged, is told. */
class LogHomeTest {
    private static final Bytes HORIZON = LogProbe.horizon(new ClientId(7));
    private static final Bytes MARK = LogProbe.home();

    private static void readAsHorizon(Bytes object) {
        LogHome.requireNone(object, "key");
        var unused = Horizon.decode(object, "shop", "key");
    }

    private static void readAsMark(Bytes object) {
        var unused = LogHome.decode(object, "key");
    }

    @Test
    void oneForTheOtherIsAWrongSetting() {
        assertThatThrownBy(() -> readAsHorizon(MARK))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_SETTING));
        assertThatThrownBy(() -> readAsMark(HORIZON))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_SETTING));
    }

    /** One bit of the kind makes the one look like the other. */
    @Test
    void anyTurnedBitIsDamageAndNoWrongSetting() {
        eachBit(HORIZON, LogHomeTest::readAsHorizon);
        eachBit(HORIZON, LogHomeTest::readAsMark);
        eachBit(MARK, LogHomeTest::readAsHorizon);
        eachBit(MARK, LogHomeTest::readAsMark);
    }

    /** A put that got lost is none of a wrong setting, and a log without marks is not used. */
    @Test
    void aMarkThatGotLostIsMadeAgain() {
        for (boolean ofPages : List.of(true, false)) {
            ObjectStore pages = new MemoryObjectStore(new ShiftedTasks());
            ObjectStore log = new MemoryObjectStore(new ShiftedTasks());
            LogHome home = new LogHome(losing(ofPages, pages), losing(!ofPages, log), () -> 5);
            assertThatThrownBy(() -> home.require("domains/d", true)).isInstanceOf(UnavailableException.class);
            home.require("domains/d", true);
            assertThat(pages.get("domains/d")).isPresent();
            assertThat(log.get("domains/d.home")).isPresent();
        }
    }

    /** The objects behind a network that loses the first put. */
    private static ObjectStore losing(boolean loses, ObjectStore objects) {
        AtomicBoolean next = new AtomicBoolean(loses);
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("put") && next.getAndSet(false)) {
                        throw new OutcomeUnknownException("lost");
                    }
                    try {
                        return method.invoke(objects, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    private static void eachBit(Bytes whole, Consumer<Bytes> read) {
        for (int bit = 0; bit < whole.length() * Byte.SIZE; bit++) {
            byte[] bytes = whole.toArray();
            bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThatThrownBy(() -> read.accept(Bytes.wrap(bytes)))
                    .as("bit %d", bit)
                    .isInstanceOf(CorruptDataException.class);
        }
    }
}
