package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.seal.MasterKeys;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.kms.KmsClient;

/** A store and its backups under keys of KMS, by their names alone, as the settings and the command take them. */
@Tag("servers")
class KmsStoreTest {
    private final Endpoint endpoint = RealServers.localstack();
    private final Map<String, String> properties = Map.of(
            "aws.accessKeyId", endpoint.accessKey(),
            "aws.secretAccessKey", endpoint.secretKey(),
            "aws.region", Endpoint.REGION,
            "aws.endpointUrlKms", endpoint.s3().toString());
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @BeforeEach
    void leadToTheServer() {
        properties.forEach(System::setProperty);
    }

    @AfterEach
    void leadToAwsAgain() {
        properties.keySet().forEach(System::clearProperty);
    }

    private int run(String command, String place, String key, String... more) {
        err.reset();
        String[] arguments = new String[more.length + 5];
        arguments[0] = command;
        arguments[1] = "--dir";
        arguments[2] = directory.resolve(place).toString();
        arguments[3] = "--encryption";
        arguments[4] = "kms:" + key;
        System.arraycopy(more, 0, arguments, 5, more.length);
        return PenstockCommand.run(
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private Settings settings(String place, String key) {
        return Settings.local(directory.resolve(place)).encryption(MasterKeys.of("kms:" + key));
    }

    private static RecordCollection<String, String> words(Penstock store) {
        return store.collection("words", Keys.string(), Json.of(String.class));
    }

    @Test
    void storeGoesFromOneMasterKeyToTheNext() {
        try (KmsClient client =
                KmsClient.builder().httpClient(UrlConnectionHttpClient.create()).build()) {
            String first = client.createKey().keyMetadata().keyId();
            String next = client.createKey().keyMetadata().keyId();
            try (Penstock store = Penstock.open(settings("shop", first))) {
                words(store).put("a", "1");
            }
            assertThat(run("rotate-keys", "shop", next)).as("%s", err).isZero();
            client.disableKey(request -> request.keyId(first));
            String saved = directory.resolve("saved").toString();
            assertThat(run("backup", "shop", next, "--to", saved)).as("%s", err).isZero();
            assertThat(directory.resolve("again").toFile().mkdir()).isTrue();
            assertThat(run("restore", "again", next, "--from", saved))
                    .as("%s", err)
                    .isZero();
            try (Penstock store = Penstock.open(settings("again", next))) {
                assertThat(words(store).get("a")).hasValue("1");
            }
            client.scheduleKeyDeletion(request -> request.keyId(next).pendingWindowInDays(7));
            assertThat(run("verify", "shop", next)).isEqualTo(2);
            assertThat(err.toString())
                    .contains("KMS refuses a master key", "KMSInvalidStateException")
                    .hasLineCount(1);
        }
    }
}
