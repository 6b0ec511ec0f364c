package io.penstock.commit.session;

import io.penstock.commit.client.StampObserver;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Moment;
import io.penstock.commit.domain.Pin;
import io.penstock.commit.domain.ReadSet;
import io.penstock.commit.domain.TailView;
import io.penstock.commit.index.AddedIndex;
import io.penstock.commit.log.RecentChanges;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a domain that a transaction reads: that at one position of its commit log. Pages may show what was
 * committed later. Then the snapshot moves to the log's end, if nothing that was read so far has changed since. For one
 * thread.
 */
public final class Snapshot implements RecentChanges, StampObserver, ExpiryTime, AutoCloseable {
    /** The time after which a state is no longer read: tombstones and expired records stay for an hour. */
    private static final Duration AGE_MAX = Duration.ofMinutes(50);

    private final Domain domain;
    private final Duration staleness;
    private final boolean pinned;
    private final Duration held;
    private final boolean validated;
    private final @Nullable Moment at;
    private final LongSupplier nowMillis;
    private final ReadSet reads = new ReadSet();

    /** The collections that are used before anything was read. */
    private final Set<TreeId> entered = new HashSet<>();

    /** Trees that checkpoints derive from others, with these. */
    private final Map<TreeId, TreeId> derived = new HashMap<>();

    /** The times at which collections came into the domain, by tree: all that the log has of before is on pages. */
    private final Map<TreeId, Long> joined = new HashMap<>();

    /** The pin of the position; null before the first read. */
    private @Nullable Pin pin;

    /** Whether pages have all of the state that is read, and the tail nothing of it any more. */
    private boolean onPages;

    /** The time by which records have expired at the position of the first read, in milliseconds since 1970. */
    private long begunMillis;

    /** A page shows something that is newer than the snapshot. */
    static final class Moved extends RuntimeException {
        private static final long serialVersionUID = 1;

        Moved() {
            super("a page is newer than the snapshot", null, false, false);
        }
    }

    /**
     * @param staleness of the state that the first read sees, at most
     * @param pinned whether the tail keeps what it needs, until it is closed; otherwise it moves on by itself as long
     *     as nothing that was read has changed
     * @param held the time for which checkpoints are asked not to go beyond it; the domain has the last word
     * @param validated whether its reads count only if they hold at the end, too
     * @param at the one state that may be read; null: the newest
     * @param nowMillis the wall clock, in milliseconds since 1970
     */
    public Snapshot(
            Domain domain,
            Duration staleness,
            boolean pinned,
            Duration held,
            boolean validated,
            @Nullable Moment at,
            LongSupplier nowMillis) {
        this.domain = domain;
        this.staleness = staleness;
        this.pinned = pinned;
        this.held = held;
        this.validated = validated;
        this.at = at;
        this.nowMillis = nowMillis;
    }

    public Domain domain() {
        return domain;
    }

    /** The reads so far. */
    public ReadSet reads() {
        return reads;
    }

    /** Definitions of collections that were read before are too old. */
    public long definitionsSinceNanos() {
        return view().definitionsSinceNanos();
    }

    /** Pages of a tree that were checked before are too old for a reader that has looked into the tail already. */
    long pagesSinceNanos(TreeId tree) {
        long own = domain.tail().pagesSinceNanos(tree);
        TreeId source = derived.get(tree);
        long since = source == null ? own : domain.tail().pagesSinceNanos(source);
        return since - own > 0 ? since : own;
    }

    /** Notes that checkpoints change a tree when they apply another one: no log record shows it. */
    void derives(TreeId tree, TreeId source) {
        derived.put(tree, source);
    }

    /** The position in the log. The first call decides it. */
    public long position() {
        return view().position();
    }

    private TailView view() {
        return pin().view();
    }

    private Pin pin() {
        Pin known = pin;
        if (known == null) {
            known = at == null ? newest() : pinned(at);
            if (held.isPositive()) {
                domain.hold(at == null ? known.position() : at.position(), held);
            }
        }
        return known;
    }

    private Pin newest() {
        domain.refresh(staleness);
        // The state may be older, and a record renewed since then: it has not expired.
        begunMillis = nowMillis.getAsLong() - (validated ? 0 : domain.age().toMillis());
        Pin newest = domain.pin(pinned);
        pin = newest;
        return newest;
    }

    private Pin pinned(Moment state) {
        close();
        begunMillis = state.millis();
        Pin next = domain.pin(state);
        pin = next;
        onPages = next.view().isTooOld();
        return next;
    }

    private InvalidRequestException gone(Moment state) {
        return new InvalidRequestException(
                ErrorCode.POSITION_TOO_OLD,
                "the state at this position is not on pages any more, since others have written; take a new position",
                "domain",
                domain.name(),
                "position",
                state.position());
    }

    /** Begins the snapshot; called before each read. */
    void begin() {
        if (at != null && nowMillis.getAsLong() - at.millis() > AGE_MAX.toMillis()) {
            throw gone(at);
        }
        if (pin == null) {
            var unused = view();
        } else if (!pinned && domain.horizon() > position()) { // the tail will drop what comes next
            var unused = pin.extend(reads); // if not, it stays where it is for as long as it can
        }
    }

