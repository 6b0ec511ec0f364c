package io.penstock.core.object.s3;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.ScriptedHttp;
import io.penstock.testing.ShiftedTasks;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The contract on a directory bucket: on a fake of one, for no server here has any. */
class DirectoryBucketTest extends ObjectStoreContract {
    private static final S3Settings SETTINGS = S3Settings.bucket("shop--usw2-az1--x-s3")
            .region("us-west-2")
            .callTimeout(Duration.ofMinutes(1))
            .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create("any", "any")));

    private final Tasks tasks = new ShiftedTasks();
    private final FakeDirectoryBucket bucket = new FakeDirectoryBucket();
    private final S3ObjectStore store =
            S3ObjectStore.open(SETTINGS.client(S3Clients.build(SETTINGS, new ScriptedHttp.Builder(bucket))));

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    @Test
    void sessionsAreShared() {
        for (int i = 0; i < 20; i++) {
            store.put("a", Bytes.EMPTY, WriteCondition.ALWAYS);
        }
        assertThat(bucket.sessions()).isEqualTo(1);
    }

    @Test
    void firstEntriesOfManyPagesAreTheSmallest() {
        for (int i = 0; i < 100; i++) {
            store.put("p/" + (i * 37 % 100 + 100), Bytes.EMPTY, WriteCondition.ALWAYS);
        }
        Listing listing = store.list("p/1", "p/149", 3);
        assertThat(listing.entries()).extracting("key").containsExactly("p/150", "p/151", "p/152");
        assertThat(listing.more()).isTrue();
        assertThat(store.list("p/1", "p/196", 3).more()).isFalse();
    }

    @Test
    void tagsAreRefusedAtOpen() {
        assertThatThrownBy(() -> S3ObjectStore.open(SETTINGS.tags(Map.of("team", "shop"))))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.INVALID_SETTING));
    }

    @Test
    void missingBucketIsCreatedInItsZone() {
        StringBuilder sent = new StringBuilder();
        ScriptedHttp http = new ScriptedHttp()
                .then(ScriptedHttp.s3Error(404, "NoSuchBucket", ""))
                .then(request -> {
                    sent.append(new String(ScriptedHttp.body(request), java.nio.charset.StandardCharsets.UTF_8));
                    return ScriptedHttp.response(200, Map.of(), new byte[0]);
                });
        S3ObjectStore.open(SETTINGS.createBucket(true).client(S3Clients.build(SETTINGS, http.builder())));
        assertThat(sent)
                .contains("<Type>AvailabilityZone</Type><Name>usw2-az1</Name>")
                .contains("<Type>Directory</Type>")
                .contains("<DataRedundancy>SingleAvailabilityZone</DataRedundancy>");
    }
}
