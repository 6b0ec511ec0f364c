package io.penstock.gcs;

import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.HttpUnsuccessfulResponseHandler;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.storage.Storage;
import com.google.api.services.storage.StorageScopes;
import com.google.auth.Credentials;
import com.google.auth.http.HttpCredentialsAdapter;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.auth.oauth2.ServiceAccountCredentials;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/**
 * Builds the client of Google's JSON API: over the JDK's HTTP, without logs of requests, and without repetitions,
 * except the one after an expired token, which the server refused before it did anything.
 */
final class GcsClients {
    private GcsClients() {}

    /** A failure to get a token, before the request was made. */
    static final class NoToken extends IOException {
        private static final long serialVersionUID = 1;

        NoToken(Throwable cause) {
            super("no token", cause);
        }
    }

    static Storage build(GcsSettings settings, Optional<Credentials> credentials) {
        Storage.Builder builder = new Storage.Builder(
                        new NetHttpTransport(), GsonFactory.getDefaultInstance(), initializer(settings, credentials))
                .setApplicationName("penstock");
        settings.endpoint().ifPresent(server -> builder.setRootUrl(root(server)));
        return builder.build();
    }

    private static String root(URI server) {
        String text = server.toString();
        return text.endsWith("/") ? text : text + "/";
    }

    /** The credentials of the settings or the environment; none for a server without TLS, which would see them. */
    static Optional<Credentials> credentials(GcsSettings settings) {
        boolean plain = settings.endpoint()
                .map(server -> "http".equalsIgnoreCase(server.getScheme()))
                .orElse(false);
        if (settings.credentials().isPresent() || plain) {
            return settings.credentials();
        }
        try {
            return Optional.of(
                    GoogleCredentials.getApplicationDefault().createScoped(StorageScopes.DEVSTORAGE_READ_WRITE));
        } catch (IOException none) {
            throw new InvalidRequestException(
                    ErrorCode.NO_CREDENTIALS,
                    "no credentials were found; set GOOGLE_APPLICATION_CREDENTIALS, log in by gcloud, or run with a"
                            + " service account",
                    "bucket",
                    settings.bucket());
        }
    }

    /** The project that a bucket is made in; an emulator has none, and takes any. */
    static Optional<String> project(GcsSettings settings, Optional<Credentials> credentials) {
        return settings.project()
                .or(() -> Optional.ofNullable(System.getenv("GOOGLE_CLOUD_PROJECT")))
                .or(() -> credentials
                        .filter(ServiceAccountCredentials.class::isInstance)
                        .map(account -> ((ServiceAccountCredentials) account).getProjectId()))
                .or(() -> credentials.isEmpty() ? Optional.of("emulated") : Optional.empty());
    }

    private static HttpRequestInitializer initializer(GcsSettings settings, Optional<Credentials> credentials) {
        Optional<HttpRequestInitializer> authorized = credentials.map(HttpCredentialsAdapter::new);
        int connectMillis = (int) settings.connectTimeout().toMillis();
        int readMillis = (int) settings.readTimeout().toMillis();
        return request -> {
            request.setConnectTimeout(connectMillis)
                    .setReadTimeout(readMillis)
                    .setNumberOfRetries(1)
                    .setLoggingEnabled(false)
                    .setCurlLoggingEnabled(false);
            if (authorized.isPresent()) {
                authorize(authorized.get(), request);
            }
        };
    }

    private static void authorize(HttpRequestInitializer authorized, HttpRequest request) throws IOException {
        try {
            authorized.initialize(request);
        } catch (IOException e) {
            throw new NoToken(e);
        }
        HttpUnsuccessfulResponseHandler renewing = request.getUnsuccessfulResponseHandler();
        request.setUnsuccessfulResponseHandler((refused, response, supported) -> {
            try {
                return renewing.handleResponse(refused, response, supported);
            } catch (IllegalStateException fixed) { // a token that cannot be renewed
                return false;
            }
        });
    }
}