    /** Notes that a collection is used: all that is read from now on depends on its fences, writes of the empty key. */
    public void enter(TreeId collection) {
        if (reads.isEmpty()) {
            entered.add(collection);
        } else {
            reads.add(collection, Bytes.EMPTY);
        }
    }

    /** Notes when the collection of some trees came into the domain, by the stamp of the fence of its move. */
    public void joined(Stream<TreeId> trees, long time) {
        trees.forEach(tree -> joined.put(tree, time));
    }

    /** Whether a change was made before its collection was outside of the domain, where others have come since. */
    private boolean isOfBefore(TreeId tree, RecordChange change) {
        Long since = joined.isEmpty() ? null : joined.get(tree);
        return since != null && Long.compareUnsigned(change.stamp().time(), since) <= 0;
    }

    /** An answer by a definition depends on the fences of its collection, before anything else is read. */
    void readFences(TreeId collection) {
        read(collection, Bytes.EMPTY);
    }

    private void beginReads() {
        entered.forEach(collection -> reads.add(collection, Bytes.EMPTY));
        entered.clear();
    }

    void read(TreeId tree, Bytes key) {
        beginReads();
        reads.add(tree, key);
    }

    void read(TreeId tree, KeyRange range) {
        beginReads();
        reads.add(tree, range);
    }

    /** An answer by an index depends on every record whose writer does not know the index, whatever its key. */
    void readUnindexed(AddedIndex index) {
        read(index.pending(), KeyRange.all());
        reads.addWritesBefore(index.collection(), index.epoch());
    }

    /** The time of the newest stamp of the state. */
    private long newestTime() {
        return at == null ? view().newest().time() : at.time();
    }

    /** Moves on if this is older than a time of the log: what pages show then counts from that time on only. */
    public void reach(long time) {
        if (newestTime() < time) {
            moveOn();
        }
    }

    /** Moves on, since a page is newer than this snapshot. */
    void moveOn() {
        if (at != null) {
            throw gone(at);
        }
        long before = position();
        moveToEnd();
        if (position() == before) {
            throw new UnavailableException(
                    "a page has a change that the commit log does not; if the collection has just joined its domain,"
                            + " retry later, otherwise run verify",
                    "domain",
                    domain.name(),
                    "position",
                    before);
        }
    }

    /**
     * Moves to the end of the log as it is now.
     *
     * @throws ConflictException when something that was read has changed since
     */
    void moveToEnd() {
        Pin known = pin();
        domain.refresh();
        if (!known.extend(reads)) {
            throw domain.refusal(reads, known.position());
        }
    }

    /** Goes on at the end of the log after a failed read, unless something was read before. */
    void beginAgain(ConflictException failure) {
        if (at != null && !onPages && view().isTooOld()) {
            var unused = pinned(at); // the tail was cut
            return;
        }
        if (!reads.isEmpty()) {
            throw failure;
        }
        moveToEnd();
    }

    /**
     * Makes sure that what was read was also true when this is called; after {@link #close} too.
     *
     * @throws ConflictException when it has changed since
     */
    public void confirm() {
        if (!reads.isEmpty()) {
            domain.refresh();
            domain.requireUnchanged(reads, view());
        }
    }

    /** Lets go of the state. */
    @Override
    public void close() {
        if (pin != null) {
            pin.close();
        }
    }

    /**
     * The time by which records have expired in the state at the position: no commit up to there has taken a record for
     * expired that counts as alive by it.
     */
    @Override
    public long asOfMillis(WriteSet writes) {
        long asOf = at == null ? Math.max(begunMillis, view().newest().millis()) : at.millis();
        reads.asOf(asOf);
        return asOf;
    }

    @Override
    public void sawAlive(TreeId tree, long expiryMillis) {
        reads.addAlive(tree, expiryMillis);
    }

    @Override
    public boolean observe(long time) {
        if (time > newestTime()) {
            throw new Moved();
        }
        return true;
    }

    @Override
    public @Nullable RecordChange find(TreeId tree, Bytes key) {
        RecordChange found = onPages ? null : view().find(tree, key);
        return found == null || isOfBefore(tree, found) ? null : found;
    }

    /** A change in the tail is the newest up to the position; a page may show a newer one only. */
    @Override
    public boolean isAhead() {
        return true;
    }

    @Override
    public Iterator<RecordChange> iterate(TreeId tree, KeyRange range, Direction direction) {
        Iterator<RecordChange> found = onPages ? Collections.emptyIterator() : view().iterate(tree, range, direction);
        if (!joined.containsKey(tree)) {
            return found;
        }
        List<RecordChange> since = new ArrayList<>();
        found.forEachRemaining(change -> {
            if (!isOfBefore(tree, change)) {
                since.add(change);
            }
        });
        return since.iterator();
    }

    @Override
    public List<Bytes> writtenBefore(TreeId tree, long epoch) {
        return onPages ? List.of() : view().writtenBefore(tree, epoch);
    }
}
