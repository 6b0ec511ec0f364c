package io.penstock.testing;

import io.penstock.testkit.Latency;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;

/** A kind of request to S3 or SQS: how long it takes, and what it costs. */
public enum CloudCall {
    GET,
    PUT,
    REMOVE,
    LIST,
    SEND,
    RECEIVE,
    ACKNOWLEDGE,
    MANAGE;

    /** SQS bills a request once for each of these bytes. */
    private static final int SQS_UNIT_BYTES = 64 << 10;

    private static final double GIGA = 1e9;

    /** SQS names its action in a field of the head; everything else is S3. */
    static CloudCall of(HttpMessage request) {
        String action = request.field("x-amz-target");
        return action == null ? s3(request.line()) : sqs(action.substring(action.indexOf('.') + 1));
    }

    private static CloudCall s3(String line) {
        String[] parts = line.split(" ");
        boolean listing =
                parts[1].contains("list-type=") || !parts[1].substring(1).contains("/");
        return switch (parts[0]) {
            case "GET", "HEAD" -> listing ? LIST : GET;
            case "DELETE" -> REMOVE;
            case "POST" -> parts[1].contains("?delete") ? REMOVE : PUT;
            default -> PUT;
        };
    }

    private static CloudCall sqs(String action) {
        return switch (action) {
            case "SendMessage", "SendMessageBatch" -> SEND;
            case "ReceiveMessage" -> RECEIVE;
            case "DeleteMessage", "DeleteMessageBatch", "ChangeMessageVisibility", "ChangeMessageVisibilityBatch" ->
                ACKNOWLEDGE;
            default -> MANAGE;
        };
    }

    Latency latency(Profile profile) {
        return switch (this) {
            case GET -> profile.get();
            case PUT -> profile.put();
            case REMOVE -> profile.remove();
            case LIST -> profile.list();
            case SEND -> profile.send();
            case RECEIVE -> profile.receive();
            case ACKNOWLEDGE -> profile.acknowledge();
            case MANAGE -> profile.manage();
        };
    }

    /** In dollars. */
    double price(PriceList prices, long bytesIn, long bytesOut) {
        return switch (this) {
            case GET -> prices.s3Get() + bytesOut / GIGA * prices.s3OutPerGb();
            case PUT, LIST -> prices.s3Put() + bytesIn / GIGA * prices.s3InPerGb();
            case REMOVE -> 0;
            default ->
                prices.sqsUnit() * Math.max(1, Math.ceilDiv(Math.max(bytesIn, bytesOut), SQS_UNIT_BYTES))
                        + bytesIn / GIGA * prices.sqsInPerGb()
                        + bytesOut / GIGA * prices.sqsOutPerGb();
        };
    }
}
