package io.penstock.gcs;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.OAuth2Credentials;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectProbe;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.FailureTable;
import io.penstock.testing.HttpFace;
import io.penstock.testing.HttpFace.Reply;
import io.penstock.testing.RawFace;
import java.net.URI;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of {@code docs/failures/gcs.csv}, through Google's client, and bad servers. */
class GcsFailureTest {
    private static final String SECRET = "s3cr3t-payl04d";
    private static final String KEY = "k3y-of-a-customer";
    private static final Reply LISTED = json(200, "{\"kind\":\"storage#objects\"}");
    private static final Map<String, String> DATE = Map.of("Date", "Sat, 21 Nov 2026 07:00:00 GMT");
    private static final Reply BETWEEN = new Reply(404, DATE, "default backend - 404");
    private static final Reply WRITTEN = json(200, "{\"generation\":\"7\",\"updated\":\"2026-11-21T07:00:00.000Z\"}");

    private final HttpFace server = new HttpFace(LISTED);

    @AfterEach
    void close() {
        server.close();
    }

    private static Reply json(int status, String body) {
        return new Reply(status, Map.of("Content-Type", "application/json"), body);
    }

    private static Reply reply(String failure) {
        if (failure.equals("lost")) {
            return Reply.LOST;
        }
        if (failure.equals("404")) {
            return BETWEEN;
        }
        String reason = failure.substring(3).strip();
        return json(
                Integer.parseInt(failure.substring(0, 3)),
                "{\"error\":{\"message\":\"" + SECRET + "\",\"errors\":[{\"reason\":\"" + reason + "\"}]}}");
    }

    private GcsObjectStore store() {
        return store(server.address());
    }

    private static GcsObjectStore store(URI address) {
        return GcsObjectStore.open(GcsSettings.bucket("bucket")
                .endpoint(address)
                .credentials(OAuth2Credentials.create(new AccessToken("s3cr3t-token", new Date(Long.MAX_VALUE)))));
    }

