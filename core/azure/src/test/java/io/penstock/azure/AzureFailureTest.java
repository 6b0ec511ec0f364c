package io.penstock.azure;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.storage.common.StorageSharedKeyCredential;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.ObjectProbe;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.FailureTable;
import io.penstock.testing.HttpFace;
import io.penstock.testing.HttpFace.Reply;
import io.penstock.testing.RawFace;
import java.net.URI;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of {@code docs/failures/azure.csv}, through the SDK, and bad servers. */
class AzureFailureTest {
    private static final String SECRET = "s3cr3t-payl04d";
    private static final String KEY = "k3y-of-a-customer";
    private static final String ACCOUNT_KEY = Base64.getEncoder().encodeToString(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    private static final Reply LISTED = xml(
            200,
            Map.of(),
            "<?xml version=\"1.0\"?><EnumerationResults ContainerName=\"books\"><Blobs></Blobs><NextMarker />"
                    + "</EnumerationResults>");
    private static final Reply BETWEEN = new Reply(
            404,
            Map.of("Content-Type", "text/plain", "Date", "Sat, 21 Nov 2026 07:00:00 GMT"),
            "default backend - 404");
    private static final Reply WRITTEN =
            xml(201, Map.of("ETag", "\"0x1\"", "Last-Modified", "Sat, 21 Nov 2026 07:00:00 GMT"), "");

    private final HttpFace server = new HttpFace(LISTED);

    @AfterEach
    void close() {
        server.close();
    }

    private static Reply xml(int status, Map<String, String> more, String body) {
        Map<String, String> headers = new HashMap<>(more);
        headers.putAll(Map.of("Content-Type", "application/xml", "x-ms-request-id", "REQ1"));
        return new Reply(status, headers, body);
    }

    private static Reply reply(String failure) {
        if (failure.equals("lost")) {
            return Reply.LOST;
        }
        if (failure.equals("404")) {
            return BETWEEN;
        }
        String code = failure.substring(3).strip();
        return xml(
                Integer.parseInt(failure.substring(0, 3)),
                code.isEmpty() ? Map.of() : Map.of("x-ms-error-code", code),
                "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>" + SECRET + "</Message></Error>");
    }

    private AzureObjectStore store() {
        return store(server.address());
    }

    private static AzureObjectStore store(URI address) {
        return AzureObjectStore.open(AzureSettings.of("account/books")
                .endpoint(address.resolve("/account"))
                .credentials(client -> client.credential(new StorageSharedKeyCredential("account", ACCOUNT_KEY))));
    }

    static List<FailureTable.Case> rows() {
        return FailureTable.read("azure");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void failureBecomesWhatTheTableSays(FailureTable.Case row) {
        AzureObjectStore store = store();
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
        AzureObjectStore store = store();
        store.put(KEY, Bytes.utf8("warms the connection"), answering(WRITTEN));
        server.then(reply(row.failure()));
        StoreException failure = catchThrowableOfType(
                StoreException.class, () -> store.put(KEY, Bytes.utf8(SECRET), WriteCondition.IF_ABSENT));
        assertThat(server.requests()).hasSize(1);
        assertThat(Throwables.getStackTrace(failure))
                .doesNotContain(SECRET)
                .doesNotContain(KEY)
                .doesNotContain(ACCOUNT_KEY);
        assertThat(failure).hasMessageContaining("container=books").hasMessageContaining("azure put failed: ");
    }

    private WriteCondition answering(Reply reply) {
        server.then(reply);
        return WriteCondition.ALWAYS;
    }

    /** It was a blob that is not there: a commit of another was not seen, or taken for lost. */
    @Test
    void aNotFoundOfSomethingBetweenIsNoAnswerOfAzure() {
        AzureObjectStore store = store();
        server.then(BETWEEN);
        List<Runnable> reads = List.of(
                () -> store.get(KEY),
                () -> store.getTimed(KEY),
                () -> store.getRange(KEY, 0, 0),
                () -> store.getRange(KEY, 1, 1),
                () -> store.getIfChanged(KEY, new ObjectVersion("0x1")),
                () -> store.list("p/", "", 10));
        for (Runnable read : reads) {
            assertThatThrownBy(read::run)
                    .isInstanceOf(UnavailableException.class)
                    .is(code(ErrorCode.UNAVAILABLE));
        }
        List<Runnable> writes = List.of(
                () -> store.delete(KEY),
                () -> store.put(KEY, Bytes.EMPTY, WriteCondition.ALWAYS),
                () -> store.put(KEY, Bytes.EMPTY, WriteCondition.IF_ABSENT));
        for (Runnable write : writes) {
            assertThatThrownBy(write::run).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @Test
    void missingBucketIsNamed() {
        server.then(reply("404 ContainerNotFound"));
        assertThatThrownBy(this::store)
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.BUCKET_NOT_FOUND))
                .hasMessageContaining("container=books");
    }

    /** Things between may name their requests by the same header. */
    @Test
    void aNotFoundWithoutACodeIsNoMissingContainer() {
        server.then(reply("404 "));
        assertThatThrownBy(this::store)
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("the answer is none of azure");
    }

    @Test
    void noRightsAreNamed() {
        server.then(reply("403 AuthorizationFailure"));
        assertThatThrownBy(this::store).isInstanceOf(RefusedException.class).is(code(ErrorCode.ACCESS_DENIED));
    }

    @Test
    void anotherServerIsNone() {
        for (Reply page : List.of(
                new Reply(200, Map.of("Content-Type", "text/html"), "<html><body>" + SECRET + "</body></html>"),
                new Reply(404, Map.of("Content-Type", "text/html"), "<html></html>"))) {
            server.then(page);
            assertThatThrownBy(this::store)
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.UNSUPPORTED_SERVER))
                    .hasMessageContaining("check the endpoint");
        }
    }

