package io.penstock.commit.domain;

import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.domain.Tail.Kept;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Tasks;
import io.penstock.report.CheckpointReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One domain as one client uses it. Safe for many threads. */
public final class Domain {
    /** The maximum number of checkpoints that a commit waits for when the tail is above its bound. */
    private static final int CHECKPOINTS_MAX = 20;

    private static final Duration PAUSE = Duration.ofMillis(500);

    /** The longest that a caller waits who needs all on pages, besides a hold: longer than a turn of another client. */
    private static final Duration APPLIED_WITHIN = Duration.ofMinutes(3);

    private static final Duration APPLIED_PAUSE = Duration.ofSeconds(2);

    private final String name;
    private final Parts parts;
    private final Tail tail;
    private final Follower follower;
    private final Appender appender;
    private final Checkpoints checkpoints;
    private final LogSurvey survey;
    private final LogObjects log;

    /**
     * The place of a committed transaction.
     *
     * @param position the number of its segment
     */
    public record Committed(long position, Stamp stamp) {}

    Domain(String name, Parts parts) {
        this.name = name;
        this.parts = parts;
        this.tail = new Tail(parts.tasks(), parts.limits());
        this.log = new LogObjects(name, parts.prefix(), parts.log(), parts.serverClock()::observe, parts.home());
        this.survey = new LogSurvey(name, parts.tasks(), log, parts.limits().trimAge());
        this.follower = new Follower(parts.tasks(), log, tail, parts.clock(), parts.limits());
        this.appender = new Appender(name, parts, log, tail, follower);
        this.checkpoints = new Checkpoints(parts, log, tail, follower);
    }

    public String name() {
        return name;
    }

    public Tail tail() {
        return tail;
    }

    /** Reads the log until the tip is at least at everything that was acknowledged, to anyone, before the call. */
    public void refresh() {
        follower.refresh();
    }

    /** Refreshes the tip, unless it was known to be current within {@code staleness}. */
    public void refresh(Duration staleness) {
        follower.refresh(staleness);
    }

    /** The time since the tip was last known to be at everything that was acknowledged. */
    public Duration age() {
        return follower.age();
    }

    /**
     * The end of a log at some time.
     *
     * @param newest stamp up to there; no transaction after it has an older one
     */
    public record End(LogReader.Place place, Stamp newest) {}

    /** The place after everything that was acknowledged, to anyone, before the call. */
    public End end() {
        follower.refresh();
        Tip tip = tail.state().tip();
        return new End(new LogReader.Place(tip.position(), tip.writeId(), 0), tip.stamp());
    }

    /** Reads the log from a place on, whatever this client follows of it. */
    public LogReader read(LogReader.Place from) {
        return new LogReader(name, parts.tasks(), log, parts.limits().retention(), from);
    }

    /** Pins the tip, for a transaction that begins, or for other reads. The domain must have been refreshed once. */
    public Pin pin(boolean keeps) {
        return tail.pin(keeps);
    }

    /** Pins a state that any client has named; see {@link Tail#pin(Moment)}. */
    public Pin pin(Moment state) {
        follower.refresh();
        return tail.pin(state);
    }

    /**
     * Commits a transaction. Its position is known when this returns, and the tail has it.
     *
     * @throws io.penstock.core.ConflictException when something was written since that it has read: run it again
     * @throws UnavailableException when nothing was committed
     * @throws io.penstock.core.OutcomeUnknownException when it may have been committed
     */
    public Committed commit(Intent intent) {
        return commit(intent, parts.tasks().nanoTime());
    }

    /**
     * Commits a transaction whose first try began earlier.
     *
     * @param begunNanos when its first try began, as of {@link Tasks#nanoTime}: the oldest go first
     */
    public Committed commit(Intent intent, long begunNanos) {
        long until = parts.tasks().nanoTime() + parts.limits().budget().toNanos();
        awaitRoom(until);
        return appender.commit(
                intent,
                begunNanos,
                Duration.ofNanos(Math.max(1, until - parts.tasks().nanoTime())));
    }

    /** The failure of a transaction that has read this at a position, and may not go on. */
    public ConflictException refusal(ReadSet reads, long position) {
        Conflict conflict = tail.conflict(reads, position, tail.tip()).orElseGet(() -> Conflict.tooOld(new TreeId(0)));
        return parts.refusal().apply(conflict);
    }

    /** @throws ConflictException when something that was read at a view has been written since, as far as is known */
    public void requireUnchanged(ReadSet reads, TailView view) {
        tail.conflict(reads, view, tail.tip()).ifPresent(conflict -> {
            throw parts.refusal().apply(conflict);
        });
    }

