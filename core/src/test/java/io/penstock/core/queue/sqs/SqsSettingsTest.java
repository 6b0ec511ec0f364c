package io.penstock.core.queue.sqs;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.ScriptedHttp;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

class SqsSettingsTest {
    private static final SqsSettings SETTINGS = SqsSettings.standard()
            .endpoint(URI.create("http://127.0.0.1:1"))
            .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "key")));

    private static final String URL = "{\"QueueUrl\":\"http://127.0.0.1:1/000/q\"}";

    private static Map<String, String> tags(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "tag" + i, i -> "value"));
    }

    @Test
    void tagsGoWithEachQueueThatIsCreated() {
        ScriptedHttp http = new ScriptedHttp();
        List<String> sent = new ArrayList<>();
        http.then(request -> {
            sent.add(new String(ScriptedHttp.body(request), StandardCharsets.UTF_8));
            return ScriptedHttp.json(URL).to(request);
        });
        SqsSettings tagged = SETTINGS.tags(Map.of("team", "shop"));
        SqsQueueService service = SqsQueueService.open(
                tagged.client(SqsClients.build(tagged, http.builder(), Duration.ZERO)), new InlineTasks(1));
        service.create("q", QueueAttributes.STANDARD);
        assertThat(sent).hasSize(1);
        assertThat(sent.getFirst()).contains("\"tags\":{\"team\":\"shop\"}");
    }

    @Test
    void aQueueTakesFiftyTagsAndNoMore() {
        assertThat(SETTINGS.tags(tags(50)).tags()).hasSize(50);
        assertThatThrownBy(() -> SETTINGS.tags(tags(51)))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_SETTING));
    }

    @Test
    void changedSettingsLeaveTheirOriginAlone() {
        SqsSettings changed = SETTINGS.region("eu-west-1").readTimeout(Duration.ofSeconds(3));
        assertThat(changed.access().region()).isEqualTo("eu-west-1");
        assertThat(changed.access().readTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(changed.access().endpoint()).isEqualTo(SETTINGS.access().endpoint());
        assertThat(SETTINGS.access().region()).isNull();
        assertThat(SETTINGS.access().readTimeout()).isEqualTo(Duration.ofSeconds(10));
    }

    /** They ended in exceptions of the SDK, or in a minute of retries. */
    @Test
    void addressesAndRegionsThatAreNoneAreRefused() {
        for (String address : List.of("//h", "gopher://h", "http://a_b:1", "http://127.0.0.1:99999", "mailto:a@b")) {
            assertThatThrownBy(() -> SETTINGS.endpoint(URI.create(address)))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING))
                    .hasMessageEndingWith("setting=endpoint value=" + address);
        }
        for (String region : List.of("", "us east", "a/b", "-a", "us-east-1.", "é", "x".repeat(64), "a\0b")) {
            assertThatThrownBy(() -> SETTINGS.region(region))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING))
                    .message()
                    .matches("[^\\p{Cntrl}]+");
        }
        assertThat(SETTINGS.endpoint(URI.create("HTTPS://[::1]:4566/a"))
                        .region("us-gov-east-1")
                        .access()
                        .region())
                .isEqualTo("us-gov-east-1");
    }

    @Test
    void timeOutsArePositive() {
        assertThatThrownBy(() -> SETTINGS.callTimeout(Duration.ZERO))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_SETTING));
    }
}
