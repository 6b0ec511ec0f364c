package io.penstock.core.queue.sqs;

import io.penstock.testing.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Messages as SQS returns them, of this library and of other programs. */
public final class SqsTargets {
    private SqsTargets() {}

    /** The first byte says which attribute there is; the others are the body, and the attribute's value. */
    public static List<FuzzTarget> all() {
        return List.of(FuzzTarget.of("sqs-message", List.of(new byte[] {1, '1'}, new byte[] {0, 'x'}), bytes -> {
            int kind = bytes.length == 0 ? 0 : bytes[0] & 3;
            String text =
                    new String(bytes, Math.min(1, bytes.length), Math.max(0, bytes.length - 1), StandardCharsets.UTF_8);
            MessageAttributeValue.Builder value = MessageAttributeValue.builder();
            value = (kind & 1) == 0 ? value.stringValue(text) : value.binaryValue(SdkBytes.fromByteArray(bytes));
            Message.Builder message = Message.builder().body(kind == 3 ? null : text);
            message = kind == 2 ? message : message.messageAttributes(Map.of(SqsBodies.ATTRIBUTE, value.build()));
            SqsBodies.of(message.build());
        }));
    }
}
