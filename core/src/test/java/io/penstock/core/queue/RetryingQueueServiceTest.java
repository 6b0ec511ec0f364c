package io.penstock.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.queue.SendResult.NotSent;
import io.penstock.core.queue.SendResult.Sent;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.testing.RecordedTasks;
import io.penstock.testing.ScriptedQueueService;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetryingQueueServiceTest {
    private static final RetryPolicy THREE =
            new RetryPolicy(3, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofMinutes(1));
    private static final UnavailableException UNAVAILABLE = new UnavailableException("throttled");
    private static final OutcomeUnknownException UNKNOWN = new OutcomeUnknownException("lost");
    private static final SendResult THROTTLED = new NotSent(false, "throttled");
    private static final SendResult REFUSED = new NotSent(true, "bad body");
    private static final List<Bytes> BATCH =
            Stream.of("a", "b", "c").map(Bytes::utf8).toList();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ScriptedQueueService inner = new ScriptedQueueService();
    private final QueueService service =
            QueueServices.retrying(inner, THREE, new RecordedTasks(Duration.ZERO), new RequestMeters(registry, "test"));
    private final MessageQueue queue = service.create("q", QueueAttributes.STANDARD);

    private static SendResult sent(String body) {
        return new Sent("id-" + body);
    }

    @Test
    void everyCallIsRepeatedAfterEitherFailure() {
        List<Runnable> calls = List.of(
                () -> service.create("q", QueueAttributes.STANDARD),
                () -> service.find("q"),
                () -> service.list(""),
                () -> service.delete("q"),
                () -> queue.send(BATCH),
                () -> queue.receive(1, Duration.ZERO, Duration.ZERO),
                () -> queue.delete(List.of(new Receipt("r"))),
                () -> queue.changeVisibility(new Receipt("r"), Duration.ZERO),
                queue::depth);
        for (Runnable call : calls) {
            inner.calls().clear();
            inner.failing(UNAVAILABLE, UNKNOWN);
            call.run();
            assertThat(inner.calls()).hasSize(3);
        }
        assertThat(registry.get("penstock.retries")
                        .tag("op", "sqs.send")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void onlyWhatTheQueueDidNotTakeIsSentAgainAndResultsKeepTheirOrder() {
        inner.answering(bodies -> List.of(THROTTLED, sent("b"), THROTTLED))
                .answering(bodies -> List.of(sent("a"), THROTTLED));
        inner.calls().clear();
        assertThat(queue.send(BATCH)).containsExactly(sent("a"), sent("b"), sent("c"));
        assertThat(inner.calls()).containsExactly("send [a, b, c]", "send [a, c]", "send [c]");
    }

    @Test
    void sendersFaultIsNotRepeated() {
        inner.answering(bodies -> List.of(sent("a"), REFUSED, sent("c")));
        inner.calls().clear();
        assertThat(queue.send(BATCH)).containsExactly(sent("a"), REFUSED, sent("c"));
        assertThat(inner.calls()).hasSize(1);
    }

    @Test
    void whatIsLeftAfterTheLastAttemptIsReported() {
        inner.answering(bodies -> List.of(sent("a"), THROTTLED, sent("c")))
                .answering(bodies -> List.of(THROTTLED))
                .answering(bodies -> List.of(THROTTLED));
        assertThat(queue.send(BATCH)).containsExactly(sent("a"), THROTTLED, sent("c"));
        inner.answering(bodies -> List.of(sent("a"), THROTTLED, sent("c"))).answering(bodies -> {
            throw UNAVAILABLE;
        });
        inner.answering(bodies -> {
            throw UNAVAILABLE;
        });
        assertThat(queue.send(BATCH)).containsExactly(sent("a"), THROTTLED, sent("c"));
    }

    @Test
    void lastFailureIsThrownWhenTheQueueNeverAnswered() {
        inner.failing(UNAVAILABLE, UNAVAILABLE, UNAVAILABLE);
        assertThatThrownBy(() -> queue.send(BATCH)).isSameAs(UNAVAILABLE);
        inner.failing(UNAVAILABLE, UNAVAILABLE, UNKNOWN);
        assertThatThrownBy(() -> queue.send(BATCH)).isSameAs(UNKNOWN);
    }

    @Test
    void unknownIsNotForgottenWhenTheLastAttemptDidNothing() {
        inner.failing(UNKNOWN, UNAVAILABLE, UNAVAILABLE);
        assertThatThrownBy(() -> queue.send(BATCH))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCause(UNAVAILABLE);
        inner.failing(UNKNOWN)
                .answering(bodies -> List.of(THROTTLED, THROTTLED, THROTTLED))
                .answering(bodies -> List.of(THROTTLED, THROTTLED, THROTTLED));
        assertThatThrownBy(() -> queue.send(BATCH)).isInstanceOf(OutcomeUnknownException.class);
    }

    /** Whatever is said of the repetition, the first attempt may have sent the messages. */
    @Test
    void unknownIsNotForgottenWhenTheRepetitionIsRefused() {
        inner.failing(UNKNOWN).answering(bodies -> List.of(sent("a"), REFUSED, sent("c")));
        assertThatThrownBy(() -> queue.send(BATCH))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("unsent=1");
        for (StoreException last : List.of(
                new InvalidRequestException("no such path"),
                new ClosedException("closed"),
                new RefusedException(ErrorCode.ACCESS_DENIED, "denied"))) {
            inner.failing(UNKNOWN, last);
            assertThatThrownBy(() -> queue.send(BATCH))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasCause(last);
        }
    }

    @Test
    void onlyMessagesOfTheUnansweredAttemptAreInDoubt() {
        inner.answering(bodies -> List.of(REFUSED, THROTTLED, sent("c"))).answering(bodies -> {
            throw UNKNOWN;
        });
        assertThat(queue.send(BATCH)).containsExactly(REFUSED, sent("b"), sent("c"));
    }

    /** The messages that were taken are not reported as refused with the rest. */
    @Test
    void aFailureForGoodAfterAnAnswerLeavesTheAnswer() {
        inner.answering(bodies -> List.of(sent("a"), THROTTLED, sent("c"))).answering(bodies -> {
            throw new InvalidRequestException("no such path");
        });
        assertThat(queue.send(BATCH)).containsExactly(sent("a"), THROTTLED, sent("c"));
    }

    @Test
    void anEmptyBatchIsRefused() {
        inner.failing(new InvalidRequestException("empty"));
        assertThatThrownBy(() -> queue.send(List.of())).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void otherFailuresGoUpAtOnce() {
        inner.calls().clear();
        inner.failing(new InvalidRequestException("no such queue"));
        assertThatThrownBy(() -> queue.send(BATCH)).isInstanceOf(InvalidRequestException.class);
        assertThat(inner.calls()).hasSize(1);
    }

    /** A queue that is gone stays gone: to wait for it would only keep the caller from hearing of it. */
    @Test
    void aRefusalGoesUpAtOnce() {
        inner.calls().clear();
        inner.failing(new RefusedException(ErrorCode.QUEUE_NOT_FOUND, "no such queue"));
        assertThatThrownBy(() -> queue.send(BATCH)).isInstanceOf(RefusedException.class);
        inner.failing(new RefusedException(ErrorCode.QUEUE_NOT_FOUND, "no such queue"));
        assertThatThrownBy(queue::depth).isInstanceOf(RefusedException.class);
        assertThat(inner.calls()).hasSize(2);
        inner.failing(UNKNOWN).failing(new RefusedException(ErrorCode.QUEUE_NOT_FOUND, "no such queue"));
        assertThatThrownBy(() -> queue.send(BATCH)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void passesTheRestOn() {
        assertThat(queue.name()).isEqualTo("q");
        assertThat(service.limits().batchEntries()).isEqualTo(10);
        assertThat(service.find("q")).isPresent();
        service.close();
        assertThat(inner.calls()).last().isEqualTo("close");
    }
}
