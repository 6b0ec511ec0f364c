package io.penstock.commit.domain;

import io.penstock.commit.domain.Intent.HandedIn;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The objects of one domain's log: its segments, and its horizon. Safe for many threads. */
final class LogObjects {
    private static final int NUMBER_DIGITS = 16;

    /** The place in a listing after all transactions handed in and before all segments. */
    private static final String SEGMENTS = "/";

    private static final Listing NO_MORE = new Listing(List.of(), false);

    private final String domain;
    private final String folder;
    private final String horizonKey;
    private final ObjectStore objects;
    private final LongConsumer serverTime;
    private final Consumer<String> home;
    private volatile boolean known;

    /**
     * @param serverTime observes the store's clock in each answer
     * @param home makes sure that the log with a horizon of this key is that of the store
     */
    LogObjects(String domain, String prefix, ObjectStore objects, LongConsumer serverTime, Consumer<String> home) {
        this.domain = domain;
        this.folder = prefix + Domains.LOGS + domain + "/";
        this.horizonKey = prefix + Domains.FOLDER + domain;
        this.objects = objects;
        this.serverTime = serverTime;
        this.home = home;
    }

    /**
     * The content that a slot of the log was found to have.
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
    record KnownHorizon(Horizon horizon, @Nullable ObjectVersion version, long putMillis, long serverMillis) {
        /**
         * Returns the position up to which the log may be trimmed, as far as the next segment shows.
         *
         * @param through that it may be trimmed up to without it
         */
        long trimmable(Listed next, long through, Duration retention) {
            boolean old = serverMillis - next.atMillis > retention.toMillis();
            boolean applied = next.number < horizon.position();
            return applied && old && next.number > through ? next.number : through;
        }
    }

    /** A segment as a listing shows it. */
    record Listed(long number, long bytes, long atMillis) {}

    String key(long number) {
        return folder + HexFormat.of().toHexDigits(number, NUMBER_DIGITS);
    }

    Slot look(long number) {
        String key = key(number);
        TimedObject answered = ask(key);
        Optional<StoredObject> found = answered.object();
        if (found.isEmpty()) {
            return new Slot(number, null, answered.serverMillis());
        }
        StoredObject object = found.get();
        Segment segment = whole(key, () -> Segment.decode(object.body(), key));
        if (segment.number() != number || !segment.domain().equals(domain)) {
            throw new CorruptDataException(
                    ErrorCode.LOG_DAMAGED,
                    "a segment of a commit log lies where another belongs; restore the object",
                    "object",
                    key);
        }
        return new Slot(number, segment, object.modifiedMillis());
    }

    CorruptDataException missing(long number) {
        return new CorruptDataException(
                ErrorCode.LOG_DAMAGED,
                "a segment of a commit log is missing, though there are later ones; restore the object",
                "object",
                key(number));
    }

    private Horizon horizon(Bytes body) {
        LogHome.requireNone(body, horizonKey);
        return Horizon.decode(body, domain, horizonKey);
    }

    private static <T> T whole(String key, Supplier<T> decoding) {
        try {
            return decoding.get();
        } catch (CorruptDataException damaged) {
            throw new CorruptDataException(
                    ErrorCode.LOG_DAMAGED,
                    "an object of a commit log is damaged; restore it from a version of it or a copy of the bucket",
                    damaged,
                    "object",
                    key);
        }
    }

    private TimedObject ask(String key) {
        TimedObject answered = objects.getTimed(key);
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

    /** Removes segments that no client needs any more. */
    void delete(List<Long> numbers) {
        objects.deleteAll(numbers.stream().map(this::key).toList());
    }

    /** The oldest segments, by number, with the times of their filling: at most one page of a listing. */
    List<Listed> oldest() {
        return page(folder + SEGMENTS, ObjectStores.LIST_LIMIT).toList();
    }

    /** The object of a transaction that was handed in and is too large for a message. */
    private String handedInKey(TransactionId id) {
        return folder + Domains.HANDED_IN
                + HexFormat.of().toHexDigits(id.client().value()) + "-"
                + HexFormat.of().toHexDigits(id.nonce());
    }

    void putHandedIn(HandedIn one) {
        var unused = objects.put(
                handedInKey(one.intent().id()), HandedIn.encode(domain, List.of(one)), WriteCondition.ALWAYS);
    }

    /**
     * Reads the transaction that a reference names; empty when it is there no more, because the transaction has ended.
     */
    Optional<HandedIn> handedIn(HandedIn reference) {
        TransactionId id = reference.intent().id();
        return objects.get(handedInKey(id))
                .flatMap(object -> HandedIn.decode(object.body(), domain).stream()
                        .filter(one -> one.intent().id().equals(id) && !one.isReference())
                        .map(one -> reference.with(one.intent()))
                        .findFirst());
    }

    void deleteHandedIn(TransactionId id) {
        objects.deleteAll(List.of(handedInKey(id)));
    }

    /** Removes what clients that died have handed in before a time of the store's clock: at most a page of it. */
    void deleteHandedInBefore(long millis) {
        List<String> left = objects.list(folder + Domains.HANDED_IN, "", ObjectStores.LIST_LIMIT).entries().stream()
                .filter(entry -> entry.modifiedMillis() < millis)
                .map(Listing.Entry::key)
                .toList();
        if (!left.isEmpty()) {
            objects.deleteAll(left);
        }
    }

    /** All segments after a position, by number, one request at a time. */
    Iterator<Listed> list(long after) {
        return Stream.iterate(
                        objects.list(folder, after == 0 ? folder + SEGMENTS : key(after), ObjectStores.LIST_LIMIT),
                        page -> page != NO_MORE,
                        page -> page.more() && !page.entries().isEmpty()
                                ? objects.list(folder, page.entries().getLast().key(), ObjectStores.LIST_LIMIT)
                                : NO_MORE)
                .flatMap(page -> page.entries().stream())
                .flatMap(entry -> listed(entry).stream())
                .iterator();
    }

    /** Whether there is a segment after a position. */
    boolean hasAfter(long position) {
        return page(key(position), 1).findFirst().isPresent();
    }

    private Stream<Listed> page(String after, int limit) {
        return objects.list(folder, after, limit).entries().stream().flatMap(entry -> listed(entry).stream());
    }

    private Optional<Listed> listed(Listing.Entry entry) {
        String digits = entry.key().substring(folder.length());
        return digits.matches("[0-9a-f]{16}")
                ? Optional.of(new Listed(HexFormat.fromHexDigitsToLong(digits), entry.bytes(), entry.modifiedMillis()))
                : Optional.empty();
    }

    /** Reads the horizon, at which every client of the log begins. */
    KnownHorizon horizon() {
        if (!known) {
            home.accept(horizonKey);
            known = true;
        }
        TimedObject answered = ask(horizonKey);
        return answered.object()
                .map(object -> new KnownHorizon(
                        whole(horizonKey, () -> horizon(object.body())),
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
