package io.penstock.core.queue.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The records in the queue file of earlier releases. */
class QueueFileRecordsTest {
    static byte[] queue(long id, Duration retention) {
        return ByteBuffer.allocate(24)
                .putLong(id)
                .putLong(retention.toMillis())
                .putLong(60_000)
                .array();
    }

    @ParameterizedTest
    @CsvSource({"-1,0,16", "0,-1,16", "0,0,15", "0,0,17"})
    void otherKeysAreRefused(long queue, long number, int length) {
        byte[] key = ByteBuffer.allocate(17).putLong(queue).putLong(number).array();
        assertThatThrownBy(() -> MessageKey.decode(Arrays.copyOf(key, length)))
                .isInstanceOf(CorruptDataException.class);
    }

    @Test
    void aQueueHasNoNegativeNumberAndNoOtherRetentionThanItCanBeGiven() {
        assertThat(OldRecords.queue("q", queue(4, Duration.ofDays(14))).queue()).isEqualTo(4);
        assertThatThrownBy(() -> OldRecords.queue("q", queue(-1, Duration.ofDays(14))))
                .isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> OldRecords.queue("q", queue(4, Duration.ofMillis(1))))
                .isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> OldRecords.queue("q", queue(4, Duration.ofDays(15))))
                .isInstanceOf(CorruptDataException.class);
    }
}
