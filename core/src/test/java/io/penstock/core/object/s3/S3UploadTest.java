package io.penstock.core.object.s3;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectUpload;
import io.penstock.testing.FailureTable;
import io.penstock.testing.PlannedFailures;
import io.penstock.testing.ScriptedHttp;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;

/** Uploads in parts on a scripted network: they fail as {@code docs/failures/s3.csv} says of puts and deletes. */
class S3UploadTest {
    private static final String KEY = "key";
    private static final int PUT = 1;
    private static final int DELETE = 3;

    private final ScriptedHttp http = new ScriptedHttp();
    private Duration callTimeout = Duration.ofMinutes(2);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private S3ObjectStore store() {
        http.then(ScriptedHttp.answer(200, Map.of(), new byte[0]));
        S3Settings settings = S3Settings.bucket("bucket")
                .endpoint(URI.create("http://127.0.0.1:1"))
                .pathStyle(true)
                .callTimeout(callTimeout)
                .credentials(AnonymousCredentialsProvider.create());
        return S3ObjectStore.open(settings.client(S3Clients.build(settings, http.builder())));
    }

    private ObjectUpload begin(S3ObjectStore store) {
        http.then(xml("<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>"));
        return store.upload(KEY, 100);
    }

    private static ScriptedHttp.Reply xml(String body) {
        return ScriptedHttp.answer(200, Map.of(), body.getBytes(StandardCharsets.UTF_8));
    }

    private ObjectUpload withOnePart(S3ObjectStore store) {
        ObjectUpload upload = begin(store);
        http.then(ScriptedHttp.answer(200, Map.of("ETag", "\"one\""), new byte[0]));
        upload.part(1, Bytes.utf8("part"));
        return upload;
    }

    /** Rows that end in credentials we do not have here are left to {@link S3FailureTest}. */
    static List<FailureTable.Case> rows() {
        return FailureTable.read("s3").stream()
                .filter(row -> !row.failure().contains("chain"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void failuresAreThoseOfPutsAndDeletes(FailureTable.Case row) {
        callTimeout = PlannedFailures.callTimeout(row.failure());
        S3ObjectStore store = store();
        ObjectUpload begun = begin(store);
        assertFails(row, PUT, () -> store.upload(KEY, 100));
        assertFails(row, PUT, () -> begun.part(1, Bytes.utf8("part")));
        ObjectUpload ready = withOnePart(store);
        assertFails(row, PUT, () -> ready.complete(1));
        assertFails(row, DELETE, ready::abort);
    }

    private void assertFails(FailureTable.Case row, int column, Runnable call) {
        http.then(PlannedFailures.reply(row.failure(), S3FailureTest::error, "secret"));
        assertThat(FailureTable.outcome(call, "done")).isEqualTo(row.outcomes().get(column));
        Thread.interrupted();
    }

    /** An answer was lost, the upload is complete, and its repetition finds it gone. */
    @Test
    void anEndThatIsRepeatedIsDone() {
        ObjectUpload upload = withOnePart(store());
        http.then(ScriptedHttp.s3Error(404, "NoSuchUpload", "gone"));
        http.then(ScriptedHttp.answer(
                200,
                Map.of("ETag", "\"whole\"", "Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT", "Content-Length", "4"),
                new byte[0]));
        upload.complete(1);
    }

    @Test
    void anUploadThatWasTakenAwayIsNotDone() {
        ObjectUpload upload = withOnePart(store());
        http.then(ScriptedHttp.s3Error(404, "NoSuchUpload", "gone"));
        http.then(ScriptedHttp.s3Error(404, "", ""));
        assertThatThrownBy(() -> upload.complete(1))
                .isInstanceOf(UnavailableException.class)
                .is(code(ErrorCode.UNAVAILABLE));
    }

    /** Something between has answered: the object may be there, or not. */
    @Test
    void anEndThatIsAnsweredWithoutAnETagIsUnknown() {
        for (String body : List.of("", "<html><body>Welcome</body></html>", "<CompleteMultipartUploadResult/>")) {
            ObjectUpload upload = withOnePart(store());
            http.then(xml(body));
            assertThat(FailureTable.outcome(() -> upload.complete(1), "done"))
                    .as(body)
                    .isEqualTo("unknown");
        }
    }

    @Test
    void aPartThatIsAnsweredWithoutAnETagIsUnknown() {
        ObjectUpload upload = begin(store());
        http.then(ScriptedHttp.answer(200, Map.of(), new byte[0]));
        assertThat(FailureTable.outcome(() -> upload.part(1, Bytes.utf8("part")), "done"))
                .isEqualTo("unknown");
        http.then(ScriptedHttp.answer(200, Map.of("ETag", "\"one\""), new byte[0]));
        upload.part(1, Bytes.utf8("part"));
    }

    @Test
    void anUploadThatIsGoneNeedsNoAbort() {
        ObjectUpload upload = begin(store());
        http.then(ScriptedHttp.s3Error(404, "NoSuchUpload", "gone"));
        upload.abort();
        http.then(ScriptedHttp.answer(404, Map.of(), new byte[0]));
        assertThat(FailureTable.outcome(upload::abort, "done")).isEqualTo("unknown");
    }

    @Test
    void anUploadThatIsBegunWithoutAnIdIsUnknown() {
        S3ObjectStore store = store();
        http.then(xml("<html></html>"));
        assertThat(FailureTable.outcome(() -> store.upload(KEY, 100), "done")).isEqualTo("unknown");
    }

    /** S3 begins to answer a completion with 200 before it knows how it ends. */
    @Test
    void aFailureBehindAGoodStatusIsAFailure() {
        ObjectUpload upload = withOnePart(store());
        http.then(xml("<Error><Code>InternalError</Code><Message>no</Message></Error>"));
        assertThat(FailureTable.outcome(() -> upload.complete(1), "done")).isEqualTo("unknown");
    }
}
