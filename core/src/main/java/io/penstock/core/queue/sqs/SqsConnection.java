package io.penstock.core.queue.sqs;

import io.penstock.core.ClosedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.sqs.SqsOutcomes.Call;
import io.penstock.core.remote.RequestFailure;
import io.penstock.core.remote.Verdict;
import io.penstock.core.remote.aws.AwsFailures;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The state that a service and its queues share: the clients, the queues' URLs, and the handling of failures. Safe for
 * use by many threads.
 */
final class SqsConnection {
    /**
     * The time for which a new queue may seem missing. SQS asks for a second before a new queue is used; this is more,
     * in case its servers learn of it one by one.
     */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final SqsClients clients;
    private final Timekeeper time;
    private final ConcurrentHashMap<String, String> urls = new ConcurrentHashMap<>();

    /** The time when this service created each queue, by the monotonic clock. */
    private final ConcurrentHashMap<String, Long> createdNanos = new ConcurrentHashMap<>();

    private volatile boolean closed;

    SqsConnection(SqsClients clients, Timekeeper time) {
        this.clients = clients;
        this.time = time;
    }

    /** Makes a request of which no failure is an answer. */
    <T> T call(Call kind, String queue, Function<SqsClient, T> request) {
        return call(kind, queue, request, failure -> Optional.empty());
    }

    /** Makes a request; {@code answer} may interpret a failure as an answer. */
    <T> T call(Call kind, String queue, Function<SqsClient, T> request, Function<RequestFailure, Optional<T>> answer) {
        return call(clients.ordinary(), kind, queue, request, answer);
    }

    /** Makes a request that the server may answer late on purpose. */
    <T> T poll(Call kind, String queue, Function<SqsClient, T> request) {
        return call(clients.polling(), kind, queue, request, failure -> Optional.empty());
    }

    private <T> T call(
            SqsClient client,
            Call kind,
            String queue,
            Function<SqsClient, T> request,
            Function<RequestFailure, Optional<T>> answer) {
        if (closed) {
            throw new ClosedException("the queue service was closed; open it again", "queue", queue);
        }
        try {
            return request.apply(client);
        } catch (StoreException own) {
            throw own;
        } catch (RuntimeException e) { // a provider of credentials or an interceptor of the user may throw any
            RequestFailure failure = AwsFailures.of(e);
            return answer.apply(failure).orElseThrow(() -> failed(kind, queue, failure));
        }
    }

    private StoreException failed(Call kind, String queue, RequestFailure failure) {
        if (SqsOutcomes.isNoQueue(failure)) {
            urls.remove(queue);
            if (isSettling(queue)) {
                return new UnavailableException(
                        "the queue was created a moment ago and does not exist everywhere yet; retry", "queue", queue);
            }
        }
        Verdict verdict = SqsOutcomes.of(kind, failure);
        return SqsOutcomes.isLackOfRight(failure)
                ? verdict.exception("sqs", kind.text(), failure, "queue", queue, "right", kind.rights())
                : verdict.exception("sqs", kind.text(), failure, "queue", queue);
    }

    private boolean isSettling(String queue) {
        Long created = createdNanos.get(queue);
        if (created == null) {
            return false;
        }
        boolean settling = time.nanoTime() - created < SETTLING.toNanos();
        if (!settling) {
            createdNanos.remove(queue, created);
        }
        return settling;
    }

    /** The URL of a queue: requested once, and again after the queue was found missing. */
    String url(String queue) {
        String known = urls.get(queue);
        return known != null ? known : call(Call.READ, queue, client -> locate(client, queue));
    }

    /** Requests the URL of a queue; empty when there is no such queue. */
    Optional<String> find(String queue) {
        return call(
                Call.READ,
                queue,
                client -> Optional.of(locate(client, queue)),
                failure -> SqsOutcomes.isNoQueue(failure) && !isSettling(queue)
                        ? Optional.of(Optional.empty())
                        : Optional.empty());
    }

    private String locate(SqsClient client, String queue) {
        String url = client.getQueueUrl(request -> request.queueName(queue)).queueUrl();
        urls.put(queue, url);
        return url;
    }

    /** Notes that a queue exists from now on. */
    void created(String queue, String url) {
        urls.put(queue, url);
        createdNanos.put(queue, time.nanoTime());
    }

    /** Notes that a queue was deleted. */
    void deleted(String queue) {
        urls.remove(queue);
        createdNanos.remove(queue);
    }

    void close() {
        closed = true;
        clients.close();
    }
}
