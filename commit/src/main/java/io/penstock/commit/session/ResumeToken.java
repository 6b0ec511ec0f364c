package io.penstock.commit.session;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * The position of a scan, as text that fits into a URL: format 1, the tree (8 bytes, big-endian), the key of the last
 * record that was returned; in base64url without padding.
 */
public final class ResumeToken {
    private static final byte FORMAT = 1;
    private static final int HEAD = 1 + Long.BYTES;

    private ResumeToken() {}

    public static String encode(TreeId tree, Bytes key) {
        byte[] bytes = new byte[HEAD + key.length()];
        ByteBuffer.wrap(bytes).put(FORMAT).putLong(tree.value());
        key.copyTo(bytes, HEAD);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** @throws InvalidRequestException when the text is no token, or one of another tree */
    public static Bytes decode(TreeId tree, String token) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            ByteBuffer head = ByteBuffer.wrap(bytes);
            if (bytes.length > HEAD && head.get() == FORMAT && head.getLong() == tree.value()) {
                return Bytes.wrap(bytes, HEAD, bytes.length - HEAD);
            }
        } catch (IllegalArgumentException noBase64) {
            // Told below.
        }
        throw new InvalidRequestException(
                ErrorCode.INVALID_TOKEN,
                "this is no token of a scan of this collection or index; begin without one",
                "chars",
                token.length());
    }
}
