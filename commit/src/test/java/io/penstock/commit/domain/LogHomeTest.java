package io.penstock.commit.domain;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
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
