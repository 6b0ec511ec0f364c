package io.penstock.azure;

import com.azure.core.util.Configuration;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.time.Duration;

/** Builds the SDK's client: over {@link AzureHttp}, and without repetitions. */
final class AzureClients {
    private AzureClients() {}

    static BlobContainerClient build(AzureSettings settings) {
        AzureHttp http = new AzureHttp(settings.connectTimeout(), settings.readTimeout());
        BlobServiceClientBuilder builder =
                new BlobServiceClientBuilder().endpoint("https://" + settings.account() + ".blob.core.windows.net");
        settings.credentials()
                .ifPresentOrElse(given -> given.accept(builder), () -> ofEnvironment(settings, http, builder));
        // A connection string names a server too.
        settings.endpoint().ifPresent(server -> builder.endpoint(server.toString()));
        builder.httpClient(http)
                .retryOptions(new RequestRetryOptions(RetryPolicyType.FIXED, 1, (Duration) null, null, null, null));
        try {
            return builder.buildClient().getBlobContainerClient(settings.container());
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "no azure client can be built; check endpoint and credentials",
                    "container",
                    settings.container());
        }
    }

    /** Sets the first credentials that the environment has, in the order of {@code docs/CLOUDS.md}. */
    private static void ofEnvironment(AzureSettings settings, AzureHttp http, BlobServiceClientBuilder builder) {
        Configuration environment = Configuration.getGlobalConfiguration();
        String connection = environment.get("AZURE_STORAGE_CONNECTION_STRING");
        String key = environment.get("AZURE_STORAGE_KEY");
        String signature = environment.get("AZURE_STORAGE_SAS_TOKEN");
        try {
            if (connection != null) {
                builder.connectionString(connection);
            } else if (key != null) {
                builder.credential(new StorageSharedKeyCredential(settings.account(), key));
            } else if (signature != null) {
                builder.sasToken(signature);
            } else {
                builder.credential(
                        new DefaultAzureCredentialBuilder().httpClient(http).build());
            }
        } catch (NoClassDefFoundError identity) {
            throw missing(
                    settings,
                    "no credentials were found; set AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_KEY or"
                            + " AZURE_STORAGE_SAS_TOKEN, or add com.azure:azure-identity for an identity");
        } catch (IllegalArgumentException unreadable) {
            throw missing(settings, "the credentials of the environment cannot be read; correct them");
        }
    }

    private static InvalidRequestException missing(AzureSettings settings, String message) {
        return new InvalidRequestException(ErrorCode.NO_CREDENTIALS, message, "container", settings.container());
    }
}
