package io.penstock.core.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.memory.MemoryObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testing.ShiftedTasks;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kms.KmsClient;

/**
 * Master keys of the KMS of LocalStack, which seals, rotates, disables and deletes keys as that of AWS does. It refuses
 * nobody for a lack of rights; {@link KmsKeysTest} has that answer.
 */
@Tag("servers")
class KmsOnServersTest {
    private static final Bytes DATA_KEY = Bytes.utf8("a data key of thirty-two bytes..");
    private static final Bytes CONTEXT = Bytes.utf8("penstock values");

    private final KmsClient client = client();
    private final Tasks tasks = new ShiftedTasks();
    private final ObjectStore objects = new MemoryObjectStore(tasks);

    @AfterEach
    void close() {
        client.close();
    }

    private static KmsClient client() {
        Endpoint endpoint = RealServers.localstack();
        return KmsClient.builder()
                .httpClient(UrlConnectionHttpClient.create())
                .endpointOverride(endpoint.s3())
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(endpoint.accessKey(), endpoint.secretKey())))
                .build();
    }

    private String newKey() {
        return client.createKey().keyMetadata().keyId();
    }

    private String newAlias(String key) {
        String alias = "alias/penstock-" + UUID.randomUUID();
        client.createAlias(request -> request.aliasName(alias).targetKeyId(key));
        return alias;
    }

    private MasterKeys keys(String current) {
        return new KmsKeys(client, current);
    }

    private static void assertRefused(ThrowingCallable call, String code) {
        assertThatThrownBy(call).isInstanceOfSatisfying(InvalidRequestException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.NO_KEY);
            assertThat(refusal.getMessage()).contains("code=" + code).doesNotContain("\n");
        });
    }

    @Test
    void dataKeysOpenInTheirContextAlone() {
        String key = newKey();
        MasterKeys keys = keys(key);
        Bytes sealed = keys.seal(key, DATA_KEY, CONTEXT);
        assertThat(sealed.length()).isGreaterThan(DATA_KEY.length());
        assertThat(keys.open(key, sealed, CONTEXT)).isEqualTo(DATA_KEY);
        assertThat(keys(newKey()).open(key, sealed, CONTEXT)).isEqualTo(DATA_KEY);
        assertRefused(() -> keys.open(key, sealed, Bytes.utf8("another context")), "InvalidCiphertextException");
        byte[] flipped = sealed.toArray();
        flipped[flipped.length - 1] ^= 1;
        assertRefused(() -> keys.open(key, Bytes.wrap(flipped), CONTEXT), "InvalidCiphertextException");
    }

    @Test
    void aKeyThatKmsRotatesOpensWhatItSealedBefore() {
        String key = newKey();
        MasterKeys keys = keys(key);
        Bytes before = keys.seal(key, DATA_KEY, CONTEXT);
        client.rotateKeyOnDemand(request -> request.keyId(key));
        Bytes after = keys.seal(key, DATA_KEY, CONTEXT);
        assertThat(keys.open(key, before, CONTEXT)).isEqualTo(DATA_KEY);
        assertThat(keys.open(key, after, CONTEXT)).isEqualTo(DATA_KEY);
    }

    @Test
    void aliasThatMeansAnotherKeyOpensWhatTheFirstOneSealed() {
        String first = newKey();
        String alias = newAlias(first);
        MasterKeys keys = keys(alias);
        Bytes sealed = keys.seal(alias, DATA_KEY, CONTEXT);
        client.updateAlias(request -> request.aliasName(alias).targetKeyId(newKey()));
        assertThat(keys.open(alias, sealed, CONTEXT)).isEqualTo(DATA_KEY);
        Bytes next = keys.seal(alias, DATA_KEY, CONTEXT);
        client.disableKey(request -> request.keyId(first));
        assertThat(keys.open(alias, next, CONTEXT)).isEqualTo(DATA_KEY);
        assertRefused(() -> keys.open(alias, sealed, CONTEXT), "DisabledException");
    }

    @Test
    void aKeyThatIsMissingDisabledOrDoomedIsNamed() {
        assertRefused(() -> keys("alias/none").seal("alias/none", DATA_KEY, CONTEXT), "NotFoundException");
        String unknown = UUID.randomUUID().toString();
        assertRefused(() -> keys(unknown).seal(unknown, DATA_KEY, CONTEXT), "NotFoundException");
        String key = newKey();
        MasterKeys keys = keys(key);
        Bytes sealed = keys.seal(key, DATA_KEY, CONTEXT);
        client.disableKey(request -> request.keyId(key));
        assertRefused(() -> keys.seal(key, DATA_KEY, CONTEXT), "DisabledException");
        assertRefused(() -> keys.open(key, sealed, CONTEXT), "DisabledException");
        client.enableKey(request -> request.keyId(key));
        assertThat(keys.open(key, sealed, CONTEXT)).isEqualTo(DATA_KEY);
        client.scheduleKeyDeletion(request -> request.keyId(key).pendingWindowInDays(7));
        assertRefused(() -> keys.open(key, sealed, CONTEXT), "KMSInvalidStateException");
    }

    private KeyRing open(String current) {
        return KeyRing.open(tasks, objects, "s/", keys(current), true).orElseThrow();
    }

    private ObjectStore sealed(String current) {
        return new Seals(tasks, open(current)).objects(objects, "s/");
    }

    private static Bytes body(ObjectStore sealed, String key) {
        return sealed.get(key).orElseThrow().body();
    }

    /** After a rotation to another master key the first one may go; before, nothing opens without it. */
    @Test
    void aStoreMovesToAnotherMasterKey() {
        String first = newKey();
        String next = newKey();
        sealed(first).put("s/before", Bytes.utf8("before"), WriteCondition.ALWAYS);
        KeyRing ring = open(next);
        assertThat(ring.rotate()).isEqualTo(2);
        client.disableKey(request -> request.keyId(first));
        ObjectStore sealed = sealed(next);
        sealed.put("s/after", Bytes.utf8("after"), WriteCondition.ALWAYS);
        assertThat(body(sealed, "s/before")).isEqualTo(Bytes.utf8("before"));
        assertThat(body(sealed(first), "s/after")).isEqualTo(Bytes.utf8("after")); // opened by the key that sealed it
        client.disableKey(request -> request.keyId(next));
        assertRefused(() -> open(next), "DisabledException");
    }

    @Test
    void aNewStoreIsNotMadeWithoutItsKey() {
        assertRefused(() -> open("alias/none"), "NotFoundException");
        assertThat(objects.list("s/", "", 1).entries()).isEmpty();
    }
}
