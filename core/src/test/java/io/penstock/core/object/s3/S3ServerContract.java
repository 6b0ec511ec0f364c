package io.penstock.core.object.s3;

import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testing.ShiftedTasks;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The contract on a real server, in a bucket that the tests of this JVM share; each has a prefix of its own. */
@Tag("servers")
abstract class S3ServerContract extends ObjectStoreContract {
    static final String BUCKET = "contract-" + UUID.randomUUID();

    private final Tasks tasks = new ShiftedTasks();
    private final String prefix = UUID.randomUUID() + "/";
    private S3ObjectStore store;
    private boolean onlyPlainKeys;

    abstract Endpoint endpoint();

    final S3Settings settings() {
        Endpoint endpoint = endpoint();
        return S3Settings.bucket(BUCKET)
                .endpoint(endpoint.s3())
                .region(Endpoint.REGION)
                .pathStyle(true)
                .createBucket(true)
                .credentials(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey())));
    }

    @BeforeEach
    void open() {
        store = S3ObjectStore.open(settings());
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected Tasks tasks() {
        return tasks;
    }

    @Override
    protected String prefix() {
        return prefix;
    }

    /** Runs a test only with keys that need no escapes in a URL, for servers that list others wrongly. */
    final void withPlainKeys(Runnable test) {
        onlyPlainKeys = true;
        test.run();
    }

    @Override
    protected List<String> trickyKeys() {
        return super.trickyKeys().stream()
                .filter(key -> !onlyPlainKeys || key.matches("[A-Za-z0-9._~/-]+"))
                .toList();
    }
}
