package io.penstock.core.remote;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectVersion;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the parts of answers that all object stores share: bodies, versions, times, listings. */
public final class ObjectAnswers {
    private ObjectAnswers() {}

    /**
     * The body of an answer, in an array of its exact size.
     *
     * @param announced the length that the server announced; null when the transfer tells the end
     */
    public static Bytes body(String key, @Nullable Long announced, InputStream body) throws IOException {
        return Bytes.wrap(
                announced == null ? upToTheBound(key, body) : exactly(ObjectRules.wholeBytes(announced, key), body));
    }

    private static byte[] upToTheBound(String key, InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(ObjectRules.WHOLE_BYTES_MAX + 1);
        ObjectRules.wholeBytes(bytes.length, key);
        return bytes;
    }

    private static byte[] exactly(int length, InputStream body) throws IOException {
        byte[] bytes = new byte[length];
        int read = body.readNBytes(bytes, 0, bytes.length);
        if (read < bytes.length) {
            throw new EOFException("the body ended early");
        }
        return bytes;
    }

    /**
     * Refuses an answer whose head was cut: it does not say where its body ends, and the JDK's connections take that
     * for the end of both.
     *
     * @param announced the length that the server announced; null when it did not
     * @param transfer the encoding that tells the end otherwise; null when there is none
     */
    public static void requireEnd(@Nullable Long announced, @Nullable String transfer) throws EOFException {
        if (announced == null && transfer == null) {
            throw new EOFException("the head of the answer ended early");
        }
    }

    /** The time of a header such as {@code Date}, in milliseconds since 1970; empty when the server does not say. */
    public static OptionalLong millis(@Nullable String date) {
        try {
            return OptionalLong.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date == null ? "" : date))
                    .toEpochMilli());
        } catch (DateTimeException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * The store's time of a read, which a commit log goes by.
     *
     * @param server the word for it in messages
     * @param date of the answer
     * @param context the key and its value that the message names
     * @throws UnavailableException when the server does not say
     */
    public static long timeOfRead(String server, OptionalLong date, Object... context) {
        return date.orElseThrow(() -> new UnavailableException(
                ErrorCode.UNSUPPORTED_SERVER,
                server + " read was answered without a date, which a commit log needs; use a server that sends one",
                context));
    }

    /**
     * The store's time of a write, which clocks are checked against; otherwise as {@link #timeOfRead}.
     *
     * @throws OutcomeUnknownException when the server does not say
     */
    public static long timeOfPut(String server, OptionalLong date, Object... context) {
        return date.orElseThrow(() -> new OutcomeUnknownException(
                server + " put was answered without a date, which clocks are checked against; use a server that sends"
                        + " one",
                context));
    }

    /** A part of an answer; an answer without it was cut, or is of something between, or of another server. */
    public static <T> T told(@Nullable T part) {
        if (part == null) {
            throw new UncheckedIOException(new EOFException("an answer without all its parts"));
        }
        return part;
    }

    /** The version of an ETag, which is quoted in headers, and in some listings. A version never is. */
    public static ObjectVersion version(@Nullable String eTag) {
        String told = told(eTag);
        String strong = told.startsWith("W/") ? told.substring(2) : told;
        boolean quoted = strong.length() >= 2 && strong.startsWith("\"") && strong.endsWith("\"");
        return new ObjectVersion(quoted ? strong.substring(1, strong.length() - 1) : strong);
    }

    /** The ETag of a version, as conditions have it. */
    public static String eTag(ObjectVersion version) {
        return '"' + version.tag() + '"';
    }

    /**
     * Refuses entries out of order: the next page would begin at the wrong place, and objects would be missed silently.
     */
    public static void requireOrder(String bucket, String startAfter, List<Listing.Entry> entries) {
        Bytes last = Bytes.utf8(startAfter);
        for (Listing.Entry entry : entries) {
            Bytes key = Bytes.utf8(entry.key());
            if (key.compareTo(last) <= 0) {
                throw new InvalidRequestException(
                        ErrorCode.UNSUPPORTED_SERVER,
                        "the server does not list keys in the order of their bytes; use another server",
                        "bucket",
                        bucket);
            }
            last = key;
        }
    }
}
