package io.penstock.bench.experiment.http;

import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.object.s3.S3Settings;
import java.util.Locale;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** An HTTP client under test. */
enum HttpClientKind {
    URL_CONNECTION {
        @Override
        Fetcher open(Target target) {
            return store(target, UrlConnectionHttpClient.builder());
        }
    },
    APACHE5 {
        @Override
        Fetcher open(Target target) {
            return store(target, Apache5HttpClient.builder().maxConnections(CONNECTIONS_MAX));
        }
    },
    CRT {
        @Override
        Fetcher open(Target target) {
            return store(target, AwsCrtHttpClient.builder().maxConcurrency(CONNECTIONS_MAX));
        }
    },
    CRT_ASYNC {
        @Override
        Fetcher open(Target target) {
            return async(target, AwsCrtAsyncHttpClient.builder().maxConcurrency(CONNECTIONS_MAX));
        }
    },
    NETTY {
        @Override
        Fetcher open(Target target) {
            return async(target, NettyNioAsyncHttpClient.builder().maxConcurrency(CONNECTIONS_MAX));
        }
    },
    /** Presigned addresses by the JDK's own client, without the SDK: the cost of transport alone. */
    JDK_PRESIGNED {
        @Override
        Fetcher open(Target target) {
            return new PresignedFetcher(target);
        }
    };

    /** Above the largest depth, so that no request waits for a connection. */
    private static final int CONNECTIONS_MAX = 128;

    abstract Fetcher open(Target target);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The object store as users have it, on another HTTP client. */
    private static Fetcher store(Target target, SdkHttpClient.Builder<?> http) {
        ObjectStore store = S3ObjectStore.open(S3Settings.bucket(target.bucket())
                .endpoint(target.endpoint())
                .pathStyle(true)
                .credentials(target.credentials())
                .http(http));
        return new Fetcher() {
            @Override
            public int fetch(String key) {
                return store.get(key).orElseThrow().body().length();
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }

    /** Clients that have no blocking form: the caller waits for the future. */
    private static Fetcher async(Target target, SdkAsyncHttpClient.Builder<?> http) {
        S3AsyncClient client = S3AsyncClient.builder()
                .endpointOverride(target.endpoint())
                .forcePathStyle(true)
                .region(Target.REGION)
                .credentialsProvider(target.credentials())
                .responseChecksumValidation(
                        software.amazon.awssdk.core.checksums.ResponseChecksumValidation.WHEN_REQUIRED)
                .httpClientBuilder(http)
                .build();
        return new Fetcher() {
            @Override
            public int fetch(String key) {
                return client.getObject(
                                request -> request.bucket(target.bucket()).key(key), AsyncResponseTransformer.toBytes())
                        .join()
                        .asByteArrayUnsafe()
                        .length;
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }
}