    @Test
    void serverThatCannotBeReached() {
        AzureSettings nowhere = AzureSettings.of("account/books")
                .endpoint(URI.create("http://127.0.0.1:1/account"))
                .credentials(client -> client.sasToken("sig=" + SECRET));
        assertThatThrownBy(() -> AzureObjectStore.open(nowhere))
                .hasMessageNotContaining(SECRET)
                .isInstanceOf(UnavailableException.class)
                .is(code(ErrorCode.UNREACHABLE));
    }

    /** What a store asks when it is made. */
    @Test
    void serverThatIgnoresConditionsIsFound() {
        AzureObjectStore store = store();
        server.then(WRITTEN);
        ObjectProbe probe = new ObjectProbe(store, "probe");
        assertThat(probe.refusesSecond(Bytes.EMPTY)).isFalse();
        assertThat(probe.refusesForeign(Bytes.EMPTY)).isFalse();
    }

    @Test
    void answerThatIsNoneIsNotKnown() {
        AzureObjectStore store = store();
        server.then(new Reply(200, Map.of("Content-Type", "text/html"), "<html>" + SECRET + "</html>"));
        assertThatThrownBy(() -> store.put(KEY, Bytes.EMPTY, WriteCondition.IF_ABSENT))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> store.list("", "", 1)).isInstanceOf(UnavailableException.class);
    }

    @Test
    void aCutHeadIsNoEmptyObject() {
        try (RawFace raw = new RawFace(RawFace.ok("application/xml", LISTED.body()))) {
            raw.checkCutAnswers(store(raw.address()));
        }
    }

    @Test
    void addressesThatAreNone() {
        for (String bucket : List.of("ftp://books", "azblob://books", "azblob://account/B")) {
            BucketAddress address = new BucketAddress(bucket, Optional.empty(), Optional.empty(), false, false);
            assertThatThrownBy(address::open)
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING));
        }
        for (String address : List.of("//h", "gopher://h", "http://127.0.0.1:99999")) {
            assertThatThrownBy(() -> AzureSettings.of("account/books").endpoint(URI.create(address)))
                    .is(code(ErrorCode.INVALID_SETTING));
        }
    }
}
