package io.penstock.azure;

import com.azure.storage.blob.BlobServiceClientBuilder;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.BucketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Settings of an object store on Azure Blob Storage. Immutable: each method returns changed settings. Everything except
 * the names of account and container has a default. Safe for use by many threads.
 *
 * @param account the storage account
 * @param container the container's name
 * @param endpoint the server, if it is not {@code https://account.blob.core.windows.net}
 * @param credentials sets the credentials of a client; empty: those of the environment, which {@code docs/CLOUDS.md}
 *     lists
 * @param createContainer whether a missing container is made at open; otherwise it is an error
 * @param connectTimeout the time limit for making a connection
 * @param readTimeout the longest silence of the server
 */
public record AzureSettings(
        String account,
        String container,
        Optional<URI> endpoint,
        Optional<Consumer<BlobServiceClientBuilder>> credentials,
        boolean createContainer,
        Duration connectTimeout,
        Duration readTimeout) {
    private static final Pattern NAME =
            Pattern.compile("(?<account>[a-z0-9]{3,24})/(?<container>[a-z0-9](-?[a-z0-9]){2,62})");

    public AzureSettings {
        endpoint.ifPresent(server -> BucketAddress.server("endpoint", server.toString()));
        if (!connectTimeout.isPositive() || !readTimeout.isPositive()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a time-out must be positive; raise it",
                    "connectTimeout",
                    connectTimeout,
                    "readTimeout",
                    readTimeout);
        }
    }

    /** Settings for {@code account/container}, with 2 s to connect and 10 s of silence. */
    public static AzureSettings of(String name) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a container is named by account/container: 3 to 24 of a-z 0-9, then 3 to 63 of a-z 0-9 and single"
                            + " -; correct it",
                    "name",
                    name);
        }
        return new AzureSettings(
                parts.group("account"),
                parts.group("container"),
                Optional.empty(),
                Optional.empty(),
                false,
                Duration.ofSeconds(2),
                Duration.ofSeconds(10));
    }

    public AzureSettings endpoint(URI value) {
        return new AzureSettings(
                account, container, Optional.of(value), credentials, createContainer, connectTimeout, readTimeout);
    }

    /** Sets credentials of any kind that the SDK knows, such as {@code builder -> builder.sasToken(token)}. */
    public AzureSettings credentials(Consumer<BlobServiceClientBuilder> value) {
        return new AzureSettings(
                account, container, endpoint, Optional.of(value), createContainer, connectTimeout, readTimeout);
    }

    public AzureSettings createContainer(boolean value) {
        return new AzureSettings(account, container, endpoint, credentials, value, connectTimeout, readTimeout);
    }

    /** Sets the longest silence of the server, when it connects and when it answers. */
    public AzureSettings timeouts(Duration connect, Duration read) {
        return new AzureSettings(account, container, endpoint, credentials, createContainer, connect, read);
    }
}
