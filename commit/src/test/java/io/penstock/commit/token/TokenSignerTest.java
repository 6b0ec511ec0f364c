package io.penstock.commit.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.checkpoint.Ledger;
import io.penstock.commit.log.Frame;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.RecordChange;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text of a session token: what is taken, and the one line with which everything else is refused. */
class TokenSignerTest {
    private static final ClientId CLIENT = new ClientId(7);
    private static final Bytes KEY = Bytes.utf8("0123456789abcdef");
    private static final Bytes OTHER = Bytes.utf8("fedcba9876543210");
    private static final TokenSigner SIGNING = new TokenSigner(List.of(KEY));
    private static final TokenSigner PLAIN = new TokenSigner(List.of());
    private static final SessionToken TOKEN = TokenProbe.example(CLIENT, List.of());

    private static void refused(TokenSigner seal, String text, String why) {
        assertThatThrownBy(() -> seal.open(text))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("the session token cannot be used; begin a new session why=")
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }

    @Test
    void whatWasSealedOpens() {
        assertThat(SIGNING.open(SIGNING.seal(TOKEN.encode()))).isEqualTo(TOKEN);
        assertThat(PLAIN.open(PLAIN.seal(TOKEN.encode()))).isEqualTo(TOKEN);
        assertThat(new TokenSigner(List.of(OTHER, KEY)).open(SIGNING.seal(TOKEN.encode())))
                .isEqualTo(TOKEN);
        Bytes largest = Bytes.wrap(new byte[TokenSigner.BYTES_MAX]);
        assertThat(SIGNING.seal(largest)).hasSizeLessThanOrEqualTo(TokenSigner.TEXT_MAX);
    }

    @Test
    void otherKeysAndNoKeysAreToldApart() {
        refused(SIGNING, PLAIN.seal(TOKEN.encode()), "it is not signed");
        refused(PLAIN, SIGNING.seal(TOKEN.encode()), "it is signed, and no key is set");
        refused(new TokenSigner(List.of(OTHER)), SIGNING.seal(TOKEN.encode()), "signed with another key, or forged");
    }

    @Test
    void logRecordsCountOnlyIfTheyAreSigned() {
        LogRecord record =
                new LogRecord(new TreeId(9), new RecordChange.Delete(Bytes.utf8("k"), Stamp.of(1, 0, CLIENT)));
        String forged = PLAIN.seal(TokenProbe.example(CLIENT, List.of(record)).encode());
        refused(PLAIN, forged, "it has log records and is not signed");
    }

    @Test
    void everyChangedOrMissingByteIsFound() {
        for (TokenSigner seal : List.of(SIGNING, PLAIN)) {
            byte[] whole = Base64.getUrlDecoder().decode(seal.seal(TOKEN.encode()));
            for (int i = 0; i < whole.length; i++) {
                byte[] changed = whole.clone();
                changed[i] ^= 0x10;
                refused(seal, text(changed), "");
                refused(seal, text(java.util.Arrays.copyOf(whole, i)), "");
            }
        }
    }

    /** Somebody who knows the format makes its checksums right. */
    @Test
    void aTokenThatIsMadeAnewIsNoSignedOne() {
        Bytes whole = Bytes.wrap(Base64.getUrlDecoder().decode(SIGNING.seal(TOKEN.encode())));
        byte[] rest = whole.slice(Frame.HEADER_BYTES, whole.length()).toArray();
        rest[rest.length - 1] ^= 1;
        refused(SIGNING, text(Frame.wrap('S', Bytes.wrap(rest)).toArray()), "forged");
        refused(SIGNING, text(Frame.wrap('S', Bytes.wrap(new byte[9])).toArray()), "cut");
    }

    @Test
    void textThatIsNoToken() {
        for (String text : List.of("", "x", "=", "no token!", "a b", "ä", "AAAA", "A".repeat(5000))) {
            refused(PLAIN, text, "");
            refused(SIGNING, text, "");
        }
        refused(PLAIN, text(otherFormat('T')), "another penstock made it");
        refused(SIGNING, text(otherFormat('S')), "another penstock made it");
    }

    private static byte[] otherFormat(char kind) {
        byte[] token = Frame.wrap(kind, Bytes.EMPTY).toArray();
        token[2] = 9;
        return token;
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Test
    void placesThatFollowEachOtherAreJoined() {
        PuQueueId queue = PuQueueId.partition(new TreeId(1), 0);
        PuQueueId other = PuQueueId.partition(new TreeId(1), 1);
        assertThat(SessionToken.merged(List.of(
                        new Position(queue, CLIENT, 4, 6),
                        new Position(other, CLIENT, 7, 7),
                        new Position(queue, CLIENT, 1, 3),
                        new Position(queue, CLIENT, 2, 5),
                        new Position(queue, CLIENT, 8, 9),
                        new Position(queue, new ClientId(8), 10, 10))))
                .containsExactly(
                        new Position(queue, CLIENT, 1, 6),
                        new Position(queue, CLIENT, 8, 9),
                        new Position(queue, new ClientId(8), 10, 10),
                        new Position(other, CLIENT, 7, 7));
        assertThat(CatchUp.remaining(List.of(new Position(queue, CLIENT, 1, 1)), any -> Ledger.EMPTY))
                .hasSize(1);
    }
}
