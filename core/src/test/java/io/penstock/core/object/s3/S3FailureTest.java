package io.penstock.core.object.s3;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.remote.CommonOutcomes;
import io.penstock.testing.FailureTable;
import io.penstock.testing.PlannedFailures;
import io.penstock.testing.ScriptedHttp;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.services.s3.S3Client;

/** Every row of {@code docs/failures/s3.csv}, through the SDK, on a scripted network. */
class S3FailureTest {
    /** A text that no exception may show: a server or the network quotes it, or a caller sends it. */
    private static final String SECRET = "s3cr3t-payl04d";

    private static final String KEY = "k3y-of-a-customer";

    private final ScriptedHttp http = new ScriptedHttp();
    private Duration callTimeout = Duration.ofMinutes(2);
    private AwsCredentialsProvider credentials =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "s3cr3t-key"));

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private S3ObjectStore store() {
        http.then(ScriptedHttp.answer(200, Map.of(), new byte[0]));
        return open(S3Settings.bucket("bucket"));
    }

    private S3ObjectStore open(S3Settings bucket) {
        S3Settings settings = bucket.endpoint(URI.create("http://127.0.0.1:1"))
                .pathStyle(true)
                .callTimeout(callTimeout)
                .credentials(credentials);
        S3Client client = S3Clients.build(settings, http.builder());
        return S3ObjectStore.open(settings.client(client));
    }

    /** An error of S3; a 404 without a code is of something between, and has no id of a request either. */
    static ScriptedHttp.Reply error(int status, String code, String text) {
        return status == 404 && code.isEmpty()
                ? ScriptedHttp.answer(404, Map.of(), text.getBytes(StandardCharsets.UTF_8))
                : ScriptedHttp.s3Error(status, code, text);
    }

    static List<FailureTable.Case> rows() {
        return FailureTable.read("s3");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void failureBecomesWhatTheTableSays(FailureTable.Case row) {
        callTimeout = PlannedFailures.callTimeout(row.failure());
        S3ObjectStore store = store();
        List<Runnable> calls = List.of(
                () -> assertThat(store.get(KEY)).isEmpty(),
                () -> store.put(KEY, Bytes.utf8(SECRET), WriteCondition.ALWAYS),
                () -> store.put(KEY, Bytes.utf8(SECRET), WriteCondition.IF_ABSENT),
                () -> store.delete(KEY));
        List<String> otherwise = List.of("empty", "done", "done", "done");
        assertThat(row.outcomes()).hasSize(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            http.then(PlannedFailures.reply(row.failure(), S3FailureTest::error, SECRET));
            assertThat(FailureTable.outcome(calls.get(i), otherwise.get(i)))
                    .as("column %d", i)
                    .isEqualTo(row.outcomes().get(i));
            Thread.interrupted();
        }
    }

    /** Codes that the decider knows and the table does not would not be tested. */
    @Test
    void tableHasEveryCodeThatIsKnown() {
        List<String> failures = rows().stream().map(FailureTable.Case::failure).toList();
        Stream.of(S3Outcomes.THROTTLED, S3Outcomes.NOT_ARRIVED, CommonOutcomes.EXPIRED, S3Outcomes.ELSEWHERE)
                .flatMap(codes -> codes.stream())
                .forEach(code -> assertThat(failures).anyMatch(failure -> failure.endsWith(" " + code)));
        assertThat(failures).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void noTextOfServerOrCallerIsShown(FailureTable.Case row) {
        callTimeout = PlannedFailures.callTimeout(row.failure());
        S3ObjectStore store = store();
        http.then(PlannedFailures.reply(row.failure(), S3FailureTest::error, SECRET));
        StoreException failure = catchThrowableOfType(
                StoreException.class, () -> store.put(KEY, Bytes.utf8(SECRET), WriteCondition.IF_ABSENT));
        assertThat(Throwables.getStackTrace(failure))
                .doesNotContain(SECRET)
                .doesNotContain(KEY)
                .doesNotContain("s3cr3t-key");
        assertThat(failure).hasMessageContaining("bucket=bucket").hasMessageContaining("s3 put failed: ");
    }

    @Test
    void messageNamesCodeStatusAndRequest() {
        S3ObjectStore store = store();
        http.then(ScriptedHttp.s3Error(403, "AccessDenied", SECRET));
        assertThatThrownBy(() -> store.get(KEY))
                .isInstanceOf(RefusedException.class)
                .is(code(ErrorCode.ACCESS_DENIED))
                .hasMessageContaining("status=403 code=AccessDenied requestId=REQ1");
    }

    @Test
    void messageNamesTheMissingRight() {
        S3ObjectStore store = store();
        http.then(ScriptedHttp.s3Error(403, "AccessDenied", SECRET));
        assertThatThrownBy(() -> store.put("shop/pages/1/2", Bytes.EMPTY, WriteCondition.ALWAYS))
                .hasMessageContaining("bucket=bucket right=s3:PutObject on=shop/pages/1/*");
        http.then(ScriptedHttp.s3Error(403, "InvalidAccessKeyId", SECRET));
        assertThatThrownBy(() -> store.get(KEY)).message().doesNotContain("right=");
    }

    @Test
    void codeThatIsNoneIsNotShown() {
        S3ObjectStore store = store();
        http.then(ScriptedHttp.s3Error(400, "key " + SECRET, ""));
        assertThatThrownBy(() -> store.get(KEY)).hasMessageEndingWith("status=400 code= requestId=REQ1");
    }

    @Test
    void interruptIsKept() {
        S3ObjectStore store = store();
        http.then(ScriptedHttp.interrupt());
        assertThatThrownBy(() -> store.put(KEY, Bytes.EMPTY, WriteCondition.ALWAYS))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> store.put(KEY, Bytes.EMPTY, WriteCondition.ALWAYS))
                .isInstanceOf(OutcomeUnknownException.class)
                .is(code(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void missingCredentialsAreTheCallersToGive() {
        credentials = AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
        assertThatThrownBy(this::store)
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.NO_CREDENTIALS));
        assertThat(http.requests()).isEmpty();
    }

    @Test
    void bucketOfAnotherRegionIsNamedWithItsRegion() {
        http.then(ScriptedHttp.answer(301, Map.of("x-amz-bucket-region", "eu-central-1"), new byte[0]));
        assertThatThrownBy(() -> open(S3Settings.bucket("bucket")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("set the region of the bucket bucket=bucket region=eu-central-1");
    }

    @Test
    void missingBucketIsCreatedOnlyIfAllowed() {
        http.then(ScriptedHttp.s3Error(404, "", ""));
        assertThatThrownBy(() -> open(S3Settings.bucket("bucket")))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.BUCKET_NOT_FOUND));
        assertThat(http.requests()).containsExactly("HEAD /bucket");
        http.then(ScriptedHttp.s3Error(404, "", "")).then(ScriptedHttp.answer(200, Map.of(), new byte[0]));
        open(S3Settings.bucket("bucket").createBucket(true));
        assertThat(http.requests()).containsExactly("HEAD /bucket", "HEAD /bucket", "PUT /bucket");
    }

    /** It was a bucket to create, or a name to correct. */
    @Test
    void aNotFoundOfSomethingBetweenIsNoMissingBucket() {
        http.then(error(404, "", "default backend - 404"));
        assertThatThrownBy(() -> open(S3Settings.bucket("bucket").createBucket(true)))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("the answer is none of s3; check endpoint and proxies on the way");
        assertThat(http.requests()).containsExactly("HEAD /bucket");
    }

    @Test
    void bucketThatAnotherClientJustCreatedIsUsed() {
        S3Settings creating = S3Settings.bucket("bucket").createBucket(true);
        http.then(ScriptedHttp.s3Error(404, "", "")).then(ScriptedHttp.s3Error(409, "BucketAlreadyOwnedByYou", ""));
        open(creating);
        http.then(ScriptedHttp.s3Error(404, "", "")).then(ScriptedHttp.s3Error(409, "BucketAlreadyExists", ""));
        assertThatThrownBy(() -> open(creating))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.ACCESS_DENIED));
    }

    @Test
    void oneAttemptOnly() {
        S3ObjectStore store = store();
        http.then(ScriptedHttp.s3Error(503, "SlowDown", ""));
        assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(UnavailableException.class);
        assertThat(http.requests()).hasSize(2);
    }

    @Test
    void answerWithoutADateIsNotKnown() {
        S3ObjectStore store = store();
        http.then(ScriptedHttp.answer(200, Map.of("ETag", "\"1\""), new byte[0]));
        assertThatThrownBy(() -> store.put(KEY, Bytes.EMPTY, WriteCondition.ALWAYS))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void bodyThatEndsEarlyIsNoObject() {
        S3ObjectStore store = store();
        http.then(request -> {
            var whole = ScriptedHttp.response(200, objectHeaders(), "half".getBytes(StandardCharsets.UTF_8));
            return software.amazon.awssdk.http.HttpExecuteResponse.builder()
                    .response(whole.httpResponse().toBuilder()
                            .putHeader("Content-Length", "8")
                            .build())
                    .responseBody(whole.responseBody().orElseThrow())
                    .build();
        });
        assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(UnavailableException.class);
    }

    private static Map<String, String> objectHeaders() {
        return Map.of("ETag", "\"1\"", "Last-Modified", "Sat, 21 Nov 2026 07:00:00 GMT");
    }
}
