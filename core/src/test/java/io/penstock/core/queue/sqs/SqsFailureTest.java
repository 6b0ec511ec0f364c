package io.penstock.core.queue.sqs;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.remote.CommonOutcomes;
import io.penstock.testing.FailureTable;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.PlannedFailures;
import io.penstock.testing.ScriptedHttp;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Every row of {@code docs/failures/sqs.csv}, through the SDK, on a scripted network. */
@Tag("slow")
class SqsFailureTest {
    /** A text that no exception may show: a server or the network quotes it, or a caller sends it. */
    private static final String SECRET = "s3cr3t-payl04d";

    private static final Duration HIDDEN = Duration.ofSeconds(30);
    private static final ScriptedHttp.Reply URL = ScriptedHttp.json("{\"QueueUrl\":\"http://127.0.0.1:1/000/q\"}");

    private final ScriptedHttp http = new ScriptedHttp();
    private final InlineTasks tasks = new InlineTasks(1);
    private SqsQueueService service = service(Duration.ofMinutes(2));

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private SqsQueueService service(Duration callTimeout) {
        SqsSettings settings = SqsSettings.standard()
                .endpoint(URI.create("http://127.0.0.1:1"))
                .callTimeout(callTimeout)
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "s3cr3t-key")));
        return SqsQueueService.open(settings.client(SqsClients.build(settings, http.builder(), Duration.ZERO)), tasks);
    }

    private MessageQueue queue() {
        http.then(URL);
        return service.find("q").orElseThrow();
    }

    static List<FailureTable.Case> rows() {
        return FailureTable.read("sqs");
    }

    private List<Runnable> calls(MessageQueue queue) {
        List<Receipt> receipts = List.of(new Receipt("handle"));
        return List.of(
                queue::depth,
                () -> queue.send(List.of(Bytes.utf8(SECRET))),
                () -> queue.receive(1, HIDDEN, Duration.ZERO),
                () -> queue.delete(receipts),
                () -> queue.changeVisibility(receipts.getFirst(), HIDDEN),
                () -> service.create("other", QueueAttributes.STANDARD));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void failureBecomesWhatTheTableSays(FailureTable.Case row) {
        service = service(PlannedFailures.callTimeout(row.failure()));
        assertThat(row.outcomes()).hasSize(calls(queue()).size());
        for (int i = 0; i < row.outcomes().size(); i++) {
            // A queue that was found to be gone is asked for anew.
            Runnable call = calls(queue()).get(i);
            http.then(PlannedFailures.reply(row.failure(), ScriptedHttp::sqsError, SECRET));
            if (row.failure().matches(".*(QueueNameExists|QueueAlreadyExists)")) {
                http.then(URL);
            }
            boolean barred = row.failure().endsWith("QueueDeletedRecently")
                    && i == row.outcomes().size() - 1;
            for (int again = 0; barred && again < 40; again++) {
                http.then(PlannedFailures.reply(row.failure(), ScriptedHttp::sqsError, SECRET));
            }
            assertThat(FailureTable.outcome(call, "done"))
                    .as("column %d", i)
                    .isEqualTo(row.outcomes().get(i));
            Thread.interrupted();
            http.forget();
        }
    }

    /** Codes that the decider knows and the table does not would not be tested. */
    @Test
    void tableHasEveryCodeThatIsKnown() {
        List<String> failures = rows().stream().map(FailureTable.Case::failure).toList();
        Stream.of(
                        SqsOutcomes.THROTTLED,
                        SqsOutcomes.NO_QUEUE,
                        SqsOutcomes.NO_MESSAGE,
                        SqsOutcomes.OTHER_ATTRIBUTES,
                        CommonOutcomes.EXPIRED,
                        SqsOutcomes.TOO_LARGE)
                .flatMap(codes -> codes.stream())
                .forEach(code -> assertThat(failures).anyMatch(failure -> failure.endsWith(" " + code)));
        assertThat(failures).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void noTextOfServerOrCallerIsShown(FailureTable.Case row) {
        service = service(PlannedFailures.callTimeout(row.failure()));
        MessageQueue queue = queue();
        http.then(PlannedFailures.reply(row.failure(), ScriptedHttp::sqsError, SECRET));
        StoreException failure =
                catchThrowableOfType(StoreException.class, () -> queue.send(List.of(Bytes.utf8(SECRET))));
        assertThat(Throwables.getStackTrace(failure)).doesNotContain(SECRET).doesNotContain("s3cr3t-key");
        assertThat(failure).hasMessageContaining("sqs send failed: ").hasMessageContaining("queue=q");
    }

    @Test
    void partOfABatchMayFail() {
        MessageQueue queue = queue();
        http.then(ScriptedHttp.json("""
            {"Successful":[{"Id":"2","MessageId":"m2"}],
             "Failed":[{"Id":"0","Code":"InvalidMessageContents","SenderFault":true,"Message":"x"},
                       {"Id":"1","Code":"InternalError","SenderFault":false,"Message":"x"},
                       {"Id":"3","Code":"RequestThrottled","SenderFault":true,"Message":"x"}]}\
            """));
        assertThat(queue.send(Collections.nCopies(4, Bytes.utf8("m"))))
                .containsExactly(
                        new SendResult.NotSent(true, "InvalidMessageContents"),
                        new SendResult.NotSent(false, "InternalError"),
                        new SendResult.Sent("m2"),
                        new SendResult.NotSent(false, "RequestThrottled"));
    }

    @Test
    void messageThatTheAnswerLeavesOutIsNotKnown() {
        MessageQueue queue = queue();
        http.then(ScriptedHttp.json("{\"Successful\":[{\"Id\":\"1\",\"MessageId\":\"m1\"}]}"));
        assertThatThrownBy(() -> queue.send(Collections.nCopies(2, Bytes.utf8("m"))))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void receiptsThatCannotBeDeletedAreReturned() {
        MessageQueue queue = queue();
        http.then(ScriptedHttp.json("""
            {"Successful":[{"Id":"1"}],
             "Failed":[{"Id":"0","Code":"ReceiptHandleIsInvalid","SenderFault":true}]}\
            """));
        assertThat(queue.delete(List.of(new Receipt("a"), new Receipt("b")))).containsExactly(new Receipt("a"));
    }

    @Test
    void barredNameIsWaitedForWithinABound() {
        ScriptedHttp.Reply barred = ScriptedHttp.sqsError(400, "QueueDeletedRecently", "");
        http.then(barred).then(barred).then(URL);
        assertThat(service.create("q", QueueAttributes.STANDARD).name()).isEqualTo("q");
        for (int i = 0; i < 100; i++) {
            http.then(barred);
        }
        long startNanos = tasks.nanoTime();
        assertThatThrownBy(() -> service.create("q", QueueAttributes.STANDARD))
                .isInstanceOf(UnavailableException.class)
                .is(code(ErrorCode.UNAVAILABLE));
        assertThat(Duration.ofNanos(tasks.nanoTime() - startNanos))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(70));
    }

    @Test
    void newQueueMayNotBeThereAtOnce() {
        ScriptedHttp.Reply none = ScriptedHttp.sqsError(400, "QueueDoesNotExist", "");
        http.then(URL);
        MessageQueue queue = service.create("q", QueueAttributes.STANDARD);
        http.then(none);
        assertThatThrownBy(queue::depth).isExactlyInstanceOf(UnavailableException.class);
        tasks.advance(Duration.ofSeconds(10));
        http.then(URL).then(none);
        assertThatThrownBy(queue::depth).isInstanceOf(RefusedException.class);
    }

    @Test
    void queueIsLocatedOnceAndAgainWhenItWasGone() {
        MessageQueue queue = queue();
        ScriptedHttp.Reply empty = ScriptedHttp.json("{\"Attributes\":{\"ApproximateNumberOfMessages\":\"0\","
                + "\"ApproximateNumberOfMessagesNotVisible\":\"0\"}}");
        http.then(empty).then(empty);
        queue.depth();
        queue.depth();
        assertThat(http.requests()).hasSize(3);
        http.then(ScriptedHttp.sqsError(400, "QueueDoesNotExist", ""));
        assertThatThrownBy(queue::depth).isInstanceOf(RefusedException.class);
        // Another client has created it again.
        http.then(URL).then(empty);
        assertThat(queue.depth().total()).isZero();
        assertThat(http.requests()).hasSize(6);
    }

    @Test
    void listingGoesOnUntilItsEnd() {
        http.then(ScriptedHttp.json("{\"QueueUrls\":[\"http://x/0/p-c\",\"http://x/0/p-a\"],\"NextToken\":\"t\"}"))
                .then(ScriptedHttp.json("{\"QueueUrls\":[\"http://x/0/p-b\"]}"));
        assertThat(service.list("p-")).containsExactly("p-a", "p-b", "p-c");
    }

    @Test
    void oneAttemptOnly() {
        MessageQueue queue = queue();
        http.then(ScriptedHttp.sqsError(400, "ThrottlingException", ""));
        assertThatThrownBy(queue::depth).isExactlyInstanceOf(UnavailableException.class);
        assertThat(http.requests()).hasSize(2);
    }

    @Test
    void interruptIsKept() {
        MessageQueue queue = queue();
        http.then(ScriptedHttp.interrupt());
        assertThatThrownBy(() -> queue.send(List.of(Bytes.utf8("m")))).isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> queue.send(List.of(Bytes.utf8("m"))))
                .isInstanceOf(OutcomeUnknownException.class)
                .is(code(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void foreignMessageIsReturnedUnchanged() {
        MessageQueue queue = queue();
        http.then(ScriptedHttp.json(
                "{\"Messages\":[{\"MessageId\":\"m\",\"ReceiptHandle\":\"h\",\"Body\":\"by hand\"}]}"));
        assertThat(queue.receive(1, HIDDEN, Duration.ZERO).getFirst().body()).isEqualTo(Bytes.utf8("by hand"));
    }
}
