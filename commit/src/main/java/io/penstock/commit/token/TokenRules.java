package io.penstock.commit.token;

import io.penstock.core.Bytes;
import java.time.Duration;
import java.util.List;

/**
 * The rules by which a client makes and accepts session tokens. Immutable.
 *
 * @param keys the first signs; each is accepted. None: tokens are not signed
 * @param carrying whether the session's newest writes may travel in a token; only in a signed one
 * @param within the longest wait for what a session has committed elsewhere
 * @param readStale whether a session begins with less than its token promises when that was too short; otherwise it is
 *     refused
 * @param anew whether a token that cannot be used begins a new session; otherwise it is refused
 */
public record TokenRules(List<Bytes> keys, boolean carrying, Duration within, boolean readStale, boolean anew) {
    public static final TokenRules DEFAULT = new TokenRules(List.of(), true, Duration.ofSeconds(10), false, false);

    public TokenRules {
        keys = List.copyOf(keys);
    }

    /** Whether log records may be put into tokens: never where a user could put others there. */
    boolean carries() {
        return carrying && !keys.isEmpty();
    }
}
