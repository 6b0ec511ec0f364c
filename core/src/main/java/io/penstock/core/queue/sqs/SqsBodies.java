package io.penstock.core.queue.sqs;

import io.penstock.core.Bytes;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * The form of bytes in messages of SQS; {@code docs/FORMATS.md} has the format. SQS takes text for a body and raw bytes
 * for an attribute, and counts an attribute's name, type and value toward size and bill. So the bytes travel in an
 * attribute, at a cost of 8 bytes; in the body, as base64, they would grow by a third. Does no I/O.
 */
final class SqsBodies {
    /** The attribute that holds the bytes. One letter: names are billed. */
    static final String ATTRIBUTE = "p";

    private static final String TYPE = "Binary";

    /** The body of every message, which SQS requires to have at least one character: the number of the format. */
    static final String FORMAT = "1";

    /** The bytes of a message in addition to its content: format, name and type. */
    static final int OVERHEAD_BYTES = FORMAT.length() + ATTRIBUTE.length() + TYPE.length();

    private SqsBodies() {}

    /** The attributes of a message with these bytes. A value may not be empty: no bytes, no attribute. */
    static Map<String, MessageAttributeValue> attributes(Bytes bytes) {
        if (bytes.isEmpty()) {
            return Map.of();
        }
        return Map.of(
                ATTRIBUTE,
                MessageAttributeValue.builder()
                        .dataType(TYPE)
                        .binaryValue(SdkBytes.fromByteArrayUnsafe(bytes.toArray()))
                        .build());
    }

    /**
     * The bytes of a message. A foreign message, in another format, is returned as its text: readers check every
     * message, and have a place for invalid ones.
     */
    static Bytes of(Message message) {
        String body = message.body();
        if (!FORMAT.equals(body)) {
            return body == null ? Bytes.EMPTY : Bytes.utf8(body);
        }
        MessageAttributeValue value = message.messageAttributes().get(ATTRIBUTE);
        return value == null || value.binaryValue() == null
                ? Bytes.EMPTY
                : Bytes.wrap(value.binaryValue().asByteArrayUnsafe());
    }
}
