package io.penstock.commit.domain;

import io.penstock.commit.log.Frame;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The mark of a commit log that lies in another object store than its pages: two objects with one number, in both. So
 * clients that look for the log in different places find out, instead of beginning a second one. Safe for use by many
 * threads.
 */
public final class LogHome {
    private static final int KIND = 'L';

    private final ObjectStore pages;
    private final ObjectStore log;
    private final LongSupplier random;

    /** @param random draws the number of a new log */
    public LogHome(ObjectStore pages, ObjectStore log, LongSupplier random) {
        this.pages = pages;
        this.log = log;
        this.random = random;
    }

    /**
     * Makes sure that the log belongs to the pages.
     *
     * @param horizonKey of the log's horizon; in the pages' store the mark has this key
     * @param mayWrite whether a mark is made if there is none
     * @throws InvalidRequestException when it does not
     */
    public void require(String horizonKey, boolean mayWrite) {
        String homeKey = horizonKey + ".home";
        Optional<Long> there = number(log, homeKey);
        if (there.isEmpty() && mayWrite) {
            there = Optional.of(mark(log, homeKey, random.getAsLong()));
        }
        Optional<Long> here = number(pages, horizonKey);
        if (here.isEmpty() && mayWrite && there.isPresent()) {
            requireElsewhere(homeKey, there.get());
            here = Optional.of(mark(pages, horizonKey, there.get()));
        }
        if (!here.equals(there)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "this commit log is not that of the store; give every client the same Settings.commitLog",
                    "object",
                    horizonKey);
        }
    }

    /** Its horizon would have the key of the mark. */
    private void requireElsewhere(String homeKey, long number) {
        if (number(pages, homeKey).equals(Optional.of(number))) {
            log.delete(homeKey);
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "Settings.commitLog is the store's own object store; leave it out, or set it to another",
                    "object",
                    homeKey);
        }
    }

    /** Makes a mark, if there is none, and returns its number. */
    private static long mark(ObjectStore objects, String key, long number) {
        try {
            var unused = objects.put(key, encode(number), WriteCondition.IF_ABSENT);
        } catch (ConflictException | OutcomeUnknownException read) {
            // The first writer has decided.
        }
        return number(objects, key)
                .orElseThrow(() ->
                        new UnavailableException("the mark of a commit log could not be made; retry", "object", key));
    }

    private static Optional<Long> number(ObjectStore objects, String key) {
        return objects.get(key).map(StoredObject::body).map(body -> decode(body, key));
    }

    /** Encodes it as {@code u64 number} after a frame. */
    static Bytes encode(long number) {
        return Frame.wrap(KIND, new WireWriter(8).u64(number).toBytes());
    }

    static long decode(Bytes object, String key) {
        if (Horizon.isWhole(object)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "the commit log of this domain is in the store's own object store; leave out Settings.commitLog",
                    "object",
                    key);
        }
        WireReader in = Frame.unwrap(KIND, object, key);
        long number = in.u64();
        in.end();
        return number;
    }

    /**
     * Checks that an object is not such a mark. One turned bit makes a horizon look like one, so it must be whole.
     *
     * @throws InvalidRequestException when it is
     */
    public static void requireNone(Bytes object, String key) {
        if (isWhole(object)) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "the commit log of this domain is in another object store; set Settings.commitLog to it",
                    "object",
                    key);
        }
    }

    private static boolean isWhole(Bytes object) {
        try {
            var unused = decode(object, "mark");
            return true;
        } catch (CorruptDataException | InvalidRequestException other) {
            return false;
        }
    }
}
