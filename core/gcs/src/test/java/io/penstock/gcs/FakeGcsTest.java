package io.penstock.gcs;

import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.RealServers;
import io.penstock.testing.ShiftedTasks;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The contract on fake-gcs-server, in a bucket that the tests of this JVM share; each has a prefix of its own. */
@Tag("servers")
class FakeGcsTest extends ObjectStoreContract {
    private static final String BUCKET = "contract-" + UUID.randomUUID();

    private final Tasks tasks = new ShiftedTasks();
    private final String prefix = UUID.randomUUID() + "/";
    private GcsObjectStore store;

    @BeforeEach
    void open() {
        store = GcsObjectStore.open(
                GcsSettings.bucket(BUCKET).endpoint(RealServers.gcs().s3()).createBucket(true));
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

    /** Google Cloud Storage has no keys with line ends. */
    @Override
    protected List<String> trickyKeys() {
        return super.trickyKeys().stream().filter(key -> !key.contains("\n")).toList();
    }
}
