package io.penstock.commit.token;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.Position;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.TreeId;
import java.util.List;
import java.util.TreeMap;

/** A session token, for tests of its format elsewhere. */
public final class TokenProbe {
    private static final Bytes KEY = Bytes.utf8("0123456789abcdef");

    private TokenProbe() {}

    static SessionToken example(ClientId client, List<LogRecord> records) {
        PuQueueId queue = PuQueueId.partition(new TreeId(0x1122334455667788L), 0);
        return new SessionToken(
                0x5707eL,
                1_700_000_000_003L << 16,
                new SessionToken.Origin(0x0123456789abcdefL, -5),
                new TreeMap<>(java.util.Map.of("shop", 300L)),
                List.of(
                        new Position(queue, client, 41, 43),
                        new Position(queue, client, 300, 300),
                        new Position(PuQueueId.ofTree(new TreeId(9)), client, 1, 1)),
                records);
    }

    /** The text of a token that is signed. */
    public static String signed(ClientId client, List<LogRecord> records) {
        return new TokenSigner(List.of(KEY)).seal(example(client, records).encode());
    }

    /** The text of one that is not. */
    public static String unsigned(ClientId client) {
        return new TokenSigner(List.of()).seal(example(client, List.of()).encode());
    }

    /** Whether that is the text. */
    public static boolean isSigned(String text, ClientId client, List<LogRecord> records) {
        return new TokenSigner(List.of(KEY)).open(text).equals(example(client, records));
    }

    public static boolean isUnsigned(String text, ClientId client) {
        return new TokenSigner(List.of()).open(text).equals(example(client, List.of()));
    }

    /** The same token without a signature, which also names a queue of a tree that there is not. */
    public static String forged(String unsigned) {
        TokenSigner seal = new TokenSigner(List.of());
        SessionToken token = seal.open(unsigned);
        PuQueueId queue = PuQueueId.partition(new TreeId(0x666), 0xbad);
        return seal.seal(new SessionToken(
                        token.store(),
                        token.time(),
                        token.origin(),
                        token.domains(),
                        List.of(new Position(queue, new ClientId(1), 1, 1)),
                        List.of())
                .encode());
    }

    /** What a token decodes to, for fuzzing. */
    public static Object decode(Bytes bytes) {
        return SessionToken.decode(bytes);
    }

    public static Bytes encoded(ClientId client, List<LogRecord> records) {
        return example(client, records).encode();
    }
}