    /**
     * Fences a tree: transactions that began before this call and write to the tree will conflict; everything committed
     * before is applied to pages. Transactions that begin afterwards use what the catalog and pages have now.
     *
     * @return the time of the fence's stamp
     * @throws UnavailableException when other clients did not let it be applied in time: do it again
     */
    public long fence(TransactionId id, TreeId tree) {
        follower.refresh();
        Committed fence = commit(Intent.fence(id, tail.tip(), tree));
        apply(fence.position());
        return fence.stamp().time();
    }

    /**
     * Applies all that was committed before the call to pages, and returns the position of the last of it.
     *
     * @throws UnavailableException when other clients did not let it be applied in time: do it again
     */
    public long applyAll() {
        follower.refresh();
        long position = tail.tip();
        apply(position);
        return position;
    }

    private void apply(long position) {
        long begun = parts.tasks().nanoTime();
        Duration within = APPLIED_WITHIN.plus(parts.limits().hold());
        while (parts.tasks().nanoTime() - begun <= within.toNanos()) {
            var unused = checkpointAll();
            if (horizon() >= position) {
                return;
            }
            parts.tasks().sleep(APPLIED_PAUSE);
        }
        throw new UnavailableException(
                "other clients keep the commit log from being applied; repeat it",
                "domain",
                name,
                "horizon",
                horizon());
    }

    private void awaitRoom(long untilNanos) {
        for (int done = 0; tail.bytes() > parts.limits().tailBytes(); done++) {
            if (done == CHECKPOINTS_MAX || parts.tasks().nanoTime() - untilNanos > 0) {
                throw new UnavailableException(
                        ErrorCode.BACKLOG_FULL,
                        "the commit log is too far ahead of the pages; nothing was committed, see why checkpoints lag",
                        "domain",
                        name,
                        "tailBytes",
                        tail.bytes(),
                        "tailBytesMax",
                        parts.limits().tailBytes(),
                        "horizon",
                        horizon());
            }
            if (done > 0) {
                parts.tasks().sleep(PAUSE);
                follower.refresh();
            }
            var unused = checkpoints.run();
            tail.force(horizon());
        }
    }

    /**
     * Applies segments to pages, moves the horizon past them, and trims the log now and then. Makes no request when
     * this client knows of nothing to apply.
     */
    public CheckpointReport checkpoint() {
        CheckpointReport done = checkpoints.run();
        if (tail.bytes() > parts.limits().tailBytes()) {
            tail.force(horizon());
        }
        return done;
    }

    /** Reads the log to its end and applies it, in parts if all of it is more than this client may hold in memory. */
    public CheckpointReport checkpointAll() {
        CheckpointReport all = CheckpointReport.NONE;
        while (true) {
            boolean whole = readOn();
            CheckpointReport done = checkpoint();
            all = all.plus(done);
            if (whole || done.messages() == 0) {
                return all;
            }
        }
    }

    /** Returns false when this client has read as much as it may hold. */
    private boolean readOn() {
        try {
            follower.refresh();
            return true;
        } catch (UnavailableException failure) {
            if (tail.bytes() <= parts.limits().readBytes()) {
                throw failure;
            }
            return false;
        }
    }

    /** The log as its objects show it. */
    public LogSurvey survey() {
        return survey;
    }

    /** Removes segments that are on pages and older than the retention; the number of them. */
    public long trim() {
        return checkpoints.trim();
    }

    /**
     * Asks checkpointers not to apply segments after a position for a while, for a reader that has begun too often.
     *
     * @return false when that is not granted: they have gone beyond it, or had to wait not long ago
     */
    public boolean hold(long position, Duration length) {
        return checkpoints.hold(position, length);
    }

    /** The newest horizon that this client knows. */
    public long horizon() {
        return tail.horizon();
    }

    /** Returns the number of segments after the horizon, as far as this client knows. */
    public long pendingSegments() {
        return Math.max(0, tail.tip() - horizon());
    }

    /** Whether any of them has a transaction of another client. */
    public boolean isShared() {
        ClientId own = parts.client().get();
        return tail.kept(horizon(), tail.tip()).stream()
                .flatMap(kept -> kept.segment().transactions().stream())
                .anyMatch(transaction -> !transaction.id().client().equals(own));
    }

    /** The age of the oldest of them, by the servers' clock. */
    public Optional<Duration> oldestPending() {
        List<Kept> pending = tail.kept(horizon(), tail.tip());
        return pending.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(Math.max(
                        0, parts.serverClock().nowMillis() - pending.getFirst().modifiedMillis())));
    }
}
