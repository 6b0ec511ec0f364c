package io.penstock.bench.experiment.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Signs each key once, beforehand. Safe for use by many threads. */
final class PresignedFetcher implements Fetcher {
    private final S3Presigner presigner;
    private final String bucket;
    private final Map<String, URL> addresses = new ConcurrentHashMap<>();

    PresignedFetcher(Target target) {
        bucket = target.bucket();
        presigner = S3Presigner.builder()
                .endpointOverride(target.endpoint())
                .region(Target.REGION)
                .credentialsProvider(target.credentials())
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .build();
    }

    @Override
    public int fetch(String key) {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    addresses.computeIfAbsent(key, this::address).openConnection();
            try (InputStream body = connection.getInputStream()) {
                byte[] bytes = new byte[connection.getContentLength()];
                return body.readNBytes(bytes, 0, bytes.length);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private URL address(String key) {
        try {
            return URI.create(presigner
                            .presignGetObject(presign -> presign.signatureDuration(Duration.ofHours(1))
                                    .getObjectRequest(
                                            request -> request.bucket(bucket).key(key)))
                            .url()
                            .toString())
                    .toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        presigner.close();
    }
}
