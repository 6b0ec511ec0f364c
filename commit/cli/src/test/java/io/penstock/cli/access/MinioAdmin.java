package io.penstock.cli.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.RealServers.Endpoint;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The part of MinIO's administration that makes users and gives them policies. Requests are signed by version 4 of
 * AWS's signatures; the body with a user's secret is also encrypted with the administrator's.
 */
record MinioAdmin(Endpoint endpoint) {
    private static final String REGION = Endpoint.REGION;
    private static final int PBKDF2_AES_GCM = 2;
    private static final int PBKDF2_ROUNDS = 8192;
    private static final int SALT_BYTES = 32;
    private static final int NONCE_BYTES = 8;

    /** Makes a user who has the rights of a policy. */
    void add(String user, String secret, String policy) throws Exception {
        String body = "{\"secretKey\":\"" + secret + "\",\"status\":\"enabled\"}";
        call("PUT", "add-user", "accessKey=" + user, encrypted(body.getBytes(UTF_8)));
        call("PUT", "add-canned-policy", "name=" + user, policy.getBytes(UTF_8));
        call(
                "PUT",
                "set-user-or-group-policy",
                "isGroup=false&policyName=" + user + "&userOrGroup=" + user,
                new byte[0]);
    }

    private void call(String method, String name, String query, byte[] body) throws Exception {
        String path = "/minio/admin/v3/" + name;
        String time = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").format(ZonedDateTime.now(ZoneOffset.UTC));
        String digest = HexFormat.of().formatHex(sha256(body));
        String headers = "host;x-amz-content-sha256;x-amz-date";
        String canonical = method + "\n" + path + "\n" + query + "\nhost:"
                + endpoint.s3().getAuthority() + "\nx-amz-content-sha256:" + digest + "\nx-amz-date:" + time + "\n\n"
                + headers + "\n" + digest;
        String scope = time.substring(0, 8) + "/" + REGION + "/s3/aws4_request";
        String toSign = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n"
                + HexFormat.of().formatHex(sha256(canonical.getBytes(UTF_8)));
        byte[] key = ("AWS4" + endpoint.secretKey()).getBytes(UTF_8);
        for (String part : scope.split("/")) {
            key = hmac(key, part);
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint.s3() + path + "?" + query))
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                .header("x-amz-content-sha256", digest)
                .header("x-amz-date", time)
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=" + endpoint.accessKey() + "/" + scope + ", SignedHeaders="
                                + headers + ", Signature="
                                + HexFormat.of().formatHex(hmac(key, toSign)))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as("%s: %s", name, answer.body()).isEqualTo(200);
        }
    }

    /** One fragment of MinIO's format: salt, kind, nonce, and what AES-GCM gives; it must be below 16 KiB. */
    private byte[] encrypted(byte[] body) throws GeneralSecurityException {
        byte[] salt = new byte[SALT_BYTES];
        byte[] nonce = new byte[NONCE_BYTES];
        byte[] key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(new PBEKeySpec(endpoint.secretKey().toCharArray(), salt, PBKDF2_ROUNDS, 256))
                .getEncoded();
        byte[] tag = seal(key, nonce, 0, new byte[0], new byte[0]);
        byte[] last =
                ByteBuffer.allocate(1 + tag.length).put((byte) 0x80).put(tag).array();
        byte[] sealed = seal(key, nonce, 1, last, body);
        return ByteBuffer.allocate(SALT_BYTES + 1 + NONCE_BYTES + sealed.length)
                .put(salt)
                .put((byte) PBKDF2_AES_GCM)
                .put(nonce)
                .put(sealed)
                .array();
    }

    private static byte[] seal(byte[] key, byte[] nonce, int number, byte[] associated, byte[] plain)
            throws GeneralSecurityException {
        byte[] whole = ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(nonce)
                .putInt(number)
                .array();
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, whole));
        cipher.updateAAD(associated);
        return cipher.doFinal(plain);
    }

    private static byte[] sha256(byte[] bytes) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(UTF_8));
    }
}
