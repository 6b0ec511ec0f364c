package io.penstock.commit.domain;

import io.penstock.commit.domain.Domain.Committed;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Timekeeper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The segments after the horizon that this client keeps in memory, by tree and key, with versions by position. Safe for
 * many threads.
 */
public final class Tail {
    /** The approximate memory of a record's version besides its key and payload, in bytes. */
    private static final int VERSION_BYTES = 160;

    private final Timekeeper time;
    private final Limits limits;
    private final MemoryLock lock = new MemoryLock();
    private final ConcurrentHashMap<TreeId, ConcurrentNavigableMap<Bytes, Version>> trees = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private volatile State state;

    /** The trees of which something was dropped, and when pages that lack it were too old already. */
    private final Map<TreeId, Long> dropped = new ConcurrentHashMap<>();

    // Guarded by lock:
    private final TreeMap<Long, Kept> segments = new TreeMap<>();
    private final Map<TransactionId, Committed> places = new HashMap<>();
    private final TreeMap<Long, Integer> pins = new TreeMap<>();
    private final ArrayDeque<Sighting> sightings = new ArrayDeque<>();
    private volatile long horizon;

    /** A change of a key, and the one before it until that is dropped. */
    static final class Version {
        final long position;
        final LogRecord record;
        private volatile @Nullable Version older;

        Version(long position, LogRecord record, @Nullable Version older) {
            this.position = position;
            this.record = older == null ? record : record.inPlaceOf(older.record);
            this.older = older;
        }

        @Nullable
        Version older() {
            return older;
        }
    }

    /** A segment in memory. */
    record Kept(Segment segment, Tip tip, long modifiedMillis, long bytes) {}

    /**
     * A horizon, and a monotonic time after it was put: a page that is checked later shows all segments up to it. The
     * time at which this client learnt it will do.
     */
    private record Sighting(long position, long nanos) {}

    /**
     * The fields of the tail that change together.
     *
     * @param base all segments up to it are on pages, and not in memory
     * @param run counts how often the tail began anew
     * @param sinceNanos pages checked before it may lack segments up to the base
     */
    record State(boolean begun, Tip base, Tip tip, long run, long sinceNanos) {}

    Tail(Timekeeper time, Limits limits) {
        this.time = time;
        this.limits = limits;
        this.state = new State(false, Tip.NONE, Tip.NONE, 0, time.nanoTime());
    }

    /** The last position that this client knows. */
    public long tip() {
        return state.tip.position();
    }

    /** The newest stamp of any segment up to the tip. */
    public Stamp tipStamp() {
        return state.tip.stamp();
    }

    /** The changes up to a position, from the oldest that this client keeps. */
    public TailView at(long position) {
        return lock.with(() -> {
            State now = state;
            long seen = Math.min(position, now.tip.position());
            Kept kept = segments.get(seen);
            Stamp newest = kept == null ? now.base.stamp() : kept.tip.stamp();
            return new TailView(this, seen, newest, now.run, now.sinceNanos);
        });
    }

    /**
     * The time, as of {@link Timekeeper#nanoTime}, before which a page of a tree must not have been checked last: it
     * may lack what the tail has no more. Ask after a look into the tail: what was dropped since does not matter.
     */
    public long pagesSinceNanos(TreeId tree) {
        long since = state.sinceNanos;
        Long last = dropped.get(tree);
        return last == null || since - last > 0 ? since : last;
    }

    /** The first thing read that was written after a view, and not after a position. */
    Optional<Conflict> conflict(ReadSet reads, TailView view, long upTo) {
        // In a tail that began anew a segment may be missing, though none was dropped.
        return view.isTooOld() ? reads.tooOld() : conflict(reads, view.position(), upTo);
    }

