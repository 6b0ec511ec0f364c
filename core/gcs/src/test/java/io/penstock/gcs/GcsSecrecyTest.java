package io.penstock.gcs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.auth.oauth2.AccessToken;
import com.google.auth.oauth2.OAuth2Credentials;
import io.penstock.core.Bytes;
import io.penstock.core.StoreException;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.HttpFace;
import io.penstock.testing.HttpFace.Reply;
import io.penstock.testing.TalkativeProgram;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets and payloads are in no log at any level, whatever the server answers. */
class GcsSecrecyTest {
    private static final String PAYLOAD = "PlantedPayloadText";
    private static final String SECRET = "PlantedAccessToken";

    @Test
    void nothingSecretIsLoggedAtAnyLevel(@TempDir Path directory) throws IOException {
        for (Reply reply : List.of(
                new Reply(200, Map.of("Content-Type", "application/json"), "{\"kind\":\"storage#objects\"}"),
                new Reply(403, Map.of(), ""),
                new Reply(500, Map.of(), ""),
                Reply.LOST)) {
            try (HttpFace server = new HttpFace(reply)) {
                String written = TalkativeProgram.run(
                        Program.class, directory, server.address().toString());
                assertThat(written).contains("program done").contains("com.google");
                for (String planted : List.of(PAYLOAD, SECRET)) {
                    byte[] bytes = planted.getBytes(StandardCharsets.UTF_8);
                    assertThat(written.contains(planted)).as(planted).isFalse();
                    assertThat(written).doesNotContain(HexFormat.of().formatHex(bytes));
                }
            }
        }
    }

    /** Calls a server by all means. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (GcsObjectStore store = GcsObjectStore.open(GcsSettings.bucket("bucket")
                    .endpoint(URI.create(arguments[0]))
                    .credentials(OAuth2Credentials.create(new AccessToken(SECRET, new Date(Long.MAX_VALUE)))))) {
                for (Runnable call : List.<Runnable>of(
                        () -> store.put("a", Bytes.utf8(PAYLOAD), WriteCondition.ALWAYS),
                        () -> store.put("a", Bytes.utf8(PAYLOAD), WriteCondition.IF_ABSENT),
                        () -> store.get("a"),
                        () -> store.delete("a"))) {
                    tell(call);
                }
            } catch (StoreException refused) {
                refused.printStackTrace();
            }
            System.out.println("program done");
        }

        private static void tell(Runnable call) {
            try {
                call.run();
            } catch (StoreException told) {
                told.printStackTrace();
            }
        }
    }
}
