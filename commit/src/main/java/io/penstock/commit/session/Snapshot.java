package io.penstock.commit.session;

import io.penstock.commit.client.StampObserver;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Pin;
import io.penstock.commit.domain.ReadSet;
import io.penstock.commit.domain.TailView;
import io.penstock.commit.log.RecentChanges;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of a domain that a transaction reads: that at one position of its commit log. Pages may show what was
 * committed later. Then the snapshot moves to the log's end, if nothing that was read so far has changed since. For one
 * thread.
 */
public final class Snapshot implements RecentChanges, StampObserver {
    /** The time for which checkpoints are asked to wait; the domain has the last word. */
    private static final Duration HOLD = Duration.ofSeconds(30);

    private final Domain domain;
    private final Duration staleness;
    private final boolean remembers;
    private final boolean held;
    private final ReadSet reads = new ReadSet();

    /** Keeps the tail from being dropped; null before the first read, and where each read is of a state of its own. */
    private @Nullable Pin pin;

    private @Nullable TailView view;

    /** A page shows something that is newer than the snapshot. */
    static final class Moved extends RuntimeException {
        private static final long serialVersionUID = 1;

        Moved() {
            super("a page is newer than the snapshot", null, false, false);
        }
    }

    /**
     * @param staleness of the state that the first read sees, at most
     * @param remembers whether all reads must be of one state; otherwise each is of one, and none of an older one than
     *     the read before it
     * @param held whether checkpoints are asked not to go beyond it for a while
     */
    public Snapshot(Domain domain, Duration staleness, boolean remembers, boolean held) {
        this.domain = domain;
        this.staleness = staleness;
        this.remembers = remembers;
        this.held = held;
    }

    public Domain domain() {
        return domain;
    }

    /** What was read so far. */
    public ReadSet reads() {
        return reads;
    }

    /** Definitions of collections that were read before are too old. */
    public long definitionsSinceNanos() {
        return view().definitionsSinceNanos();
    }

    /** Pages of a tree that were checked before are too old for who has looked into the tail already. */
    long pagesSinceNanos(TreeId tree) {
        return domain.tail().pagesSinceNanos(tree);
    }

    /** The position in the log. The first call decides it. */
    public long position() {
        return view().position();
    }

    private TailView view() {
        TailView seen = view;
        if (seen == null) {
            domain.refresh(staleness);
            seen = look();
        }
        return seen;
    }

    /** Looks at the tail as it is now. */
    private TailView look() {
        if (remembers) {
            pin = domain.pin();
            if (held) {
                domain.hold(pin.position(), HOLD);
            }
        }
        TailView seen = pin == null ? domain.tail().at(domain.tail().tip()) : pin.view();
        view = seen;
        return seen;
    }

    /** Called before each read. */
    void begin() {
        if (view == null) {
            var unused = view();
        } else if (!remembers) {
            var unused = look();
        }
    }

    void read(TreeId tree, Bytes key) {
        if (remembers) {
            reads.add(tree, key);
        }
    }

    void read(TreeId tree, KeyRange range) {
        if (remembers) {
            reads.add(tree, range);
        }
    }

    /** Moves on, since a page is newer than this snapshot. */
    void moveOn() {
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
    public void moveToEnd() {
        domain.refresh();
        Pin held = pin;
        if (held == null) {
            var unused = look();
        } else if (held.extend(reads)) {
            view = held.view();
        } else {
            throw domain.refusal(reads, held.position());
        }
    }

    /** Lets go of the state. */
    public void close() {
        if (pin != null) {
            pin.close();
        }
    }

    @Override
    public boolean observe(long time) {
        if (time > Objects.requireNonNull(view).newest().time()) {
            throw new Moved();
        }
        return true;
    }

    @Override
    public @Nullable RecordChange find(TreeId tree, Bytes key) {
        return view().find(tree, key);
    }

    /** A change in the tail is the newest up to the position; a page may show a newer one only. */
    @Override
    public boolean isAhead() {
        return true;
    }

    @Override
    public Iterator<RecordChange> iterate(TreeId tree, KeyRange range, Direction direction) {
        return view().iterate(tree, range, direction);
    }

    @Override
    public List<Bytes> writtenBefore(TreeId tree, long epoch) {
        return view().writtenBefore(tree, epoch);
    }
}
