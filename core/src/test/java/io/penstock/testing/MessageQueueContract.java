package io.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link QueueService} and its queues. A subclass gives a service to {@link #run} and says how
 * far its promises go; where an implementation differs it overrides the test and says why.
 *
 * <p>The tests ask of a queue only what SQS always guarantees: messages may be late, duplicated or in another order,
 * unless {@link #ordered} and {@link #deliversOnce} say better.
 */
public abstract class MessageQueueContract {
    private static final Duration HIDDEN = Duration.ofSeconds(30);
    private static final Duration LONG_POLL = Duration.ofSeconds(2);
    private static final Duration NO_WAIT = Duration.ZERO;

    /** The number of empty receives in a row after which a message counts as lost. */
    private static final int EMPTY_RECEIVES_MAX = 10;

    /** The service under test: the same one at every call within a test. */
    protected abstract QueueService service();

    /** Time and threads of the test. */
    protected abstract Tasks tasks();

    /** Runs one test's body: inside a simulation, say. */
    protected void run(Runnable body) {
        body.run();
    }

    /** Lets the queue's time pass. */
    protected void advance(Duration duration) {
        tasks().sleep(duration);
    }

    /** Whether messages come in the order they were sent. */
    protected boolean ordered() {
        return false;
    }

    /** Whether a message comes once per visibility time-out, and never after its deletion. */
    protected boolean deliversOnce() {
        return false;
    }

    /** Whether a receive without waiting finds the messages there are, and depth counts them. */
    protected boolean findsAll() {
        return false;
    }

    /** Whether a queue that was just deleted refuses sends at once: SQS may take them for a minute, and lose them. */
    protected boolean refusesSendsOnceDeleted() {
        return true;
    }

    /** The common prefix of all queue names of this test, for a service that others use as well. */
    protected String prefix() {
        return "contract-";
    }

    private MessageQueue queue() {
        return service().create(prefix() + "q", QueueAttributes.STANDARD);
    }

    private static List<Bytes> bodies(String... texts) {
        return Arrays.stream(texts).map(Bytes::utf8).toList();
    }

    private static void sendOne(MessageQueue queue, String body) {
        assertThat(queue.send(bodies(body))).singleElement().isInstanceOf(SendResult.Sent.class);
    }

    /**
     * Receives until {@code distinct} messages were seen, or it seems hopeless; the newest delivery of each, by body.
     */
    private Map<String, Delivery> receive(MessageQueue queue, int distinct, Duration visibility) {
        Map<String, Delivery> found = new HashMap<>();
        int empty = 0;
        while (found.size() < distinct && empty < EMPTY_RECEIVES_MAX) {
            List<Delivery> deliveries = queue.receive(10, visibility, LONG_POLL);
            empty = deliveries.isEmpty() ? empty + 1 : 0;
            deliveries.forEach(delivery -> found.put(delivery.body().toUtf8(), delivery));
        }
        return found;
    }

    private Delivery receiveOne(MessageQueue queue, Duration visibility) {
        for (int i = 0; i < EMPTY_RECEIVES_MAX; i++) {
            List<Delivery> found = queue.receive(1, visibility, LONG_POLL);
            if (!found.isEmpty()) {
                return found.getFirst();
            }
        }
        throw new AssertionError("no message came");
    }

    private void assertNothingComes(MessageQueue queue) {
        if (deliversOnce()) {
            assertThat(queue.receive(10, HIDDEN, NO_WAIT)).isEmpty();
        }
    }

    @Test
    public void sentMessageIsReceivedAndDeleted() {
        run(() -> {
            MessageQueue queue = queue();
            long before = tasks().nowMillis();
            SendResult sent = queue.send(bodies("hello")).getFirst();
            Delivery delivery = receiveOne(queue, HIDDEN);
            assertThat(delivery.body()).isEqualTo(Bytes.utf8("hello"));
            assertThat(sent).isEqualTo(new SendResult.Sent(delivery.messageId()));
            assertThat(delivery.receiveCount()).isPositive();
            assertThat(delivery.sentMillis()).isBetween(before - 60_000, tasks().nowMillis() + 60_000);
            assertThat(queue.delete(List.of(delivery.receipt()))).isEmpty();
            advance(HIDDEN.plusSeconds(1));
            assertNothingComes(queue);
        });
    }

    @Test
    public void emptyQueueAnswersEmpty() {
        run(() -> {
            assertThat(queue().receive(10, HIDDEN, NO_WAIT)).isEmpty();
            long start = tasks().nanoTime();
            assertThat(queue().receive(10, HIDDEN, Duration.ofSeconds(1))).isEmpty();
            Duration waited = Duration.ofNanos(tasks().nanoTime() - start);
            assertThat(waited).isBetween(Duration.ofMillis(900), Duration.ofSeconds(15));
        });
    }

    @Test
    public void batchComesBackWhole() {
        run(() -> {
            MessageQueue queue = queue();
            List<String> sent = IntStream.range(0, 10).mapToObj(i -> "m" + i).toList();
            List<SendResult> results = queue.send(sent.stream().map(Bytes::utf8).toList());
            assertThat(results).hasSize(10).allMatch(r -> r instanceof SendResult.Sent);
            Map<String, Delivery> found = receive(queue, 10, HIDDEN);
            assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(sent);
            for (int i = 0; i < 10; i++) {
                assertThat(results.get(i))
                        .isEqualTo(new SendResult.Sent(found.get("m" + i).messageId()));
            }
            List<Receipt> receipts =
                    found.values().stream().map(Delivery::receipt).toList();
            assertThat(queue.delete(receipts)).isEmpty();
        });
    }

    @Test
    public void keepsOrderIfItSaysSo() {
        run(() -> {
            MessageQueue queue = queue();
            List<String> sent = new ArrayList<>();
            for (int batch = 0; batch < 5; batch++) {
                List<String> texts = List.of(batch + "a", batch + "b", batch + "c");
                queue.send(texts.stream().map(Bytes::utf8).toList());
                sent.addAll(texts);
            }
            List<String> came = new ArrayList<>();
            for (int i = 0; i < 40 && new HashSet<>(came).size() < sent.size(); i++) {
                queue.receive(4, HIDDEN, LONG_POLL)
                        .forEach(d -> came.add(d.body().toUtf8()));
            }
            assertThat(new TreeSet<>(came)).isEqualTo(new TreeSet<>(sent));
            if (ordered() && deliversOnce()) {
                assertThat(came).isEqualTo(sent);
            }
        });
    }

    @Test
    public void anyBytesSurvive() {
        run(() -> {
            MessageQueue queue = queue();
            byte[] body = new byte[5_000];
            new Random(3).nextBytes(body);
            queue.send(List.of(Bytes.wrap(body, 100, 4_000)));
            assertThat(receiveOne(queue, HIDDEN).body()).isEqualTo(Bytes.wrap(body, 100, 4_000));
        });
    }

    @Test
    public void largestMessageSurvives() {
        run(() -> {
            MessageQueue queue = queue();
            byte[] body = new byte[service().limits().messageBytes()];
            new Random(5).nextBytes(body);
            assertThat(queue.send(List.of(Bytes.wrap(body))).getFirst()).isInstanceOf(SendResult.Sent.class);
            assertThat(receiveOne(queue, HIDDEN).body()).isEqualTo(Bytes.wrap(body));
        });
    }

    @Test
    public void refusesBatchesBeyondTheLimits() {
        run(() -> {
            MessageQueue queue = queue();
            QueueLimits limits = service().limits();
            assertRefused(() -> queue.send(List.of()));
            assertRefused(() -> queue.send(Collections.nCopies(limits.batchEntries() + 1, Bytes.utf8("x"))));
            assertRefused(() -> queue.send(List.of(Bytes.wrap(new byte[limits.messageBytes() + 1]))));
            Bytes part = Bytes.wrap(new byte[limits.batchBytes() / 8 + 1]);
            assertRefused(() -> queue.send(Collections.nCopies(8, part)));
            assertRefused(() -> queue.delete(Collections.nCopies(limits.batchEntries() + 1, new Receipt("x"))));
            assertNothingComes(queue);
        });
    }

    @Test
    public void refusesArgumentsOutOfRange() {
        run(() -> {
            MessageQueue queue = queue();
            assertRefused(() -> queue.receive(0, HIDDEN, NO_WAIT));
            assertRefused(() -> queue.receive(service().limits().batchEntries() + 1, HIDDEN, NO_WAIT));
            assertRefused(() -> queue.receive(1, Duration.ofHours(12).plusSeconds(1), NO_WAIT));
            assertRefused(() -> queue.receive(1, Duration.ofSeconds(-1), NO_WAIT));
            assertRefused(() -> queue.receive(1, HIDDEN, Duration.ofSeconds(21)));
            assertRefused(() -> queue.receive(1, HIDDEN, Duration.ofSeconds(-1)));
            for (String name : List.of("", "a b", "a/b", "é", "n".repeat(81))) {
                assertRefused(() -> service().create(name, QueueAttributes.STANDARD));
            }
            Duration tooLong = QueueAttributes.RETENTION_MAX.plusSeconds(1);
            assertRefused(() -> service().create(prefix() + "r", new QueueAttributes(tooLong, HIDDEN)));
            Duration tooShort = Duration.ofSeconds(59);
            assertRefused(() -> service().create(prefix() + "r", new QueueAttributes(tooShort, HIDDEN)));
        });
    }

    /** It is the servers that have lost the queue: the call is as right as it was. */
    private static void assertGone(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.isGone()).isTrue());
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    public void receivedMessageIsHiddenUntilItsTimeIsOver() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery first = receiveOne(queue, Duration.ofSeconds(10));
            assertNothingComes(queue);
            advance(Duration.ofSeconds(5));
            assertNothingComes(queue);
            advance(Duration.ofSeconds(6));
            Delivery second = receiveOne(queue, HIDDEN);
            assertThat(second.messageId()).isEqualTo(first.messageId());
            assertThat(second.sentMillis()).isEqualTo(first.sentMillis());
            assertThat(second.receiveCount()).isGreaterThan(1);
            if (deliversOnce()) {
                assertThat(first.receiveCount()).isEqualTo(1);
                assertThat(second.receiveCount()).isEqualTo(2);
            }
        });
    }

    @Test
    public void zeroVisibilityShowsAMessageAtOnce() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery first = receiveOne(queue, HIDDEN);
            queue.changeVisibility(first.receipt(), Duration.ZERO);
            assertThat(receiveOne(queue, HIDDEN).messageId()).isEqualTo(first.messageId());
        });
    }

    @Test
    public void changedVisibilityCountsFromNow() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery first = receiveOne(queue, Duration.ofSeconds(10));
            advance(Duration.ofSeconds(5));
            queue.changeVisibility(first.receipt(), Duration.ofSeconds(20));
            advance(Duration.ofSeconds(10));
            assertNothingComes(queue);
            advance(Duration.ofSeconds(11));
            assertThat(receiveOne(queue, HIDDEN).messageId()).isEqualTo(first.messageId());
        });
    }

    @Test
    public void visibilityOfAMessageThatIsGoneChangesNothing() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery gone = receiveOne(queue, HIDDEN);
            queue.delete(List.of(gone.receipt()));
            queue.changeVisibility(gone.receipt(), Duration.ZERO);
            assertNothingComes(queue);
        });
    }

    @Test
    public void staleReceiptDeletesNothing() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery first = receiveOne(queue, Duration.ofSeconds(1));
            advance(Duration.ofSeconds(2));
            Delivery second = receiveOne(queue, HIDDEN);
            assertThat(second.receipt()).isNotEqualTo(first.receipt());
            assertThat(queue.delete(List.of(first.receipt()))).containsExactly(first.receipt());
            // Nor does it change what the newer receiver asked for.
            queue.changeVisibility(first.receipt(), Duration.ZERO);
            assertNothingComes(queue);
            queue.changeVisibility(second.receipt(), Duration.ZERO);
            Delivery third = receiveOne(queue, HIDDEN);
            assertThat(queue.delete(List.of(third.receipt()))).isEmpty();
        });
    }

    @Test
    public void receiptOutlivesItsVisibilityUntilTheNextReceive() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery first = receiveOne(queue, Duration.ofSeconds(1));
            advance(Duration.ofSeconds(2));
            assertThat(queue.delete(List.of(first.receipt()))).isEmpty();
            assertNothingComes(queue);
        });
    }

    @Test
    public void deletingTwiceIsNoError() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery delivery = receiveOne(queue, HIDDEN);
            assertThat(queue.delete(List.of(delivery.receipt()))).isEmpty();
            assertThat(queue.delete(List.of(delivery.receipt()))).isEmpty();
        });
    }

    @Test
    public void foreignReceiptIsReported() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery delivery = receiveOne(queue, HIDDEN);
            Receipt foreign = new Receipt("no receipt at all");
            assertThat(queue.delete(List.of(foreign, delivery.receipt()))).containsExactly(foreign);
        });
    }

    @Test
    public void longPollReturnsSoonAfterASend() {
        run(() -> {
            MessageQueue queue = queue();
            Task<Duration> poll = tasks().fork("poll", () -> {
                long start = tasks().nanoTime();
                List<Delivery> found = queue.receive(10, HIDDEN, Duration.ofSeconds(20));
                assertThat(found).hasSize(1);
                return Duration.ofNanos(tasks().nanoTime() - start);
            });
            tasks().sleep(Duration.ofMillis(300));
            assertThat(poll.isDone()).isFalse();
            sendOne(queue, "m");
            assertThat(poll.join()).isLessThan(Duration.ofSeconds(10));
        });
    }

    @Test
    public void longPollSeesAMessageShowAgain() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery first = receiveOne(queue, Duration.ofSeconds(1));
            long start = tasks().nanoTime();
            Delivery second = queue.receive(1, HIDDEN, Duration.ofSeconds(20)).getFirst();
            assertThat(second.messageId()).isEqualTo(first.messageId());
            assertThat(Duration.ofNanos(tasks().nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        });
    }

    @Test
    public void longPollSeesAReleasedMessage() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery first = receiveOne(queue, Duration.ofHours(1));
            Task<List<Delivery>> poll = tasks().fork("poll", () -> queue.receive(1, HIDDEN, Duration.ofSeconds(20)));
            tasks().sleep(Duration.ofMillis(200));
            queue.changeVisibility(first.receipt(), Duration.ZERO);
            assertThat(poll.join())
                    .singleElement()
                    .extracting(Delivery::messageId)
                    .isEqualTo(first.messageId());
        });
    }

    @Test
    public void racingReceiversLoseNothing() {
        run(() -> {
            MessageQueue queue = queue();
            int senders = 8;
            int each = 10;
            List<Task<Boolean>> sending = new ArrayList<>();
            for (int s = 0; s < senders; s++) {
                String name = "s" + s;
                sending.add(tasks().start(name, () -> {
                    for (int i = 0; i < each; i++) {
                        queue.send(bodies(name + "-" + i + "a", name + "-" + i + "b"));
                    }
                }));
            }
            int expected = senders * each * 2;
            Map<String, Integer> came = new ConcurrentHashMap<>();
            List<Task<Boolean>> receiving = new ArrayList<>();
            for (int r = 0; r < 4; r++) {
                receiving.add(tasks().start("receiver", () -> drain(queue, came, expected)));
            }
            sending.forEach(Task::join);
            receiving.forEach(Task::join);
            assertThat(came).hasSize(expected);
            if (deliversOnce()) {
                assertThat(came.values()).containsOnly(1);
            }
        });
    }

    private void drain(MessageQueue queue, Map<String, Integer> came, int expected) {
        int empty = 0;
        while (came.size() < expected && empty < EMPTY_RECEIVES_MAX) {
            List<Delivery> found = queue.receive(10, Duration.ofHours(1), Duration.ofSeconds(1));
            empty = found.isEmpty() ? empty + 1 : 0;
            found.forEach(delivery -> came.merge(delivery.body().toUtf8(), 1, Integer::sum));
            if (!found.isEmpty()) {
                List<Receipt> left =
                        queue.delete(found.stream().map(Delivery::receipt).toList());
                // A message that came twice is the newer receiver's to delete.
                assertThat(deliversOnce() ? left : List.of()).isEmpty();
            }
        }
    }

    @Test
    public void oldMessagesAreForgotten() {
        run(() -> {
            MessageQueue queue =
                    service().create(prefix() + "short", new QueueAttributes(Duration.ofSeconds(60), HIDDEN));
            sendOne(queue, "old");
            Delivery old = receiveOne(queue, Duration.ofSeconds(10));
            advance(Duration.ofSeconds(45));
            sendOne(queue, "young");
            advance(Duration.ofSeconds(20));
            assertThat(receive(queue, 1, HIDDEN)).containsOnlyKeys("young");
            queue.delete(List.of(old.receipt()));
        });
    }

    @Test
    public void depthCountsVisibleAndHidden() {
        run(() -> {
            MessageQueue queue = queue();
            queue.send(bodies("a", "b", "c"));
            receiveOne(queue, HIDDEN);
            assertThat(queue.depth().total()).isNotNegative();
            if (findsAll() && deliversOnce()) {
                assertThat(queue.depth().visible()).isEqualTo(2);
                assertThat(queue.depth().inFlight()).isEqualTo(1);
                advance(HIDDEN.plusSeconds(1));
                assertThat(queue.depth().visible()).isEqualTo(3);
            }
        });
    }

    @Test
    public void configurationIsThatOfItsCreation() {
        run(() -> {
            QueueLimits limits = service().limits();
            assertThat(queue().configuration())
                    .isEqualTo(QueueConfiguration.standard(QueueAttributes.RETENTION_MAX, limits));
            Duration retention = Duration.ofDays(4);
            service().create(prefix() + "four-days", new QueueAttributes(retention, HIDDEN));
            assertThat(service()
                            .find(prefix() + "four-days")
                            .orElseThrow()
                            .configuration()
                            .retention())
                    .isEqualTo(retention);
        });
    }

    @Test
    public void createIsIdempotent() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "kept");
            MessageQueue again = queue();
            assertThat(again.name()).isEqualTo(queue.name());
            assertThat(receiveOne(again, HIDDEN).body().toUtf8()).isEqualTo("kept");
        });
    }

    @Test
    public void findsAndListsQueues() {
        run(() -> {
            for (String name : List.of("l-b", "l-a", "l", "m")) {
                service().create(prefix() + name, QueueAttributes.STANDARD);
            }
            assertThat(service().find(prefix() + "l-a").orElseThrow().name()).isEqualTo(prefix() + "l-a");
            assertThat(service().find(prefix() + "none")).isEmpty();
            if (!findsAll()) {
                // A listing may miss a queue in its first minute.
                advance(Duration.ofSeconds(61));
            }
            assertThat(service().list(prefix() + "l-")).isEqualTo(List.of(prefix() + "l-a", prefix() + "l-b"));
            assertThat(service().list(prefix() + "none")).isEmpty();
        });
    }

    @Test
    public void queuesAreApart() {
        run(() -> {
            MessageQueue one = service().create(prefix() + "one", QueueAttributes.STANDARD);
            MessageQueue two = service().create(prefix() + "two", QueueAttributes.STANDARD);
            sendOne(one, "for one");
            sendOne(two, "for two");
            assertThat(receive(two, 1, HIDDEN)).containsOnlyKeys("for two");
            assertThat(receive(one, 1, HIDDEN)).containsOnlyKeys("for one");
        });
    }

    @Test
    public void deletedQueueRefusesCalls() {
        run(() -> {
            MessageQueue queue = queue();
            sendOne(queue, "m");
            Delivery delivery = receiveOne(queue, HIDDEN);
            service().delete(queue.name());
            service().delete(queue.name());
            if (refusesSendsOnceDeleted()) {
                assertGone(() -> queue.send(bodies("x")));
            }
            assertGone(() -> queue.receive(1, HIDDEN, NO_WAIT));
            assertGone(() -> queue.delete(List.of(delivery.receipt())));
            assertGone(queue::depth);
            assertThat(service().find(queue.name())).isEmpty();
        });
    }

    @Test
    public void createdAgainAQueueIsEmpty() {
        run(() -> {
            sendOne(queue(), "old");
            service().delete(queue().name());
            MessageQueue queue = queue();
            sendOne(queue, "new");
            assertThat(receive(queue, 1, HIDDEN)).containsOnlyKeys("new");
            assertNothingComes(queue);
        });
    }
}
