package io.penstock.azure;

import com.azure.storage.common.StorageSharedKeyCredential;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testing.ShiftedTasks;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The contract on Azurite, in a container that the tests of this JVM share; each has a prefix of its own. */
@Tag("servers")
class AzuriteTest extends ObjectStoreContract {
    private static final String CONTAINER = "contract-" + UUID.randomUUID();

    private final Tasks tasks = new ShiftedTasks();
    private final String prefix = UUID.randomUUID() + "/";
    private AzureObjectStore store;

    @BeforeEach
    void open() {
        Endpoint azurite = RealServers.azurite();
        store = AzureObjectStore.open(AzureSettings.of(azurite.accessKey() + "/" + CONTAINER)
                .endpoint(azurite.s3().resolve("/" + azurite.accessKey()))
                .credentials(client -> client.credential(key(azurite)))
                .createContainer(true));
    }

    private static StorageSharedKeyCredential key(Endpoint azurite) {
        byte[] secret = azurite.secretKey().getBytes(StandardCharsets.UTF_8);
        return new StorageSharedKeyCredential(
                azurite.accessKey(), Base64.getEncoder().encodeToString(secret));
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

    /**
     * Azurite cannot list keys with characters that XML lacks, lists keys beyond 16 bits before others, and takes
     * backslashes for slashes, as Azure does. Keys of stores have none of these.
     */
    @Override
    protected List<String> trickyKeys() {
        return super.trickyKeys().stream()
                .filter(key -> key.chars().noneMatch(c -> c == 1 || c == '\\' || Character.isSurrogate((char) c)))
                .toList();
    }
}
