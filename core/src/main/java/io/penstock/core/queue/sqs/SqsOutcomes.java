package io.penstock.core.queue.sqs;

import io.penstock.core.ErrorCode;
import io.penstock.core.remote.CommonOutcomes;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.Verdict;
import java.util.Set;

/**
 * Decides what a failed request to SQS means. Does no I/O. {@code docs/AWS.md} has the same as a table.
 *
 * <p>Only a request that changes nothing (to find, list and measure queues) is <i>not done</i> whenever it fails for
 * the moment. A receive is not such a request: it hides messages, and when its answer is lost they stay hidden until
 * their visibility ends. For all others there are three proofs that the server did not act: the connection failed, it
 * throttled, or it refused. Everything else may have taken effect, above all after 500, 503 and a lost answer to a
 * send. To send again is harmless, because our messages are idempotent.
 */
final class SqsOutcomes {
    private static final String OLD_PREFIX = "AWS.SimpleQueueService.";

    static final Set<String> THROTTLED = Set.of(
            "RequestThrottled",
            "Throttling",
            "ThrottlingException",
            "ThrottledException",
            "TooManyRequestsException",
            "RequestLimitExceeded",
            "SlowDown",
            "KmsThrottled",
            "KMS.ThrottlingException");

    static final Set<String> NO_QUEUE = Set.of("QueueDoesNotExist", "NonExistentQueue");

    static final Set<String> NO_MESSAGE =
            Set.of("ReceiptHandleIsInvalid", "InvalidReceiptHandle", "MessageNotInflight", "InvalidIdFormat");

    static final Set<String> OTHER_ATTRIBUTES = Set.of("QueueNameExists", "QueueAlreadyExists");

    static final Set<String> TOO_LARGE =
            Set.of("BatchRequestTooLong", "MessageTooLong", "InvalidMessageContents", "InvalidAttributeValue");

    private SqsOutcomes() {}

    /** The kind of a request. */
    enum Call {
        /** Finds, lists, measures. */
        READ("read of queues", "sqs:GetQueueUrl, sqs:GetQueueAttributes and sqs:ListQueues"),
        SEND("send", "sqs:SendMessage"),
        RECEIVE("receive", "sqs:ReceiveMessage"),
        /** Deletes messages or changes their visibility. */
        ACKNOWLEDGE("acknowledgement", "sqs:DeleteMessage and sqs:ChangeMessageVisibility"),
        /** Creates or deletes queues. */
        MANAGE("change of a queue", "sqs:CreateQueue and sqs:DeleteQueue");

        private final String text;
        private final String rights;

        Call(String text, String rights) {
            this.text = text;
            this.rights = rights;
        }

        /** The rights that such calls need, as policies name them. */
        String rights() {
            return rights;
        }

        /** The word for it in messages. */
        String text() {
            return text;
        }
    }

    static Verdict of(Call call, RequestFailure failure) {
        return CommonOutcomes.of(
                failure, why -> unclear(call, why), () -> answered(call, failure.status(), name(failure)));
    }

    /** Whether the queue does not exist. */
    static boolean isNoQueue(RequestFailure failure) {
        return NO_QUEUE.contains(name(failure));
    }

    /** Whether the queue exists with other attributes than those asked for. */
    static boolean hasOtherAttributes(RequestFailure failure) {
        return OTHER_ATTRIBUTES.contains(name(failure));
    }

    /** Whether a queue of the name was deleted less than a minute ago. */
    static boolean isDeletedRecently(RequestFailure failure) {
        return name(failure).equals("QueueDeletedRecently");
    }

    /** Whether the receipt is invalid: the message is gone, visible again, or never existed. */
    static boolean isNoMessage(RequestFailure failure) {
        return NO_MESSAGE.contains(name(failure)) || name(failure).equals("InvalidParameterValue");
    }

    /** Whether sending a message of a batch again would fail again: the server's statement, unless it is throttling. */
    static boolean isSenderFault(RequestFailure failure, boolean toldSo) {
        return toldSo && !THROTTLED.contains(name(failure));
    }

    /** The code without the prefix of older servers. */
    private static String name(RequestFailure failure) {
        String code = failure.code();
        return code.startsWith(OLD_PREFIX) ? code.substring(OLD_PREFIX.length()) : code;
    }

    private static Verdict answered(Call call, int status, String code) {
        if (THROTTLED.contains(code) || status == 429) {
            return CommonOutcomes.THROTTLING;
        }
        if (code.equals("OverLimit")) {
            return Verdict.notDone("the queue has too many messages in flight; delete or release some, then retry");
        }
        if (code.equals("QueueDeletedRecently")) {
            return Verdict.notDone("a queue of this name was deleted a moment ago; retry in a minute");
        }
        if (CommonOutcomes.EXPIRED.contains(code)) {
            return CommonOutcomes.CREDENTIALS_EXPIRED;
        }
        if (status == 408) {
            return CommonOutcomes.INCOMPLETE;
        }
        return refused(call, status, code);
    }

    private static Verdict refused(Call call, int status, String code) {
        if (NO_QUEUE.contains(code)) {
            return Verdict.refused(
                    ErrorCode.QUEUE_NOT_FOUND,
                    "there is no such queue; check whether it was deleted, and the region and account");
        }
        if (NO_MESSAGE.contains(code)) {
            return Verdict.invalid(
                    ErrorCode.REQUEST_REFUSED, "the receipt is no longer valid; receive the message again");
        }
        if (TOO_LARGE.contains(code)) {
            return Verdict.invalid(
                    ErrorCode.TOO_LARGE, "the server refuses a message or attribute; raise the queue's maximum size");
        }
        if (code.startsWith("Kms") || code.startsWith("KMS.")) {
            return Verdict.refused(
                    ErrorCode.ACCESS_DENIED, "the queue's KMS key cannot be used; check the key and its policy");
        }
        if (code.equals("RequestTimeTooSkewed")) {
            return Verdict.refused(
                    ErrorCode.CLOCK_SKEW, "this machine's clock is too far from the server's; correct it");
        }
        if (status == 403 || code.equals("AccessDenied") || code.equals("AccessDeniedException")) {
            return Verdict.refused(
                    ErrorCode.ACCESS_DENIED,
                    "access was denied; check credentials, IAM policy, queue policy and this machine's clock");
        }
        if (status >= 400 && status < 500) {
            return CommonOutcomes.REFUSED;
        }
        return unclear(call, "the server failed");
    }

    /** Whether the credentials are known and lack a right on the queue. */
    static boolean isLackOfRight(RequestFailure failure) {
        return name(failure).startsWith("AccessDenied");
    }

    private static Verdict unclear(Call call, String why) {
        return switch (call) {
            case READ -> Verdict.notDone(why + "; retry later");
            case SEND -> Verdict.unknown(why + "; messages may have been sent: send them again");
            case RECEIVE ->
                Verdict.unknown(why + "; messages may be hidden until their visibility ends: receive again");
            case ACKNOWLEDGE, MANAGE -> Verdict.unknown(why + "; it may have taken effect: repeat the call");
        };
    }
}
