package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The driver finds the mistakes of decoders: each of these has one. */
class FuzzingTest {
    private static final List<byte[]> VALID = List.of(new byte[] {0, 0, 0, 2, 'a', 'b'});

    private static FuzzTarget target(FuzzTarget.Decoder decoder) {
        return FuzzTarget.of("test", VALID, decoder);
    }

    private static void isFound(FuzzTarget.Decoder decoder, String message) {
        assertThatExceptionOfType(Fuzzing.Finding.class)
                .isThrownBy(() -> Fuzzing.run(target(decoder), 0, 10_000))
                .withMessageContaining("seed=")
                .withMessageContaining(message);
    }

    private static int length(byte[] bytes) {
        if (bytes.length < 4) {
            throw new CorruptDataException("too short");
        }
        return ByteBuffer.wrap(bytes).getInt();
    }

    @Test
    void lengthsThatAreBelieved() {
        isFound(bytes -> ByteBuffer.wrap(bytes, 4, length(bytes)), "IndexOutOfBoundsException");
    }

    @Test
    void largeAllocations() {
        isFound(bytes -> ByteBuffer.allocate(Math.clamp(length(bytes), 0, 100 << 20)), "allocated");
    }

    @Test
    void sound() {
        Fuzzing.Outcome outcome = Fuzzing.run(
                target(bytes -> {
                    if (length(bytes) != bytes.length - 4) {
                        throw new CorruptDataException("another length");
                    }
                }),
                0,
                10_000);
        assertThat(outcome.taken()).isPositive();
        assertThat(outcome.refused()).isPositive();
    }

    @Test
    void whatIsValidIsTaken() {
        assertThatExceptionOfType(Fuzzing.Finding.class)
                .isThrownBy(() -> Fuzzing.run(
                        target(bytes -> {
                            throw new CorruptDataException("no");
                        }),
                        0,
                        1))
                .withMessageContaining("refuses what is valid");
    }
}
