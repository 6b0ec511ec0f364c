package io.penstock.core.object.s3;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.ScriptedHttp;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A client that the caller supplies and that repeats requests: the repetition of a put meets the put that took effect.
 */
class SdkRetryTest {
    private static final PageId PAGE = new PageId(new TreeId(1), 2);
    private static final Map<String, String> OBJECT =
            Map.of("ETag", "\"e2\"", "Last-Modified", "Sat, 21 Nov 2026 07:00:00 GMT");

    private final ScriptedHttp http = new ScriptedHttp();
    private byte[] stored = new byte[0];

    private static PageImage page(long version, long writeId) {
        PageHeader header = PageHeader.of(PAGE, PageKind.LEDGER, 0, version, writeId);
        return LedgerPages.encode(header, Bytes.utf8("body " + writeId));
    }

    private PageManager pages() {
        S3Client client = S3Client.builder()
                .httpClient(http)
                .endpointOverride(URI.create("http://127.0.0.1:1"))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.standardRetryStrategy()))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")))
                .build();
        http.then(ScriptedHttp.answer(200, Map.of(), new byte[0]));
        S3ObjectStore store = S3ObjectStore.open(S3Settings.bucket("bucket").client(client));
        BufferPool pool = new BufferPool(1 << 20, Duration.ofSeconds(10));
        return new PageManager(store, pool, new InlineTasks(1), "shop/");
    }

    private void putTakesEffectAndItsAnswerIsLost() {
        http.then(request -> {
            stored = ScriptedHttp.body(request);
            throw new SocketException("Connection reset");
        });
    }

    private void refuse() {
        http.then(ScriptedHttp.s3Error(412, "PreconditionFailed", ""));
    }

    private void read() {
        http.then(request -> ScriptedHttp.response(200, OBJECT, stored));
    }

    @Test
    void refusedRepetitionOfAnOwnWriteIsASuccess() {
        PageManager pages = pages();
        putTakesEffectAndItsAnswerIsLost();
        refuse();
        read();
        PageFrame frame = pages.put(page(7, 42), WriteCondition.IF_ABSENT);
        assertThat(frame.image().header().writeId()).isEqualTo(42);
        assertThat(frame.version().tag()).isEqualTo("e2");
        assertThat(http.requests())
                .extracting(request -> request.substring(0, 4))
                .containsExactly("HEAD", "PUT ", "PUT ", "GET ");
    }

    @Test
    void refusalBecauseOfAnotherClientsWriteIsAConflict() {
        PageManager pages = pages();
        refuse();
        stored = page(7, 43).bytes().toArray();
        read();
        assertThatThrownBy(() -> pages.put(page(7, 42), WriteCondition.IF_ABSENT))
                .isInstanceOf(ConflictException.class)
                .is(code(ErrorCode.CONFLICT));
    }
}
