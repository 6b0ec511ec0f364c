package io.penstock.core.queue.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.ScriptedHttp;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Answers with status 200 that no queue gives: what they leave out is not known, and nothing else is thrown. */
class SqsAnswersTest {
    private static final Duration HIDDEN = Duration.ofSeconds(30);

    private final ScriptedHttp http = new ScriptedHttp();

    private MessageQueue answering(String json) {
        SqsSettings settings = SqsSettings.standard()
                .endpoint(URI.create("http://127.0.0.1:1"))
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "key")));
        SqsQueueService service = SqsQueueService.open(
                settings.client(SqsClients.build(settings, http.builder(), Duration.ZERO)), new InlineTasks(1));
        http.then(ScriptedHttp.json("{\"QueueUrl\":\"http://127.0.0.1:1/000/q\"}"));
        MessageQueue queue = service.find("q").orElseThrow();
        http.then(ScriptedHttp.json(json));
        return queue;
    }

    /** It was an empty queue, with which the recovery of a dead client ends. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"Attributes\":{}}",
                "{\"Attributes\":{\"ApproximateNumberOfMessages\":\"0\"}}",
                "{\"Attributes\":{\"ApproximateNumberOfMessages\":\"many\","
                        + "\"ApproximateNumberOfMessagesNotVisible\":\"0\"}}"
            })
    void aDepthThatIsNotToldIsNotKnown(String json) {
        assertThatThrownBy(answering(json)::depth).isInstanceOf(UnavailableException.class);
    }

    @Test
    void aDepthIsBothItsNumbers() {
        MessageQueue queue = answering("{\"Attributes\":{\"ApproximateNumberOfMessages\":\"3\","
                + "\"ApproximateNumberOfMessagesNotVisible\":\"4\"}}");
        assertThat(queue.depth()).isEqualTo(new QueueDepth(3, 4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\"},{\"Id\":\"7\",\"MessageId\":\"m\"}]}",
                "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\"},{\"Id\":\"-1\",\"MessageId\":\"m\"}]}",
                "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\"},{\"Id\":\"x\",\"MessageId\":\"m\"}]}",
                "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\"},{\"MessageId\":\"m\"}]}",
                "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\"}],\"Failed\":[{\"Id\":\"2\",\"Code\":\"C\"}]}",
                "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\"},{\"Id\":\"1\",\"MessageId\":\"m\"}],"
                        + "\"Failed\":[{\"Id\":\"1\",\"Code\":\"C\",\"SenderFault\":true}]}"
            })
    void aSendOfWhichTheAnswerTellsSomethingElseIsNotKnown(String json) {
        assertThatThrownBy(() -> answering(json).send(List.of(Bytes.utf8("a"), Bytes.utf8("b"))))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void aSendThatIsToldTwiceIsSent() {
        assertThat(answering("{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\"},{\"Id\":\"0\",\"MessageId\":\"m\"}]}")
                        .send(List.of(Bytes.utf8("a"))))
                .containsExactly(new SendResult.Sent("m"));
    }

    /** What was not said to be deleted is there: it counted as deleted. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"Successful\":[{\"Id\":\"7\"}]}",
                "{\"Failed\":[{\"Id\":\"x\",\"Code\":\"C\"},{\"Code\":\"C\"}]}"
            })
    void aDeletionThatIsNotToldIsNone(String json) {
        List<Receipt> receipts = List.of(new Receipt("a"), new Receipt("b"));
        assertThat(answering(json).delete(receipts)).isEqualTo(receipts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Messages\":[{\"Body\":\"b\"}]}",
                "{\"Messages\":[{\"MessageId\":\"m\",\"Body\":\"b\"}]}",
                "{\"Messages\":[{\"MessageId\":\"m\",\"ReceiptHandle\":\"h\",\"Body\":\"b\","
                        + "\"Attributes\":{\"SentTimestamp\":\"now\"}}]}"
            })
    void aMessageThatLacksAPartIsNotKnown(String json) {
        assertThatThrownBy(() -> answering(json).receive(1, HIDDEN, Duration.ZERO))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void aConfigurationThatIsNoneIsNotKnown() {
        assertThatThrownBy(answering("{\"Attributes\":{\"MessageRetentionPeriod\":\"long\"}}")::configuration)
                .isInstanceOf(UnavailableException.class);
    }
}
