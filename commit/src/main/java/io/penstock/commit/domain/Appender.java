package io.penstock.commit.domain;

import io.penstock.commit.domain.Combining.Mode;
import io.penstock.commit.domain.Gathering.Waiting;
import io.penstock.commit.domain.IntakeQueue.InHand;
import io.penstock.commit.domain.Intent.HandedIn;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.domain.Validator.Verdict;
import io.penstock.core.ClientId;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts transactions into the log, with group commit: what gathers while a put is under way goes into the next segment.
 * One task does it as long as something waits. Safe for many threads.
 */
final class Appender {
    /** The shortest pause in which transactions gather. */
    private static final Duration POLL = Duration.ofMillis(1);

    /** The number of last segments that decide which client has waited for longer. */
    private static final int PLACES = 128;

    private final String domain;
    private final Parts parts;
    private final Tasks tasks;
    private final LogObjects log;
    private final Tail tail;
    private final Follower follower;
    private final SegmentPut segmentPut;
    private final Gathering gathering;
    private final IntakeQueue intake;
    private final Combining combining;
    private final Permits turn;

    Appender(String domain, Parts parts, LogObjects log, Tail tail, Follower follower) {
        this.domain = domain;
        this.parts = parts;
        this.tasks = parts.tasks();
        this.log = log;
        this.tail = tail;
        this.follower = follower;
        this.segmentPut = new SegmentPut(parts, log, tail, follower);
        this.gathering = new Gathering(domain, tasks, parts.limits());
        this.intake = new IntakeQueue(tasks, domain, log, parts.intake().map(queues -> () -> queues.apply(domain)));
        this.combining = new Combining(tasks, intake);
        this.turn = new Permits(tasks, 1);
    }

    /**
     * @param begunNanos when its first try began
     * @param atMost the longest time that it may take
     */
    Domain.Committed commit(Intent intent, long begunNanos, Duration atMost) {
        parts.serverClock().requireInStep(); // whoever puts it goes by its time
        Waiting mine = gathering.add(intent, begunNanos);
        serve();
        // Others' transactions travel in the same segment, so an interrupted caller cannot take its own back.
        return tasks.shielded("commit", () -> mine.result(atMost));
    }

    /** Starts a task that decides the waiting transactions, unless one runs. */
    private void serve() {
        if (turn.tryAcquire()) {
            tasks.start("commit", this::work);
        }
    }

    private void work() {
        List<Waiting> own = new ArrayList<>();
        try {
            do {
                append(own);
            } while (!own.isEmpty() || gathering.isWaiting() || combining.isAsked());
        } finally {
            // After an error that is no failure of the servers too: no caller must wait for ever.
            own.forEach(waiting -> waiting.fail(unknown(null)));
            turn.release();
            if (gathering.isWaiting() || combining.isAsked()) {
                serve();
            }
        }
    }

    /** Puts the gathered transactions, or hands them in for another client to put. */
    private void append(List<Waiting> own) {
        try {
            switch (combining.mode()) {
                case RACING, COMBINING -> put(own);
                case HANDING_IN -> handIn(own);
            }
        } catch (StoreException failure) {
            own.forEach(waiting -> waiting.fail(waiting.isHandedIn() ? unknown(failure) : failure));
            own.clear();
            if (failure instanceof UnavailableException) {
                gathering.turnAway(failure);
            }
        }
    }

    /**
     * Puts segments with the own transactions and what is in hand of others, until that is done or others seem to do
     * it. What stays in {@code own} is undecided.
     */
    private void put(List<Waiting> own) {
        List<InHand> others = gathering.isPassedOver()
                ? combining.take(gathering.roomBesideFirst(), 0)
                : combining.take(gathering.room() / 2, 1);
        boolean done = false;
        try {
            combining.look(this::serve);
            long before = tail.tip();
            for (int tries = combining.tries(); !done && (tries > 0 || combining.isOff()); tries--) {
                done = isSettled(own, others);
                tries = !done && isCombinedSince(before) ? 0 : tries; // two who combine would have half of it each
            }
        } finally {
            if (done) {
                combining.done(others);
            } else {
                combining.lost(others);
            }
        }
    }

    /** Whether a client puts for others: a segment after a position has transactions of two clients. */
    private boolean isCombinedSince(long position) {
        return tail.kept(position, tail.tip()).stream()
                .map(Tail.Kept::segment)
                .anyMatch(segment -> segment.transactions().stream()
                                .map(one -> one.id().client())
                                .distinct()
                                .count()
                        > 1);
    }