    static List<FailureTable.Case> rows() {
        return FailureTable.read("gcs");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void failureBecomesWhatTheTableSays(FailureTable.Case row) {
        GcsObjectStore store = store();
        List<Runnable> calls = List.of(
                () -> assertThat(store.get(KEY)).isEmpty(),
                () -> store.put(KEY, Bytes.utf8(SECRET), WriteCondition.ALWAYS),
                () -> store.put(KEY, Bytes.utf8(SECRET), WriteCondition.IF_ABSENT),
                () -> store.delete(KEY));
        List<String> otherwise = List.of("empty", "done", "done", "done");
        assertThat(row.outcomes()).hasSize(calls.size());
        server.then(reply(row.failure()));
        for (int i = 0; i < calls.size(); i++) {
            assertThat(FailureTable.outcome(calls.get(i), otherwise.get(i)))
                    .as("column %d", i)
                    .isEqualTo(row.outcomes().get(i));
        }
    }

    /** Neither the library nor the JDK sends a put again whose answer was lost: it would meet itself. */
    @ParameterizedTest
    @MethodSource("rows")
    void aPutIsSentOnce(FailureTable.Case row) {
        GcsObjectStore store = store();
        store.put(KEY, Bytes.utf8("warms the connection"), answering(WRITTEN));
        server.then(reply(row.failure()));
        StoreException failure = catchThrowableOfType(
                StoreException.class, () -> store.put(KEY, Bytes.utf8(SECRET), WriteCondition.IF_ABSENT));
        assertThat(server.requests()).hasSize(1);
        assertThat(Throwables.getStackTrace(failure))
                .doesNotContain(SECRET)
                .doesNotContain(KEY)
                .doesNotContain("s3cr3t-token");
        assertThat(failure).hasMessageContaining("bucket=bucket").hasMessageContaining("gcs put failed: ");
    }

    private WriteCondition answering(Reply reply) {
        server.then(reply);
        return WriteCondition.ALWAYS;
    }

    private static List<Runnable> reads(GcsObjectStore store) {
        return List.of(
                () -> store.get(KEY),
                () -> store.getTimed(KEY),
                () -> store.getRange(KEY, 0, 0),
                () -> store.getRange(KEY, 1, 1),
                () -> store.getIfChanged(KEY, new ObjectVersion("7")));
    }

    /** It was an object that is not there: a commit of another was not seen, or taken for lost. */
    @Test
    void aNotFoundOfSomethingBetweenIsNoAnswerOfGoogle() {
        GcsObjectStore store = store();
        server.then(BETWEEN);
        for (Runnable read : reads(store)) {
            assertThatThrownBy(read::run)
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.UNAVAILABLE));
        }
        assertThatThrownBy(() -> store.list("p/", "", 10)).isInstanceOf(UnavailableException.class);
        for (Runnable write : List.<Runnable>of(
                () -> store.deleteAll(List.of("a", "b")), () -> store.upload(KEY, 1 << 20), () -> store.delete(KEY))) {
            assertThatThrownBy(write::run).isInstanceOf(OutcomeUnknownException.class);
        }
        assertThatThrownBy(this::store)
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("the answer is none of gcs; check endpoint and proxies on the way");
    }

    /** The text of a body's 404, and the id that shows whose it is. */
    @Test
    void aNotFoundOfGoogleIsAMissingObject() {
        GcsObjectStore store = store();
        Reply google = new Reply(
                404,
                Map.of("x-guploader-uploadid", "ADPyc-d_1", "Date", "Sat, 21 Nov 2026 07:00:00 GMT"),
                "No such object: bucket/" + KEY);
        server.then(google);
        reads(store).forEach(Runnable::run);
        assertThat(store.get(KEY)).isEmpty();
        assertThat(store.getTimed(KEY).object()).isEmpty();
        assertThat(server.requests()).hasSize(7);
        server.then(new Reply(404, google.headers(), "The specified bucket does not exist."));
        assertThatThrownBy(() -> store.get(KEY)).is(code(ErrorCode.BUCKET_NOT_FOUND));
    }

    /** An emulator answers a request for a body by a bare 404; the metadata tell. */
    @Test
    void aBareNotFoundIsAskedAbout() {
        GcsObjectStore store = store();
        Reply bare = new Reply(404, DATE, "Not Found");
        server.then(bare, reply("404 notFound"));
        assertThat(store.get(KEY)).isEmpty();
        server.then(bare, WRITTEN);
        assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(UnavailableException.class);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void partsThatAreGoneAreToldFromAPage() {
        GcsObjectStore store = store();
        server.then(new Reply(200, DATE, WRITTEN.body()));
        ObjectUpload upload = store.upload(KEY, 1 << 20);
        upload.part(1, Bytes.utf8("part"));
        server.then(BETWEEN);
        assertThatThrownBy(() -> upload.complete(1)).isInstanceOf(OutcomeUnknownException.class);
        server.then(reply("404 notFound"));
        assertThatThrownBy(() -> upload.complete(1))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("parts of the upload are gone");
    }

    @Test
    void missingBucketIsNamed() {
        server.then(reply("404 notFound"));
        assertThatThrownBy(this::store)
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.BUCKET_NOT_FOUND))
                .hasMessageContaining("bucket=bucket");
    }

    @Test
    void noRightsAreNamed() {
        server.then(reply("403 forbidden"));
        assertThatThrownBy(this::store).isInstanceOf(RefusedException.class).is(code(ErrorCode.ACCESS_DENIED));
    }

    @Test
    void anotherServerIsNone() {
        for (Reply page : List.of(
                new Reply(200, Map.of("Content-Type", "text/html"), "<html><body>" + SECRET + "</body></html>"),
                json(200, "{}"))) {
            server.then(page);
            assertThatThrownBy(this::store)
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.UNSUPPORTED_SERVER))
                    .hasMessageContaining("check the endpoint");
        }
    }

    @Test
    void serverThatCannotBeReached() {
        GcsSettings nowhere = GcsSettings.bucket("bucket").endpoint(URI.create("http://127.0.0.1:1"));
        assertThatThrownBy(() -> GcsObjectStore.open(nowhere))
                .isInstanceOf(UnavailableException.class)
                .is(code(ErrorCode.UNREACHABLE));
    }

    /** What a store asks when it is made. */
    @Test
    void serverThatIgnoresConditionsIsFound() {
        GcsObjectStore store = store();
        server.then(new Reply(
                200,
                Map.of("Content-Type", "application/json", "Date", "Sat, 21 Nov 2026 07:00:00 GMT"),
                WRITTEN.body()));
        ObjectProbe probe = new ObjectProbe(store, "probe");
        assertThat(probe.refusesSecond(Bytes.EMPTY)).isFalse();
        assertThat(probe.refusesForeign(Bytes.EMPTY)).isFalse();
    }

    @Test
    void answerThatIsNoneIsNotKnown() {
        GcsObjectStore store = store();
        server.then(new Reply(200, Map.of("Content-Type", "text/html"), "<html>" + SECRET + "</html>"));
        assertThatThrownBy(() -> store.put(KEY, Bytes.EMPTY, WriteCondition.IF_ABSENT))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> store.list("", "", 1)).isInstanceOf(UnavailableException.class);
    }

    @Test
    void aListThatIsNoneIsNotKnown() {
        GcsObjectStore store = store();
        server.then(json(200, "{}"));
        assertThatThrownBy(() -> store.list("p/", "", 10)).isInstanceOf(UnavailableException.class);
        server.then(LISTED);
        assertThat(store.list("p/", "", 10).entries()).isEmpty();
    }

    /** The server begins with the key itself, and may answer with fewer objects than asked, or with none. */
    @Test
    void aListGoesOnWhileItHasNoEntries() {
        GcsObjectStore store = store();
        server.then(
                listed("\"nextPageToken\":\"t1\"," + items("p/a")),
                listed("\"nextPageToken\":\"t2\""),
                listed("\"nextPageToken\":\"t3\"," + items("p/b")));
        Listing listing = store.list("p/", "p/a", 1);
        assertThat(listing.entries()).extracting(Listing.Entry::key).containsExactly("p/b");
        assertThat(listing.more()).isTrue();
        assertThat(server.requests()).hasSize(3);
    }

    private static Reply listed(String more) {
        return json(200, "{\"kind\":\"storage#objects\"," + more + "}");
    }

    private static String items(String key) {
        return "\"items\":[{\"name\":\"" + key + "\",\"size\":\"1\",\"generation\":\"7\","
                + "\"updated\":\"2026-11-21T07:00:00.000Z\"}]";
    }

    @Test
    void aCutHeadIsNoEmptyObject() {
        try (RawFace raw = new RawFace(RawFace.ok("application/json", "{\"kind\":\"storage#objects\"}"))) {
            raw.checkCutAnswers(store(raw.address()));
        }
    }

    @Test
    void addressesThatAreNone() {
        for (String bucket : List.of("ftp://books", "gs://B", "gs://")) {
            BucketAddress address = new BucketAddress(bucket, Optional.empty(), Optional.empty(), false, false);
            assertThatThrownBy(address::open)
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING));
        }
        for (String address : List.of("//h", "gopher://h", "http://127.0.0.1:99999")) {
            assertThatThrownBy(() -> GcsSettings.bucket("bucket").endpoint(URI.create(address)))
                    .is(code(ErrorCode.INVALID_SETTING));
        }
    }
}
