package io.penstock.commit.feed;

import io.penstock.commit.domain.Domains;
import io.penstock.commit.domain.LogReader.Place;
import io.penstock.commit.domain.LogReader.Read;
import io.penstock.commit.domain.Moment;
import io.penstock.commit.log.Frame;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A place in the commit log of a domain of a store, and its text. Immutable.
 *
 * @param store a hash of the store's prefix
 * @param time of the newest stamp up to the place
 * @param millis the time by which records have expired there, in milliseconds since 1970
 */
record FeedPosition(long store, String domain, Place place, long time, long millis) {
    private static final int KIND = 'C';

    /** The longest text that is looked at; those that are made are far shorter. */
    private static final int TEXT_MAX = 200;

    FeedPosition after(Read read) {
        return new FeedPosition(
                store, domain, read.after(), read.stamp().time(), read.stamp().millis());
    }

    /** @throws InvalidRequestException when the place is within a segment, which has no state of its own */
    Moment moment() {
        if (place.taken() > 0) {
            throw refusal("it is between transactions that were committed together", null);
        }
        return new Moment(domain, place.segment(), place.writeId(), time, millis);
    }

    /**
     * Encodes it as {@code u64 store | bytes(domain) | varint segment | u64 write id | varint taken | u64 time | u64
     * millis} after a frame.
     */
    Bytes encode() {
        return Frame.wrap(
                KIND,
                new WireWriter(64)
                        .u64(store)
                        .bytes(Bytes.utf8(domain))
                        .varint(place.segment())
                        .u64(place.writeId())
                        .varint(place.taken())
                        .u64(time)
                        .u64(millis)
                        .toBytes());
    }

    /** @throws CorruptDataException when these bytes are no position */
    static FeedPosition decode(Bytes bytes) {
        WireReader in = Frame.unwrap(KIND, bytes, "position");
        long store = in.u64();
        String domain = in.bytes().toUtf8();
        long segment = in.varint();
        long writeId = in.u64();
        long taken = in.varint();
        long time = in.u64();
        long millis = in.u64();
        in.end();
        if (segment < 0 || segment == Long.MAX_VALUE || taken < 0 || taken > Integer.MAX_VALUE) {
            throw in.corrupt("its numbers are impossible");
        }
        return new FeedPosition(store, domain, new Place(segment, writeId, (int) taken), time, millis);
    }

    String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(encode().toArray());
    }

    /** @throws InvalidRequestException when the text is no position */
    static FeedPosition parse(String text) {
        if (Bounds.requirePresent("position", text).length() > TEXT_MAX) {
            throw refusal("it is longer than any", null);
        }
        try {
            FeedPosition found = decode(Bytes.wrap(Base64.getUrlDecoder().decode(text)));
            var unused = Domains.requireName(found.domain);
            return found;
        } catch (CorruptDataException | IllegalArgumentException damaged) {
            throw refusal("it was cut or changed, or another penstock made it", damaged);
        }
    }

    static InvalidRequestException refusal(String why, @Nullable Throwable cause) {
        String message = "the position cannot be used; take a new one, and scan";
        return cause == null
                ? new InvalidRequestException(ErrorCode.INVALID_TOKEN, message, "why", why)
                : new InvalidRequestException(ErrorCode.INVALID_TOKEN, message, cause, "why", why);
    }
}