    /**
     * Sends the gathered transactions to the intake, and waits until the log has them or contradicts them, or no client
     * seems to put.
     */
    private void handIn(List<Waiting> own) {
        tasks.sleep(POLL); // who was answered together comes again together
        long since = tail.tip();
        long patience = tasks.nanoTime() + combining.patienceNanos();
        do {
            gathering.takeInto(own, 0);
            send(own);
            follower.peek(own.size(), combining.putNanos());
            tasks.sleep(POLL);
            if (tail.tip() > since) {
                since = tail.tip();
                combining.sawRival();
                patience = tasks.nanoTime() + combining.patienceNanos();
            }
            settle(own, tail.state());
            if (!own.isEmpty() && tasks.nanoTime() - patience > 0) {
                combining.receiveIfPossible();
                put(own);
                patience = tasks.nanoTime() + combining.patienceNanos();
            }
        } while (!own.isEmpty() && combining.mode() == Mode.HANDING_IN);
    }

    /** Hands in the transactions that were not handed in yet, or so long ago that the message may be lost. */
    private void send(List<Waiting> own) {
        Tail.State known = tail.state();
        settle(own, known);
        long tip = known.tip().position();
        List<Waiting> due = own.stream()
                .filter(waiting -> waiting.isDue(tip) && waiting.goesOut())
                .sorted(Waiting.OLDEST_FIRST)
                .toList();
        follower.expectLater(!due.isEmpty() && due.size() == own.size());
        // Noted before they are sent: afterwards any client may put them.
        due.forEach(waiting -> waiting.handedIn(tip));
        intake.handIn(
                due.stream().map(waiting -> HandedIn.at(waiting.intent(), tip)).toList());
    }

    /** Tells those of whom the log up to a tip says what became of them, and takes them out. */
    private void settle(List<Waiting> own, Tail.State known) {
        long tip = known.tip().position();
        own.removeIf(waiting -> {
            Intent intent = waiting.intent();
            // The tip was read before: what is not found now is not in the log up to it.
            Optional<Domain.Committed> place = waiting.isHandedIn() ? tail.place(intent.id()) : Optional.empty();
            Optional<Conflict> conflict = tail.conflict(intent.validated(), intent.snapshot(), tip);
            boolean forgotten = tail.state().base().position() > intent.snapshot();
            if (place.isPresent()) {
                waiting.succeed(place.get());
            } else if (waiting.isHandedIn() && forgotten) {
                waiting.fail(unknown(null)); // others may know more, and have put it or put it yet
            } else if (conflict.isPresent()) {
                waiting.fail(parts.refusal().apply(conflict.get())); // for ever, so for all others too
            } else {
                waiting.isOpenAt(tip);
            }
            return isEnded(waiting);
        });
    }

    private boolean isEnded(Waiting waiting) {
        if (waiting.isDone() && waiting.isHandedIn()) {
            intake.forget(HandedIn.at(waiting.intent(), 0));
        }
        return waiting.isDone();
    }

    /** Tries to put a group into the next slot; false when another client was first. */
    private boolean isSettled(List<Waiting> own, List<InHand> others) {
        long othersBytes = others.stream().mapToLong(InHand::bytes).sum();
        gathering.takeInto(own, othersBytes);
        follower.refreshBeforePut();
        if (others.stream().flatMap(one -> one.transactions().stream()).anyMatch(one -> one.born() > tail.tip())) {
            follower.refresh(); // they know more
        }
        Tail.State known = tail.state();
        settle(own, known);
        Tip tip = known.tip();
        List<Intent> group = new ArrayList<>(includable(others, own, known));
        int foreign = group.size();
        own.stream()
                .filter(Waiting::goesOut)
                .sorted(Waiting.OLDEST_FIRST)
                .forEach(waiting -> group.add(waiting.intent()));
        List<Verdict> verdicts = Validator.decide(
                group, (reads, snapshot) -> tail.conflict(reads, snapshot, tip.position()), stamps(tip));
        for (Verdict verdict : verdicts.subList(foreign, verdicts.size())) {
            refuse(own, verdict);
        }
        combining.contradicted(verdicts.subList(0, foreign).stream().anyMatch(verdict -> !verdict.isValid()));
        List<Verdict> valid = verdicts.stream().filter(Verdict::isValid).toList();
        if (valid.isEmpty()) {
            return own.isEmpty();
        }
        if (tip.position() == 0) {
            log.found();
        }
        Segment segment = segment(tip, valid);
        long begun = tasks.nanoTime();
        boolean placed = segmentPut.put(segment, tip);
        combining.took(tasks.nanoTime() - begun);
        if (!placed) {
            own.forEach(Waiting::isBack);
            follower.refresh();
            settle(own, tail.state());
            return false;
        }
        succeed(own, segment);
        if (segment.transactions().size() > 1) {
            gather(segment.transactions().size());
        }
        if (combining.owesTurn(verdicts.subList(0, foreign).stream().anyMatch(Verdict::isValid))) {
            awaitFresh(segment.number());
        }
        return own.isEmpty();
    }

