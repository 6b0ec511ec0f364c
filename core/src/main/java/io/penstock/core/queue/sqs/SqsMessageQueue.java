package io.penstock.core.queue.sqs;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.queue.sqs.SqsOutcomes.Call;
import io.penstock.core.remote.ObjectAnswers;
import io.penstock.core.remote.RequestFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/**
 * One queue of SQS, by its name: an old handle of a queue that was deleted and created again is a handle of the new
 * one.
 */
record SqsMessageQueue(SqsConnection connection, String name, QueueLimits limits) implements MessageQueue {
    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        QueueRules.checkSend(limits, bodies);
        String url = connection.url(name);
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
        for (Bytes body : bodies) {
            entries.add(SendMessageBatchRequestEntry.builder()
                    .id(String.valueOf(entries.size()))
                    .messageBody(SqsBodies.FORMAT)
                    .messageAttributes(SqsBodies.attributes(body))
                    .build());
        }
        return connection.call(
                Call.SEND,
                name,
                client -> results(
                        bodies.size(),
                        client.sendMessageBatch(request -> request.queueUrl(url).entries(entries))));
    }

    /** The result of each message; an answer that tells of others, or of one that it is there and not, throws any. */
    private List<SendResult> results(int count, SendMessageBatchResponse response) {
        @Nullable SendResult[] results = new SendResult[count];
        for (SendMessageBatchResultEntry sent : response.successful()) {
            results[Integer.parseInt(sent.id())] = new SendResult.Sent(sent.messageId());
        }
        for (BatchResultErrorEntry error : response.failed()) {
            RequestFailure failure = RequestFailure.answered(200, error.code(), "");
            int index = Integer.parseInt(error.id());
            if (results[index] != null) {
                throw new IllegalStateException("answered twice");
            }
            results[index] = new SendResult.NotSent(
                    SqsOutcomes.isSenderFault(failure, Boolean.TRUE.equals(error.senderFault())), failure.code());
        }
        List<SendResult> all = new ArrayList<>(count);
        for (SendResult result : results) {
            if (result == null) {
                throw new OutcomeUnknownException(
                        "sqs send was answered for some messages only; send them again", "queue", name);
            }
            all.add(result);
        }
        return List.copyOf(all);
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        QueueRules.checkReceive(limits, max, visibility, wait);
        ReceiveMessageRequest request = ReceiveMessageRequest.builder()
                .queueUrl(connection.url(name))
                .maxNumberOfMessages(max)
                .visibilityTimeout(wholeSeconds(visibility))
                .waitTimeSeconds(wholeSeconds(wait))
                .messageAttributeNames(SqsBodies.ATTRIBUTE)
                .messageSystemAttributeNames(
                        MessageSystemAttributeName.SENT_TIMESTAMP, MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT)
                .build();
        return wait.isZero()
                ? connection.call(Call.RECEIVE, name, client -> take(client, request))
                : connection.poll(Call.RECEIVE, name, client -> take(client, request));
    }

    private static List<Delivery> take(SqsClient client, ReceiveMessageRequest request) {
        return client.receiveMessage(request).messages().stream()
                .map(SqsMessageQueue::delivery)
                .toList();
    }

    private static Delivery delivery(Message message) {
        Map<MessageSystemAttributeName, String> attributes = message.attributes();
        return new Delivery(
                ObjectAnswers.told(message.messageId()),
                new Receipt(ObjectAnswers.told(message.receiptHandle())),
                SqsBodies.of(message),
                Long.parseLong(attributes.getOrDefault(MessageSystemAttributeName.SENT_TIMESTAMP, "0")),
                Integer.parseInt(attributes.getOrDefault(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1")));
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        QueueRules.checkBatch(limits, receipts.size());
        String url = connection.url(name);
        List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>();
        for (Receipt receipt : receipts) {
            entries.add(DeleteMessageBatchRequestEntry.builder()
                    .id(String.valueOf(entries.size()))
                    .receiptHandle(receipt.handle())
                    .build());
        }
        return connection.call(
                Call.ACKNOWLEDGE,
                name,
                client -> left(
                        receipts,
                        client.deleteMessageBatch(
                                request -> request.queueUrl(url).entries(entries))));
    }

    /** The receipts of which the answer does not say that their messages are deleted. */
    private static List<Receipt> left(List<Receipt> receipts, DeleteMessageBatchResponse response) {
        Set<String> deleted = response.successful().stream()
                .map(DeleteMessageBatchResultEntry::id)
                .collect(Collectors.toSet());
        return IntStream.range(0, receipts.size())
                .filter(i -> !deleted.contains(String.valueOf(i)))
                .mapToObj(receipts::get)
                .toList();
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        QueueRules.checkVisibility(visibility);
        String url = connection.url(name);
        connection.call(
                Call.ACKNOWLEDGE,
                name,
                client -> {
                    client.changeMessageVisibility(request -> request.queueUrl(url)
                            .receiptHandle(receipt.handle())
                            .visibilityTimeout(wholeSeconds(visibility)));
                    return true;
                },
                failure -> SqsOutcomes.isNoMessage(failure) ? Optional.of(true) : Optional.empty());
    }

    @Override
    public QueueDepth depth() {
        return attributes(
                told -> new QueueDepth(
                        count(told, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
                        count(told, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)),
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
    }

    /**
     * Reads the queue's configuration. Attributes that the server leaves out count as features that it does not have.
     */
    @Override
    public QueueConfiguration configuration() {
        // All of them: SQS refuses to be asked for an attribute that the queue cannot have, such as that of FIFO.
        return attributes(this::configuration, QueueAttributeName.ALL);
    }

    private QueueConfiguration configuration(Map<QueueAttributeName, String> all) {
        String retention = all.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD);
        String bytes = all.get(QueueAttributeName.MAXIMUM_MESSAGE_SIZE);
        return new QueueConfiguration(
                retention == null ? QueueAttributes.RETENTION_MAX : Duration.ofSeconds(Long.parseLong(retention)),
                Duration.ofSeconds(Long.parseLong(all.getOrDefault(QueueAttributeName.DELAY_SECONDS, "0"))),
                bytes == null
                        ? limits.messageBytes()
                        : Math.min(limits.messageBytes(), Integer.parseInt(bytes) - SqsBodies.OVERHEAD_BYTES),
                !all.getOrDefault(QueueAttributeName.REDRIVE_POLICY, "").isEmpty(),
                Boolean.parseBoolean(all.get(QueueAttributeName.FIFO_QUEUE)));
    }

    private <T> T attributes(Function<Map<QueueAttributeName, String>, T> read, QueueAttributeName... names) {
        String url = connection.url(name);
        return connection.call(
                Call.READ,
                name,
                client -> read.apply(client.getQueueAttributes(
                                request -> request.queueUrl(url).attributeNames(names))
                        .attributes()));
    }

    private static long count(Map<QueueAttributeName, String> attributes, QueueAttributeName name) {
        return Long.parseLong(ObjectAnswers.told(attributes.get(name)));
    }

    /** The duration in whole seconds, as SQS counts them, rounded up so that a short one does not become zero. */
    static int wholeSeconds(Duration duration) {
        return Math.toIntExact(duration.plusNanos(999_999_999).toSeconds());
    }
}
