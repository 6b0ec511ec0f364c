package io.penstock.commit.token;

import io.penstock.commit.log.Frame;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The outside of a session token: text that cookies and URLs take as it is, signed if there is a key. The signature is
 * an HMAC-SHA256 of the token's bytes before them, in a frame of its own. Pure.
 */
final class TokenSigner {
    /** The maximum length of a token, in characters: cookies have some 4,000 bytes for all. */
    static final int TEXT_MAX = 3000;

    private static final int KIND_SIGNED = 'S';
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SIGNATURE_BYTES = 32;

    /** The bytes that fit into the text, three for each four characters, besides frame and signature. */
    static final int BYTES_MAX = TEXT_MAX / 4 * 3 - Frame.HEADER_BYTES - SIGNATURE_BYTES;

    private final List<Bytes> keys;

    TokenSigner(List<Bytes> keys) {
        this.keys = keys;
    }

    String seal(Bytes token) {
        Bytes whole = keys.isEmpty()
                ? token
                : Frame.wrap(KIND_SIGNED, signature(keys.getFirst(), token).concat(token));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(whole.toArray());
    }

    /** @throws InvalidRequestException when the text is no token that was made with one of the keys */
    SessionToken open(String text) {
        try {
            Bytes whole = bytes(text);
            if (Frame.isOfOtherFormat(whole)) {
                throw refusal("it was changed, or another penstock made it: use that here too", null);
            }
            boolean signed = whole.length() > 1 && whole.at(1) == KIND_SIGNED;
            if (signed && keys.isEmpty()) {
                throw refusal("it is signed, and no key is set", null);
            }
            if (!signed && !keys.isEmpty() && whole.length() > 1) {
                var unused = SessionToken.decode(whole); // says what else may be wrong with it
                throw refusal("it is not signed", null);
            }
            SessionToken token = SessionToken.decode(signed ? verified(whole) : whole);
            if (!signed && !token.records().isEmpty()) {
                throw refusal("it has log records and is not signed", null);
            }
            return token;
        } catch (CorruptDataException | IllegalArgumentException damaged) {
            throw refusal("it was cut or changed", damaged);
        }
    }

    private static Bytes bytes(String text) {
        if (text.length() > TEXT_MAX) {
            throw refusal("it is longer than any", null);
        }
        return Bytes.wrap(Base64.getUrlDecoder().decode(text));
    }

    private Bytes verified(Bytes whole) {
        var unused = Frame.unwrap(KIND_SIGNED, whole, "session token");
        Bytes rest = whole.slice(Frame.HEADER_BYTES, whole.length());
        if (rest.length() < SIGNATURE_BYTES) {
            throw refusal("it was cut", null);
        }
        byte[] found = rest.slice(0, SIGNATURE_BYTES).toArray();
        Bytes token = rest.slice(SIGNATURE_BYTES, rest.length());
        boolean ours = false;
        for (Bytes key : keys) {
            // In a time that does not depend on where they differ.
            ours |= MessageDigest.isEqual(found, signature(key, token).toArray());
        }
        if (!ours) {
            throw refusal("it is signed with another key, or forged", null);
        }
        return token;
    }

    private static Bytes signature(Bytes key, Bytes token) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.toArray(), ALGORITHM));
            mac.update(token.array(), token.offset(), token.length());
            return Bytes.wrap(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    static InvalidRequestException refusal(String why, @Nullable Throwable cause) {
        String message = "the session token cannot be used; begin a new session";
        return cause == null
                ? new InvalidRequestException(ErrorCode.INVALID_TOKEN, message, "why", why)
                : new InvalidRequestException(ErrorCode.INVALID_TOKEN, message, cause, "why", why);
    }
}