    /**
     * Waits for a transaction of a client that was contradicted and has seen the last segment: others are slower than
     * its writer.
     */
    private void awaitFresh(long tip) {
        long until = tasks.nanoTime() + combining.turnNanos();
        while (tasks.nanoTime() - until < 0 && !combining.hasFresh(tip)) {
            tasks.sleep(POLL);
        }
    }

    /** Waits for the callers that were just answered: else two parts of them wait for each other's puts. */
    private void gather(int answered) {
        long until = tasks.nanoTime() + combining.gatherFor().toNanos();
        do {
            tasks.sleep(POLL);
        } while (tasks.nanoTime() - until < 0 && gathering.count() + combining.held() < combining.enough(answered));
    }

    /** Refuses a transaction that contradicts an earlier one of its group, unless others may have it. */
    private void refuse(List<Waiting> own, Verdict verdict) {
        verdict.conflict()
                .ifPresent(conflict -> own.removeIf(waiting -> {
                    boolean refused = waiting.intent() == verdict.intent() && !waiting.isHandedIn();
                    if (refused) {
                        waiting.fail(parts.refusal().apply(conflict));
                    }
                    return refused;
                }));
    }

    private void succeed(List<Waiting> own, Segment segment) {
        Map<TransactionId, Stamp> stamps = new HashMap<>();
        segment.transactions().forEach(one -> stamps.put(one.id(), one.stamp()));
        own.removeIf(waiting -> {
            Stamp stamp = stamps.get(waiting.intent().id());
            if (stamp != null) {
                waiting.succeed(new Domain.Committed(segment.number(), stamp));
            }
            return isEnded(waiting);
        });
    }

    /**
     * Returns the transactions handed in by others that may be in the next segment, as far as this client knows; each
     * once.
     */
    private List<Intent> includable(List<InHand> others, List<Waiting> own, Tail.State known) {
        Set<TransactionId> taken = new HashSet<>();
        own.forEach(waiting -> taken.add(waiting.intent().id()));
        Map<ClientId, Long> last = lastPlaces();
        return others.stream()
                .flatMap(one -> one.transactions().stream())
                .sorted(Comparator.comparing(
                        one -> last.getOrDefault(one.intent().id().client(), 0L)))
                .filter(one -> tail.place(one.intent().id()).isEmpty())
                // The base is read afterwards: what was dropped before is not found, and may have been there.
                .filter(one -> one.mayFollow(
                        tail.state().base().position(), known.tip().position()))
                .map(HandedIn::intent)
                .filter(intent -> taken.add(intent.id()))
                .toList();
    }

    /** Returns the position of each client's last transaction, if that is not long ago. */
    private Map<ClientId, Long> lastPlaces() {
        Map<ClientId, Long> last = new HashMap<>();
        long tip = tail.tip();
        for (Tail.Kept kept : tail.kept(tip - PLACES, tip)) {
            kept.segment()
                    .transactions()
                    .forEach(one -> last.put(one.id().client(), kept.segment().number()));
        }
        return last;
    }

    /**
     * Draws stamps in the order of the log, whatever clocks say: above the last one by at least 1, and not before the
     * time at which records counted as expired. Later transactions go by them, and see those records expired too.
     */
    private Function<Intent, Stamp> stamps(Tip tip) {
        parts.serverClock().requireInStep();
        AtomicLong last = new AtomicLong(tip.stamp().time());
        return intent -> {
            long asOf = intent.validated().asOfMillis() << Stamp.COUNTER_BITS;
            long drawn = Math.max(parts.clock().next(intent.id().client()).time(), asOf);
            return new Stamp(
                    last.updateAndGet(before -> Math.max(before + 1, drawn)),
                    intent.id().client());
        };
    }

    private Segment segment(Tip tip, List<Verdict> valid) {
        List<Segment.Transaction> transactions = valid.stream()
                .map(verdict -> verdict.intent().stamped(verdict.stamp()))
                .toList();
        long writeId = tasks.random().nextLong();
        return new Segment(domain, tip.position() + 1, writeId, tip.writeId(), tail.horizon(), transactions);
    }

    private OutcomeUnknownException unknown(@Nullable StoreException cause) {
        String message = "a commit was cut off, and may take effect yet; read what it has written to find out";
        return new OutcomeUnknownException(message, cause, "domain", domain);
    }
}
