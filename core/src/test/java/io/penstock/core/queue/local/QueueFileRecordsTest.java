package io.penstock.core.queue.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.CorruptDataException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The records in the local cloud's queue file. */
class QueueFileRecordsTest {
    @Test
    void whatIsWrittenIsRead() {
        MessageKey key = new MessageKey(4, Long.MAX_VALUE);
        StoredQueue queue = new StoredQueue(4, Duration.ofDays(14), Duration.ofSeconds(60));
        assertThat(MessageKey.decode(key.encode())).isEqualTo(key);
        assertThat(StoredQueue.decode(queue.encode())).isEqualTo(queue);
    }

    /** A number below 0 sorts after the last of its queue: the search for orphans at open never got past it. */
    @ParameterizedTest
    @CsvSource({"-1,0,16", "0,-1,16", "0,0,15", "0,0,17"})
    void otherKeysAreRefused(long queue, long number, int length) {
        byte[] key = ByteBuffer.allocate(17).putLong(queue).putLong(number).array();
        assertThatThrownBy(() -> MessageKey.decode(java.util.Arrays.copyOf(key, length)))
                .isInstanceOf(CorruptDataException.class);
    }

    @Test
    void aQueueHasNoNegativeNumber() {
        StoredQueue queue = new StoredQueue(-1, Duration.ofDays(14), Duration.ofSeconds(60));
        assertThatThrownBy(() -> StoredQueue.decode(queue.encode())).isInstanceOf(CorruptDataException.class);
    }
}
