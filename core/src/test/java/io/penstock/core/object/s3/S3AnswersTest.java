package io.penstock.core.object.s3;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.ScriptedHttp;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Answers with status 200 that are none of S3, as a proxy gives them, and those of servers that lack something. */
class S3AnswersTest {
    private static final String PAGE = "<html><head><title>Log in</title></head><body><p>Log in</p></body></html>";

    private static final Map<String, String> DATE = Map.of("Date", "Thu, 01 Jan 2026 00:00:00 GMT");

    private final ScriptedHttp http = new ScriptedHttp();

    private S3ObjectStore store(String bucket) {
        http.then(ScriptedHttp.answer(200, Map.of(), new byte[0]));
        S3Settings settings = S3Settings.bucket(bucket)
                .endpoint(URI.create("http://127.0.0.1:1"))
                .pathStyle(true)
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "key")));
        return S3ObjectStore.open(settings.client(S3Clients.build(settings, http.builder())));
    }

    private static ScriptedHttp.Reply page(String body) {
        return ScriptedHttp.answer(200, Map.of("Content-Type", "text/html"), body.getBytes(StandardCharsets.UTF_8));
    }

    /** It was an empty list, and the store an empty and sound one. */
    @Test
    void aPageIsNoList() {
        S3ObjectStore store = store("bucket");
        http.then(page(PAGE));
        assertThatThrownBy(() -> store.list("p/", "", 10))
                .isInstanceOf(UnavailableException.class)
                .is(code(ErrorCode.UNAVAILABLE));
    }

    @Test
    void aListWithoutItsEndIsNoList() {
        S3ObjectStore store = store("bucket");
        http.then(page("<ListBucketResult><Name>bucket</Name></ListBucketResult>"));
        assertThatThrownBy(() -> store.list("p/", "", 10)).isInstanceOf(UnavailableException.class);
        http.then(page("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"));
        assertThat(store.list("p/", "", 10).entries()).isEmpty();
    }

    /** A page that has more must have an entry, or its readers would miss the rest. */
    @Test
    void aListGoesOnWhileItHasNoEntries() {
        S3ObjectStore store = store("bucket");
        http.then(page("<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t"
                        + "</NextContinuationToken></ListBucketResult>"))
                .then(page("<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>u"
                        + "</NextContinuationToken><Contents><Key>p/b</Key><Size>1</Size><ETag>\"1\"</ETag>"
                        + "<LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>"));
        Listing listing = store.list("p/", "p/a", 10);
        assertThat(listing.entries()).extracting(Listing.Entry::key).containsExactly("p/b");
        assertThat(listing.more()).isTrue();
        assertThat(http.requests()).hasSize(3);
    }

    /** Without a token it cannot go on: neither an end nor an entry. */
    @Test
    void anEmptyListThatHasMoreAndNoTokenIsNoList() {
        S3ObjectStore store = store("bucket");
        http.then(page("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"));
        assertThatThrownBy(() -> store.list("p/", "", 10)).isInstanceOf(UnavailableException.class);
    }

    @Test
    void aPageIsNoReportOfDeletions() {
        S3ObjectStore store = store("bucket");
        http.then(page(PAGE));
        assertThatThrownBy(() -> store.deleteAll(List.of("a", "b"))).isInstanceOf(OutcomeUnknownException.class);
        http.then(page("<DeleteResult><Deleted><Key>a</Key></Deleted><Deleted><Key>b</Key></Deleted></DeleteResult>"));
        store.deleteAll(List.of("a", "b"));
    }

    /** It was an object that is not there: a commit of another was not seen, or taken for lost. */
    @Test
    void aNotFoundOfSomethingBetweenIsNoAnswerOfS3() {
        S3ObjectStore store = store("bucket");
        List<Runnable> reads = List.of(
                () -> store.get("a"),
                () -> store.getTimed("a"),
                () -> store.getRange("a", 0, 0),
                () -> store.getRange("a", 1, 1),
                () -> store.getIfChanged("a", new ObjectVersion("1")),
                () -> store.list("p/", "", 10));
        for (Runnable read : reads) {
            http.then(ScriptedHttp.answer(404, DATE, "default backend - 404".getBytes(StandardCharsets.UTF_8)));
            assertThatThrownBy(read::run)
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.UNAVAILABLE));
        }
        List<Runnable> writes = List.of(
                () -> store.delete("a"),
                () -> store.deleteAll(List.of("a", "b")),
                () -> store.put("a", Bytes.EMPTY, WriteCondition.ALWAYS),
                () -> store.put("a", Bytes.EMPTY, WriteCondition.IF_ABSENT));
        for (Runnable write : writes) {
            http.then(ScriptedHttp.answer(404, DATE, "default backend - 404".getBytes(StandardCharsets.UTF_8)));
            assertThatThrownBy(write::run).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @Test
    void aNotFoundOfS3IsAMissingObject() {
        S3ObjectStore store = store("bucket");
        http.then(ScriptedHttp.s3Error(404, "", ""));
        assertThat(store.getRange("a", 0, 0)).isEmpty();
        http.then(ScriptedHttp.s3Error(404, "NoSuchKey", ""));
        assertThat(store.get("a")).isEmpty();
        http.then(ScriptedHttp.s3Error(404, "NoSuchKey", ""));
        store.delete("a");
    }

    /** Some servers ask for a Content-MD5, which the SDK does not send any more, others know no such request. */
    @ParameterizedTest
    @ValueSource(ints = {400, 405, 501})
    void whatCannotBeDeletedTogetherIsDeletedOneByOne(int status) {
        S3ObjectStore store = store("bucket");
        http.then(ScriptedHttp.s3Error(status, "InvalidRequest", "Missing required header: Content-MD5"))
                .then(ScriptedHttp.answer(204, Map.of(), new byte[0]))
                .then(ScriptedHttp.answer(204, Map.of(), new byte[0]));
        store.deleteAll(List.of("a", "b"));
        assertThat(http.requests()).hasSize(4).contains("DELETE /bucket/a", "DELETE /bucket/b");
    }

    @Test
    void aRefusalIsNotRepeatedOneByOne() {
        S3ObjectStore store = store("bucket");
        http.then(ScriptedHttp.s3Error(403, "AccessDenied", ""));
        assertThatThrownBy(() -> store.deleteAll(List.of("a", "b")))
                .isInstanceOf(RefusedException.class)
                .is(code(ErrorCode.ACCESS_DENIED));
    }

    /** It was told as a lost answer, for ever. */
    @Test
    void anObjectWithoutATimeIsRefusedByName() {
        S3ObjectStore store = store("bucket");
        http.then(ScriptedHttp.answer(200, Map.of("ETag", "\"1\""), new byte[3]));
        assertThatThrownBy(() -> store.get("a"))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.UNSUPPORTED_SERVER));
        http.then(ScriptedHttp.answer(200, Map.of("ETag", "\"1\""), new byte[0]));
        assertThatThrownBy(() -> store.getRange("a", 0, 0)).is(code(ErrorCode.UNSUPPORTED_SERVER));
        http.then(page("<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>p/a</Key><Size>1</Size>"
                + "<ETag>\"1\"</ETag></Contents></ListBucketResult>"));
        assertThatThrownBy(() -> store.list("p/", "", 10)).is(code(ErrorCode.UNSUPPORTED_SERVER));
    }

    /** A server, or a proxy, may ignore a range: bytes of the beginning were taken for those of the middle. */
    @Test
    void theWholeObjectIsNoRange() {
        S3ObjectStore store = store("bucket");
        Map<String, String> headers = Map.of("ETag", "\"1\"", "Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT");
        for (int[] range : new int[][] {{0, 4}, {3, 4}, {8, 4}, {10, 1}, {20, 5}, {0, 10}}) {
            http.then(ScriptedHttp.answer(200, headers, "0123456789".getBytes(StandardCharsets.UTF_8)));
            String part =
                    store.getRange("a", range[0], range[1]).orElseThrow().body().toUtf8();
            assertThat(part)
                    .isEqualTo("0123456789".substring(Math.min(10, range[0]), Math.min(10, range[0] + range[1])));
        }
        http.then(ScriptedHttp.answer(206, headers, "345".getBytes(StandardCharsets.UTF_8)));
        assertThat(store.getRange("a", 3, 3).orElseThrow().body()).isEqualTo(Bytes.utf8("345"));
    }

    @Test
    void aServerWithoutTlsWasSentNothing() {
        S3ObjectStore store = store("bucket");
        http.then(ScriptedHttp.failure(new SSLException("Unsupported or unrecognized SSL message")));
        assertThatThrownBy(() -> store.delete("a"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("stage=NOT_SENT");
    }
}
