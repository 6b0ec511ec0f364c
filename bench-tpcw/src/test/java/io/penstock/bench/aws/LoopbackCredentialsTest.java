package io.penstock.bench.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackCredentialsTest {
    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:4566", "http://localhost:1", "https://[::1]:7", "http://127.8.8.8"})
    void theLoopbackIsKnown(String endpoint) {
        assertThat(LoopbackCredentials.isLoopback(URI.create(endpoint))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://s3.eu-central-1.amazonaws.com",
                "http://10.0.0.1:4566",
                "http://127.example.com",
                "http://localhost.example.com",
                "http://[2001:db8::1]"
            })
    void nothingElseIsTakenForIt(String endpoint) {
        assertThat(LoopbackCredentials.isLoopback(URI.create(endpoint))).isFalse();
    }

    @Test
    void awsItselfIsNot() {
        assertThat(LoopbackCredentials.isLoopback(null)).isFalse();
    }
}
