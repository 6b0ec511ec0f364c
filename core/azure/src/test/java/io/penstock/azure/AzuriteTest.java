package io.penstock.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testing.ShiftedTasks;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
        store = AzureObjectStore.open(settings(azurite)
                .credentials(client -> client.credential(key(azurite)))
                .createContainer(true));
    }

    private static AzureSettings settings(Endpoint azurite) {
        return AzureSettings.of(azurite.accessKey() + "/" + CONTAINER).endpoint(address(azurite));
    }

    private static URI address(Endpoint azurite) {
        return azurite.s3().resolve("/" + azurite.accessKey());
    }

    private static StorageSharedKeyCredential key(Endpoint azurite) {
        return new StorageSharedKeyCredential(azurite.accessKey(), secret(azurite));
    }

    private static String secret(Endpoint azurite) {
        return Base64.getEncoder().encodeToString(azurite.secretKey().getBytes(StandardCharsets.UTF_8));
    }

    /** The rights that the page names are enough. */
    @Test
    void aSignatureIsEnough() {
        Endpoint azurite = RealServers.azurite();
        BlobServiceSasSignatureValues values = new BlobServiceSasSignatureValues(
                OffsetDateTime.now().plusDays(1), BlobContainerSasPermission.parse("racwdl"));
        String signature = new BlobServiceClientBuilder()
                .endpoint(address(azurite).toString())
                .credential(key(azurite))
                .httpClient(new AzureHttp(Duration.ofSeconds(2), Duration.ofSeconds(10)))
                .buildClient()
                .getBlobContainerClient(CONTAINER)
                .generateSas(values);
        try (AzureObjectStore signed =
                AzureObjectStore.open(settings(azurite).credentials(client -> client.sasToken(signature)))) {
            useOf(signed);
        }
    }

    /** It names the server too. */
    @Test
    void aConnectionStringIsEnough() {
        Endpoint azurite = RealServers.azurite();
        String connection = "DefaultEndpointsProtocol=http;AccountName=" + azurite.accessKey() + ";AccountKey="
                + secret(azurite) + ";BlobEndpoint=" + address(azurite);
        AzureSettings settings = AzureSettings.of(azurite.accessKey() + "/" + CONTAINER)
                .credentials(client -> client.connectionString(connection));
        try (AzureObjectStore connected = AzureObjectStore.open(settings)) {
            useOf(connected);
        }
    }

    private void useOf(AzureObjectStore opened) {
        opened.put(prefix + "a", Bytes.utf8("one"), WriteCondition.IF_ABSENT);
        assertThatThrownBy(() -> opened.put(prefix + "a", Bytes.EMPTY, WriteCondition.IF_ABSENT))
                .isInstanceOf(ConflictException.class);
        assertThat(opened.list(prefix, "", 10).entries()).hasSize(1);
        opened.delete(prefix + "a");
        assertThat(opened.get(prefix + "a")).isEmpty();
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