    /**
     * The first thing read that was written after one position, and not after another, or has expired by the time of
     * what was written.
     */
    public Optional<Conflict> conflict(ReadSet reads, long after, long upTo) {
        List<Kept> since;
        lock.lock();
        try {
            if (after < state.base.position()) {
                return reads.tooOld();
            }
            since = after >= upTo
                    ? List.of()
                    : List.copyOf(segments.subMap(after, false, upTo, true).values());
        } finally {
            lock.unlock();
        }
        return since.stream()
                .flatMap(kept -> kept.segment.transactions().stream())
                .flatMap(transaction -> transaction.records().stream())
                .flatMap(record -> reads.conflict(record).stream())
                .findFirst()
                .or(() -> since.isEmpty()
                        ? Optional.empty()
                        : reads.expired(since.getLast().tip.stamp().millis()));
    }

    /** Returns the approximate memory that it takes, in bytes. */
    public long bytes() {
        return bytes.get();
    }

    State state() {
        return state;
    }

    /** The newest horizon that this client knows. */
    long horizon() {
        return horizon;
    }

    ConcurrentNavigableMap<Bytes, Version> changes(TreeId tree) {
        ConcurrentNavigableMap<Bytes, Version> found = trees.get(tree);
        return found == null ? new ConcurrentSkipListMap<>() : found;
    }

    /**
     * Begins anew at a horizon, unless the tip is beyond it.
     *
     * @param base the segment at the horizon
     */
    void begin(Tip base) {
        lock.run(() -> {
            if (!state.begun || base.position() > state.tip.position()) {
                // First the new run: a view that finds nothing looks at it afterwards.
                state = new State(true, base, base, state.run + 1, time.nanoTime());
                segments.clear();
                places.clear();
                trees.clear();
                dropped.clear();
                sightings.clear();
                bytes.set(0);
                horizon = Math.max(horizon, base.position());
            }
        });
    }

    /** Appends a segment, if it is the next; those known already are left out. */
    void append(Segment segment, long modifiedMillis) {
        lock.run(() -> {
            State now = state;
            if (segment.number() != now.tip.position() + 1) {
                return;
            }
            Tip tip = now.tip.after(segment, modifiedMillis);
            List<LogRecord> records = segment.records();
            long size = records.stream()
                    .mapToLong(record -> VERSION_BYTES + record.change().bytes())
                    .sum();
            segments.put(segment.number(), new Kept(segment, tip, modifiedMillis, size));
            bytes.addAndGet(size);
            for (LogRecord record : records) {
                trees.computeIfAbsent(record.tree(), t -> new ConcurrentSkipListMap<>())
                        .compute(record.change().key(), (key, newest) -> new Version(segment.number(), record, newest));
            }
            segment.transactions().forEach(one -> places.put(one.id(), new Committed(segment.number(), one.stamp())));
            // Behind a fence pages and definitions count that were read after it.
            long since = records.stream().anyMatch(Intent::isFence) ? time.nanoTime() : now.sinceNanos;
            state = new State(true, now.base, tip, now.run, since);
            saw(segment.horizon());
        });
    }

    /** Notes that the slot after {@code tip} was free at a time of the store's clock. */
    void free(Tip tip, long atMillis) {
        lock.run(() -> {
            State now = state;
            if (now.begun && now.tip.position() == tip.position()) {
                state = new State(true, now.base, now.tip.free(atMillis), now.run, now.sinceNanos);
            }
        });
    }

    /** Notes a horizon, and drops what pages must show by now. */
    void saw(long position) {
        lock.run(() -> {
            horizon = Math.max(horizon, position);
            if (sightings.isEmpty() || sightings.getLast().position < position) {
                sightings.add(new Sighting(position, time.nanoTime()));
            }
            drop();
        });
    }

    /** Drops what a horizon covers that was seen a while ago: pages that were checked since need not be again. */
    private void drop() {
        long overdue = time.nanoTime() - limits.keep().toNanos();
        long upTo = -1;
        while (!sightings.isEmpty() && sightings.getFirst().nanos - overdue <= 0) {
            upTo = sightings.getFirst().position;
            sightings.removeFirst();
        }
        boolean pinned = !pins.isEmpty() && pins.firstKey() < upTo && bytes.get() <= limits.tailBytes();
        if (pinned) {
            sightings.addFirst(new Sighting(upTo, overdue));
            upTo = pins.firstKey();
        }
        cut(upTo, overdue);
    }

