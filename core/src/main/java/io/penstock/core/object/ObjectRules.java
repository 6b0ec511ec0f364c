package io.penstock.core.object;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The limits of S3 on calls, checked in the same way by every implementation, so that none of them is laxer than the
 * servers. Every method throws {@link InvalidRequestException} when a rule is broken. Safe for use by many threads.
 */
public final class ObjectRules {
    public static final int KEY_BYTES_MAX = 1024;

    /** The largest body that is read whole: the largest page, and some room for its outer header. */
    public static final int WHOLE_BYTES_MAX = (32 << 20) + (64 << 10);

    private ObjectRules() {}

    /** The bytes of a key, 1 to {@link #KEY_BYTES_MAX}. */
    public static byte[] keyBytes(String key) {
        byte[] bytes = utf8(key);
        if (bytes.length == 0 || bytes.length > KEY_BYTES_MAX) {
            throw new InvalidRequestException(
                    "an object key must have 1 to 1024 bytes of UTF-8; choose another", "bytes", bytes.length);
        }
        return bytes;
    }

    /** The UTF-8 bytes of a text; refuses half of a surrogate pair, which has none. */
    public static byte[] utf8(String text) {
        if (!hasSurrogates(text)) {
            return text.getBytes(StandardCharsets.UTF_8); // far cheaper than an encoder, and each call checks a key
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new InvalidRequestException("an object key must be valid Unicode; correct the key", e);
        }
    }

    private static boolean hasSurrogates(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /**
     * The length of a body that is to be read whole, before any room for it is made.
     *
     * @throws CorruptDataException when it is beyond {@link #WHOLE_BYTES_MAX}: whatever it is, no object of ours
     */
    public static int wholeBytes(long said, String object) {
        if (said < 0 || said > WHOLE_BYTES_MAX) {
            throw new CorruptDataException(
                    "an object is larger than any that is read whole; look at it, and remove or restore it",
                    "object",
                    object,
                    "bytes",
                    said);
        }
        return (int) said;
    }

    public static void checkKey(String key) {
        keyBytes(key);
    }

    /** A range that begins at 0 or later and has no negative length. */
    public static void checkRange(long offset, int length) {
        if (offset < 0 || length < 0) {
            throw new InvalidRequestException(
                    "a range must begin at 0 or later, with a length of 0 or more; correct it",
                    "offset",
                    offset,
                    "length",
                    length);
        }
    }

    /** The arguments of an upload. The server checks that all parts except the last are long enough. */
    public static void checkUpload(String key, int partBytes) {
        checkKey(key);
        if (partBytes < 1) {
            throw new InvalidRequestException(
                    "a part of an upload must have at least one byte; choose a larger part size",
                    "partBytes",
                    partBytes);
        }
    }

    /** The arguments of one part of an upload. */
    public static void checkPart(int number, Bytes part, int partBytes) {
        if (number < 1 || number > ObjectUpload.PARTS_MAX || part.isEmpty() || part.length() > partBytes) {
            throw new InvalidRequestException(
                    "an upload must have parts 1 to 10000, not empty and no longer than announced; correct the part",
                    "part",
                    number,
                    "bytes",
                    part.length(),
                    "partBytes",
                    partBytes);
        }
    }

    /** The arguments of a listing. */
    public static void checkList(String prefix, String startAfter, int limit) {
        utf8(prefix);
        utf8(startAfter);
        if (limit < 1) {
            throw new InvalidRequestException("a listing needs a limit of at least 1; raise it", "limit", limit);
        }
    }
}
