package io.penstock.core.queue.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

class SqsBodiesTest {
    private static final int CHUNK_BYTES = 64 << 10;

    private static Message message(Bytes bytes) {
        return Message.builder()
                .body(SqsBodies.FORMAT)
                .messageAttributes(SqsBodies.attributes(bytes))
                .build();
    }

    @Test
    void bytesComeBack() {
        for (Bytes bytes :
                List.of(Bytes.EMPTY, Bytes.utf8("x"), Bytes.utf8("..slice..").slice(2, 7))) {
            assertThat(SqsBodies.of(message(bytes))).isEqualTo(bytes);
        }
    }

    @Test
    void foreignTextIsReturnedUnchanged() {
        Message byHand = Message.builder().body("1 by hand").build();
        assertThat(SqsBodies.of(byHand)).isEqualTo(Bytes.utf8("1 by hand"));
    }

    /** The bytes that SQS bills for a message with {@code length} bytes in an attribute. */
    private static long billedBytes(long length) {
        return length == 0 ? SqsBodies.FORMAT.length() : length + SqsBodies.OVERHEAD_BYTES;
    }

    /** Counts what is billed as SQS does: body, and name, type and value of each attribute. */
    @Test
    void overheadIsWhatTheFormatAdds() {
        for (int length : new int[] {0, 1, 1_000}) {
            Message message = message(Bytes.wrap(new byte[length]));
            long counted = message.body().length();
            for (Map.Entry<String, MessageAttributeValue> attribute :
                    message.messageAttributes().entrySet()) {
                counted += attribute.getKey().length()
                        + attribute.getValue().dataType().length()
                        + attribute.getValue().binaryValue().asByteArray().length;
            }
            assertThat(billedBytes(length)).isEqualTo(counted);
        }
    }

    @Test
    void fullBatchOfAnyMessagesFits() {
        int all = SqsQueueService.LIMITS.batchBytes();
        int entries = SqsQueueService.LIMITS.batchEntries();
        assertThat(billedBytes(all)).isLessThanOrEqualTo(SqsQueueService.WIRE_BYTES_MAX);
        long spread = (entries - 1) * billedBytes(1) + billedBytes(all - (entries - 1));
        assertThat(spread).isEqualTo(SqsQueueService.WIRE_BYTES_MAX);
    }

    /** The attribute is the cheaper way: the table of {@code docs/figures/sqs-bodies.csv}, computed. */
    @Test
    void figuresOfThePage() throws IOException {
        List<String> rows = new ArrayList<>();
        for (int bytes : new int[] {20, 100, 1_000, 10_000, 49_152, 65_528, 262_144, 786_432, 1_048_496}) {
            long inBody = Base64.getEncoder().encode(new byte[bytes]).length;
            long inAttribute = billedBytes(bytes);
            rows.add(String.format(
                    Locale.ROOT,
                    "%d,%d,%s,%d,%s",
                    bytes,
                    inBody,
                    requests(inBody),
                    inAttribute,
                    requests(inAttribute)));
        }
        assertThat(Files.readAllLines(Path.of("..", "docs", "figures", "sqs-bodies.csv")).stream()
                        .skip(1))
                .containsExactlyElementsOf(rows);
    }

    private static String requests(long bytes) {
        return bytes > SqsQueueService.WIRE_BYTES_MAX ? "too large" : String.valueOf(Math.ceilDiv(bytes, CHUNK_BYTES));
    }

    @Test
    void aMessageWithoutBodyIsEmpty() {
        assertThat(SqsBodies.of(software.amazon.awssdk.services.sqs.model.Message.builder()
                        .build()))
                .isEqualTo(Bytes.EMPTY);
    }
}
