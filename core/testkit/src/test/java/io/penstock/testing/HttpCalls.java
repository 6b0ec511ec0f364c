package io.penstock.testing;

import io.penstock.testkit.CloudCall;

/** Tells from a request to S3 or SQS, and its answer, which kind of call it is. */
final class HttpCalls {
    private HttpCalls() {}

    /** SQS names its action in a field of the head; everything else is S3. */
    static CloudCall of(HttpMessage request, HttpMessage answer) {
        String action = request.field("x-amz-target");
        return action == null ? s3(request, answer) : sqs(action.substring(action.indexOf('.') + 1));
    }

    private static CloudCall s3(HttpMessage request, HttpMessage answer) {
        String[] parts = request.line().split(" ");
        boolean listing =
                parts[1].contains("list-type=") || !parts[1].substring(1).contains("/");
        return switch (parts[0]) {
            case "GET", "HEAD" -> listing ? CloudCall.LIST : read(request, answer);
            case "DELETE" -> CloudCall.REMOVE;
            case "POST" -> parts[1].contains("?delete") ? CloudCall.REMOVE : CloudCall.PUT;
            default -> write(request);
        };
    }

    private static CloudCall read(HttpMessage request, HttpMessage answer) {
        if (answer.line().contains(" 404")) {
            return CloudCall.MISS;
        }
        return request.field("range") == null ? CloudCall.GET : CloudCall.RANGE;
    }

    private static CloudCall write(HttpMessage request) {
        if (request.field("if-none-match") != null) {
            return CloudCall.PUT_ABSENT;
        }
        return request.field("if-match") == null ? CloudCall.PUT : CloudCall.PUT_MATCH;
    }

    private static CloudCall sqs(String action) {
        return switch (action) {
            case "SendMessage", "SendMessageBatch" -> CloudCall.SEND;
            case "ReceiveMessage" -> CloudCall.RECEIVE;
            case "DeleteMessage", "DeleteMessageBatch", "ChangeMessageVisibility", "ChangeMessageVisibilityBatch" ->
                CloudCall.ACKNOWLEDGE;
            default -> CloudCall.MANAGE;
        };
    }
}
