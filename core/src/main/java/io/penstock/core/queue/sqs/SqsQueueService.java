package io.penstock.core.queue.sqs;

import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsOutcomes.Call;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Standard queues of SQS. Each call is one request and one attempt, except for the listing of more than 1,000 queues,
 * for {@link #create} while a name is barred, and for the first use of a queue, which requests its URL; put {@link
 * io.penstock.core.queue.QueueServices#retrying} above it. {@link SqsOutcomes} decides what a failure means.
 *
 * <p>Opening it makes no request. Exceptions name the server's code, status and request id. They have no cause, and no
 * text of the SDK's.
 *
 * <p>Safe for use by many threads.
 */
public final class SqsQueueService implements QueueService {
    private static final Logger LOG = LoggerFactory.getLogger(SqsQueueService.class);

    /** The most bytes of one message, and of one batch. */
    static final int WIRE_BYTES_MAX = 1 << 20;

    private static final int ENTRIES_MAX = 10;

    /** A full batch of full messages, less the overhead of each. */
    static final QueueLimits LIMITS = new QueueLimits(
            ENTRIES_MAX,
            WIRE_BYTES_MAX - ENTRIES_MAX * SqsBodies.OVERHEAD_BYTES,
            WIRE_BYTES_MAX - ENTRIES_MAX * SqsBodies.OVERHEAD_BYTES);

    /** The most queues in one answer of SQS. */
    private static final int NAMES_MAX = 1_000;

    /** The longest bar on the name of a deleted queue: 60 s by the documentation, and a margin. */
    private static final Duration BARRED_MAX = Duration.ofSeconds(65);

    private static final Duration BARRED_PAUSE = Duration.ofSeconds(2);

    private final SqsConnection connection;
    private final Map<String, String> tags;
    private final Tasks tasks;

    private SqsQueueService(SqsConnection connection, Map<String, String> tags, Tasks tasks) {
        this.connection = connection;
        this.tags = tags;
        this.tasks = tasks;
    }

    /** @throws io.penstock.core.InvalidRequestException when the SDK finds no region */
    public static SqsQueueService open(SqsSettings settings, Tasks tasks) {
        return new SqsQueueService(new SqsConnection(SqsClients.of(settings), tasks), settings.tags(), tasks);
    }

    /**
     * {@inheritDoc}
     *
     * <p>An existing queue with other attributes is used as it is, with a warning in the log: they may be the
     * operator's choice.
     */
    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        QueueRules.checkName(name);
        QueueRules.checkAttributes(attributes);
        long startNanos = tasks.nanoTime();
        while (true) {
            Optional<String> url = tryCreate(name, attributes);
            if (url.isPresent()) {
                connection.created(name, url.get());
                return new SqsMessageQueue(connection, name, LIMITS);
            }
            if (tasks.nanoTime() - startNanos > BARRED_MAX.toNanos()) {
                throw new UnavailableException(
                        "a queue of this name was deleted and its name is still barred; retry in a minute",
                        "queue",
                        name);
            }
            tasks.sleep(BARRED_PAUSE);
        }
    }

    /** The URL of the queue; empty while its name is barred. */
    private Optional<String> tryCreate(String name, QueueAttributes attributes) {
        return connection.call(
                Call.MANAGE,
                name,
                client -> Optional.of(client.createQueue(request -> request.queueName(name)
                                .attributes(wire(attributes))
                                .tags(tags))
                        .queueUrl()),
                failure -> {
                    if (SqsOutcomes.isDeletedRecently(failure)) {
                        return Optional.of(Optional.empty());
                    }
                    if (SqsOutcomes.hasOtherAttributes(failure)) {
                        LOG.warn("queue {} exists with other attributes than requested; it is used as it is", name);
                        return Optional.of(Optional.of(connection.url(name)));
                    }
                    return Optional.empty();
                });
    }

    private static Map<QueueAttributeName, String> wire(QueueAttributes attributes) {
        return Map.of(
                QueueAttributeName.MESSAGE_RETENTION_PERIOD, seconds(attributes.retention()),
                QueueAttributeName.VISIBILITY_TIMEOUT, seconds(attributes.visibility()),
                QueueAttributeName.MAXIMUM_MESSAGE_SIZE, String.valueOf(WIRE_BYTES_MAX),
                QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, seconds(QueueRules.WAIT_MAX));
    }

    private static String seconds(Duration duration) {
        return String.valueOf(SqsMessageQueue.wholeSeconds(duration));
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        QueueRules.checkName(name);
        return connection.find(name).map(url -> new SqsMessageQueue(connection, name, LIMITS));
    }

    @Override
    public List<String> list(String prefix) {
        return connection.call(Call.READ, prefix, client -> names(client, prefix));
    }

    private static List<String> names(SqsClient client, String prefix) {
        return client
                .listQueuesPaginator(request -> {
                    request.maxResults(NAMES_MAX);
                    if (!prefix.isEmpty()) {
                        request.queueNamePrefix(prefix);
                    }
                })
                .queueUrls()
                .stream()
                .map(url -> url.substring(url.lastIndexOf('/') + 1))
                .sorted()
                .distinct()
                .toList();
    }

    @Override
    public void delete(String name) {
        QueueRules.checkName(name);
        Optional<String> url = connection.find(name);
        if (url.isPresent()) {
            connection.call(
                    Call.MANAGE,
                    name,
                    client -> {
                        client.deleteQueue(request -> request.queueUrl(url.get()));
                        return true;
                    },
                    failure -> SqsOutcomes.isNoQueue(failure) ? Optional.of(true) : Optional.empty());
        }
        connection.deleted(name);
    }

    @Override
    public QueueLimits limits() {
        return LIMITS;
    }

    @Override
    public void close() {
        connection.close();
    }
}
