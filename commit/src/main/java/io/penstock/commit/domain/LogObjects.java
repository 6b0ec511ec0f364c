package io.penstock.commit.domain;

import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.Answered;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The objects of one domain's log: its segments, and its horizon. Safe for many threads. */
final class LogObjects {
    private static final int NUMBER_DIGITS = 16;

    private final String domain;
    private final String folder;
    private final String horizonKey;
    private final ObjectStore objects;
    private final LongConsumer serverTime;

    /** @param serverTime told the store's clock whenever it answers */
    LogObjects(String domain, String prefix, ObjectStore objects, LongConsumer serverTime) {
        this.domain = domain;
        this.folder = prefix + "log/" + domain + "/";
        this.horizonKey = prefix + Domains.FOLDER + domain;
        this.objects = objects;
        this.serverTime = serverTime;
    }

    /**
     * What a slot of the log was found to hold.
     *
     * @param segment null when the slot is free
     * @param atMillis when, by the store's clock: that of its filling, or that of the answer
     */
    record Slot(long number, @Nullable Segment segment, long atMillis) {}

    /**
     * The horizon as it was read.
     *
     * @param version null when there is none yet
     * @param putMillis when it was put, by the store's clock
     * @param serverMillis when the store answered
     */
    record KnownHorizon(Horizon horizon, @Nullable ObjectVersion version, long putMillis, long serverMillis) {}

    String key(long number) {
        return folder + HexFormat.of().toHexDigits(number, NUMBER_DIGITS);
    }

    Slot look(long number) {
        String key = key(number);
        Answered answered = ask(key);
        Optional<StoredObject> found = answered.object();
        if (found.isEmpty()) {
            return new Slot(number, null, answered.serverMillis());
        }
        StoredObject object = found.get();
        Segment segment = Segment.decode(object.body(), key);
        if (segment.number() != number || !segment.domain().equals(domain)) {
            throw new CorruptDataException(
                    "a segment of a commit log lies where another belongs; restore the object", "object", key);
        }
        return new Slot(number, segment, object.modifiedMillis());
    }

    private Answered ask(String key) {
        Answered answered = objects.look(key);
        serverTime.accept(answered.serverMillis());
        return answered;
    }

    /**
     * Fills a free slot.
     *
     * @throws ConflictException when it is filled, or being filled
     * @throws OutcomeUnknownException when the answer was lost
     */
    Written put(Segment segment) {
        return objects.put(key(segment.number()), segment.encode(), WriteCondition.IF_ABSENT);
    }

    /** Removes segments, which nobody needs any more. */
    void delete(List<Long> numbers) {
        objects.deleteAll(numbers.stream().map(this::key).toList());
    }

    /** The oldest segments, by number, with the times of their filling: at most one page of a listing. */
    List<Slot> oldest() {
        return objects.list(folder, "", ObjectStores.LIST_LIMIT).entries().stream()
                .flatMap(entry -> slot(entry).stream())
                .toList();
    }

    private Optional<Slot> slot(Listing.Entry entry) {
        String digits = entry.key().substring(folder.length());
        return digits.matches("[0-9a-f]{16}")
                ? Optional.of(new Slot(HexFormat.fromHexDigitsToLong(digits), null, entry.modifiedMillis()))
                : Optional.empty();
    }

    KnownHorizon horizon() {
        Answered answered = ask(horizonKey);
        return answered.object()
                .map(object -> new KnownHorizon(
                        Horizon.decode(object.body(), domain, horizonKey),
                        object.version(),
                        object.modifiedMillis(),
                        answered.serverMillis()))
                .orElseGet(() -> new KnownHorizon(Horizon.none(domain), null, 0, answered.serverMillis()));
    }

    /** Puts the first horizon, if there is none: by it others find a domain that they do not use themselves. */
    void found() {
        KnownHorizon known = horizon();
        if (known.version() == null) {
            var unused = replace(known, known.horizon());
        }
    }

    /** Replaces the horizon that was read; empty when another client was first. */
    Optional<KnownHorizon> replace(KnownHorizon known, Horizon next) {
        ObjectVersion version = known.version();
        try {
            Written written = objects.put(
                    horizonKey,
                    next.encode(),
                    version == null ? WriteCondition.IF_ABSENT : WriteCondition.ifVersion(version));
            return Optional.of(
                    new KnownHorizon(next, written.version(), written.serverMillis(), written.serverMillis()));
        } catch (ConflictException | OutcomeUnknownException inDoubt) {
            // A conflict too: a client of the user's may have repeated the request.
            KnownHorizon there = horizon();
            return there.horizon().nonce() == next.nonce() ? Optional.of(there) : Optional.empty();
        }
    }

    String horizonKey() {
        return horizonKey;
    }
}
