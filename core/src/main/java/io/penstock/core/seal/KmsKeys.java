package io.penstock.core.seal;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.KmsException;

/**
 * Master keys of AWS KMS, which never leave it. It is called when a store is opened or its keys are rotated, and for
 * values once for each client that wrote them. Needs the module {@code kms} of the SDK. Safe for use by many threads.
 *
 * @param client stays open
 * @param current the id, ARN or alias of the key that seals new data keys; others open what they sealed
 */
public record KmsKeys(KmsClient client, String current) implements MasterKeys {
    private static final String CONTEXT = "penstock";

    /** Refusals that no repetition mends. */
    private static final Set<String> REFUSALS = Set.of(
            "AccessDeniedException",
            "DisabledException",
            "IncorrectKeyException",
            "InvalidCiphertextException",
            "InvalidArnException",
            "InvalidKeyUsageException",
            "KMSInvalidStateException",
            "NotFoundException",
            "ValidationException");

    /** A key by the region and credentials that the SDK finds. */
    static KmsKeys of(String key) {
        try {
            return new KmsKeys(
                    KmsClient.builder()
                            .httpClient(UrlConnectionHttpClient.create())
                            .build(),
                    key);
        } catch (SdkClientException e) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "no kms client can be built; name region and credentials in the environment",
                    "master",
                    key);
        }
    }

    @Override
    public Bytes seal(String name, Bytes dataKey, Bytes context) {
        return call(
                name,
                () -> client.encrypt(request -> request.keyId(name)
                                .plaintext(SdkBytes.fromByteArray(dataKey.toArray()))
                                .encryptionContext(Map.of(CONTEXT, context.toUtf8())))
                        .ciphertextBlob());
    }

    /** Opens a data key; the sealed one names its key to KMS, whatever an alias means by now. */
    @Override
    public Bytes open(String name, Bytes sealed, Bytes context) {
        return call(
                name,
                () -> client.decrypt(request -> request.ciphertextBlob(SdkBytes.fromByteArray(sealed.toArray()))
                                .encryptionContext(Map.of(CONTEXT, context.toUtf8())))
                        .plaintext());
    }

    private static Bytes call(String name, Supplier<SdkBytes> request) {
        try {
            return Bytes.wrap(request.get().asByteArray());
        } catch (SdkException failure) {
            // Without the text of the server, which may quote what it was sent.
            String code = failure instanceof KmsException answered
                    ? String.valueOf(answered.awsErrorDetails().errorCode())
                    : failure.getClass().getSimpleName();
            if (REFUSALS.contains(code)) {
                throw new InvalidRequestException(
                        ErrorCode.NO_KEY,
                        "KMS refuses a master key; check that it exists, is enabled, and may be used",
                        "master",
                        name,
                        "code",
                        code);
            }
            throw new UnavailableException("KMS does not answer; retry later", "master", name, "code", code);
        }
    }
}