    /** Drops at once what a horizon covers; pages checked before are too old then, and so are all views. */
    void force(long position) {
        lock.run(() -> {
            if (position > state.base.position()) {
                long now = time.nanoTime();
                cut(position, now);
                state = new State(true, state.base, state.tip, state.run + 1, now);
            }
        });
    }

    /** @param sinceNanos pages that were checked later show what is dropped */
    private void cut(long wanted, long sinceNanos) {
        State now = state;
        long upTo = Math.min(wanted, now.tip.position());
        if (upTo <= now.base.position()) {
            return;
        }
        Tip base = now.base;
        List<Kept> doomed = new ArrayList<>(segments.headMap(upTo, true).values());
        segments.headMap(upTo, true).clear();
        for (Kept kept : doomed) {
            bytes.addAndGet(-kept.bytes);
            base = kept.tip;
        }
        // First the new base: a view that finds nothing looks at it afterwards.
        state = new State(true, base, now.tip, now.run, now.sinceNanos);
        Map<TreeId, Set<Bytes>> keys = new HashMap<>();
        for (Kept kept : doomed) {
            kept.segment.transactions().forEach(one -> places.remove(one.id()));
            kept.segment
                    .records()
                    .forEach(record -> keys.computeIfAbsent(record.tree(), t -> new HashSet<>())
                            .add(record.change().key()));
        }
        // Before they go: a reader that does not find them looks at pages, and asks from when on these count.
        keys.keySet().forEach(tree -> dropped.put(tree, sinceNanos));
        keys.forEach((tree, ofTree) -> {
            ConcurrentNavigableMap<Bytes, Version> changes = changes(tree);
            ofTree.forEach(key -> changes.computeIfPresent(key, (k, newest) -> after(newest, upTo)));
        });
    }

    private static @Nullable Version after(Version newest, long upTo) {
        if (newest.position <= upTo) {
            return null;
        }
        Version last = newest;
        for (Version next = last.older; next != null && next.position > upTo; next = next.older) {
            last = next;
        }
        last.older = null;
        return newest;
    }

    /** The segments after one position up to another, as far as they are in memory. */
    List<Kept> kept(long after, long upTo) {
        return lock.with(() -> after >= upTo
                ? List.of()
                : List.copyOf(segments.subMap(after, false, upTo, true).values()));
    }

    /** The place of a transaction, if it is in a segment in memory. */
    Optional<Committed> place(TransactionId id) {
        return lock.with(() -> Optional.ofNullable(places.get(id)));
    }

    /** @param keeps whether segments after the tip are kept until the pin is closed */
    Pin pin(boolean keeps) {
        return lock.with(() -> {
            Pin pin = new Pin(this, at(tip()), keeps);
            if (keeps) {
                hold(pin.position());
            }
            return pin;
        });
    }

    /**
     * Pins a state, unless it is before all that this client keeps: then it keeps nothing, and its view is too old, but
     * pages checked from now on have all of it.
     *
     * @throws InvalidRequestException when the state is none of this log
     */
    Pin pin(Moment state) {
        return lock.with(() -> {
            long position = state.position();
            Kept kept = segments.get(position);
            Tip known = kept == null ? this.state.base : kept.tip;
            boolean other = position == known.position() && state.writeId() != known.writeId();
            if (position > tip() || other) {
                throw new InvalidRequestException(
                        ErrorCode.INVALID_TOKEN,
                        "the position is none of this log; take a new one",
                        "position",
                        position,
                        "tip",
                        tip());
            }
            boolean keeps = position >= this.state.base.position();
            if (keeps) {
                hold(position);
            }
            return new Pin(this, at(position), keeps);
        });
    }

    /** Moves a pin to a later position. */
    TailView move(TailView from, long position) {
        return lock.with(() -> {
            TailView next = at(position);
            hold(next.position());
            release(from.position());
            return next;
        });
    }

    private void hold(long position) {
        pins.merge(position, 1, Integer::sum);
    }

    void release(long position) {
        lock.run(() -> pins.computeIfPresent(position, (p, count) -> count == 1 ? null : count - 1));
    }
}
