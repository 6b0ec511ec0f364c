package io.penstock.commit.domain;

import io.penstock.commit.domain.IntakeCombiner.Mode;
import io.penstock.commit.domain.IntakeQueue.InHand;
import io.penstock.commit.domain.Intent.HandedIn;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.PendingGroup.Waiting;
import io.penstock.commit.domain.Segment.Tip;
import io.penstock.commit.domain.Validator.Verdict;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts transactions into the log, with group commit: what gathers while a put is under way goes into the next segment.
 * One task does it as long as something waits. Safe for many threads.
 */
final class Appender {
    /** The shortest pause in which transactions gather. */
    private static final Duration POLL = Duration.ofMillis(1);

    private final String domain;
    private final Parts parts;
    private final Tasks tasks;
    private final LogObjects log;
    private final Tail tail;
    private final Follower follower;
    private final SegmentPut segmentPut;
    private final PendingGroup gathering;
    private final IntakeQueue intake;
    private final IntakeCombiner combining;
    private final Permits turn;

    Appender(String domain, Parts parts, LogObjects log, Tail tail, Follower follower) {
        this.domain = domain;
        this.parts = parts;
        this.tasks = parts.tasks();
        this.log = log;
        this.tail = tail;
        this.follower = follower;
        this.segmentPut = new SegmentPut(parts, log, tail, follower);
        this.gathering = new PendingGroup(domain, tasks, parts.limits());
        this.intake = new IntakeQueue(tasks, domain, log, parts.handover());
        this.combining = new IntakeCombiner(tasks, intake);
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
        return tasks.uninterruptibly("commit", () -> mine.result(atMost));
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
        long now = tasks.nanoTime();
        intake.handIn(due.stream()
                .map(waiting -> HandedIn.at(waiting.intent(), tip, Duration.ofNanos(now - waiting.begunNanos())))
                .toList());
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
                waiting.contradict(parts.refusal().apply(conflict.get())); // for ever, so for all others too
            } else {
                waiting.isOpenAt(tip);
            }
            return isEnded(waiting);
        });
    }

    private boolean isEnded(Waiting waiting) {
        if (waiting.isDone() && waiting.isHandedIn()) {
            intake.forget(waiting.intent());
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
        Tail.State known = settled(own, others, othersBytes);
        Tip tip = known.tip();
        List<Candidate> group = candidates(own, others, known);
        List<Verdict> verdicts = Validator.decide(
                group.stream().map(Candidate::intent).toList(),
                (reads, snapshot) -> tail.conflict(reads, snapshot, tip.position()),
                stamps(tip));
        List<Verdict> foreign = IntStream.range(0, group.size())
                .filter(i -> !group.get(i).own())
                .mapToObj(verdicts::get)
                .toList();
        verdicts.forEach(verdict -> refuse(own, verdict));
        combining.contradicted(foreign.stream().anyMatch(verdict -> !verdict.isValid()));
        List<Verdict> valid = verdicts.stream().filter(Verdict::isValid).toList();
        if (valid.isEmpty()) {
            return own.isEmpty();
        }
        if (tip.position() == 0) {
            log.found();
        }
        Segment segment = segment(tip, valid);
        if (!isPlaced(segment, tip, own)) {
            return false;
        }
        if (segment.transactions().size() > 1) {
            gather(segment.transactions().size());
        }
        if (combining.owesTurn(foreign.stream().anyMatch(Verdict::isValid))) {
            awaitFresh(segment.number());
        }
        return own.isEmpty();
    }

    /** Puts a segment, and settles the own transactions by what is then in its slot; false if another one is. */
    private boolean isPlaced(Segment segment, Tip tip, List<Waiting> own) {
        long begun = tasks.nanoTime();
        boolean placed = segmentPut.put(segment, tip);
        combining.took(tasks.nanoTime() - begun);
        if (placed) {
            succeed(own, segment);
        } else {
            own.forEach(Waiting::isBack);
            follower.refresh();
            settle(own, tail.state());
        }
        return placed;
    }

    /**
     * Settles the own transactions; returns what was known of the log. If the log contradicts one that has waited for
     * longer than all of the others', waits for its caller to come again. Others learn of a segment before its writer
     * has the answer, so they would come first for ever.
     */
    private Tail.State settled(List<Waiting> own, List<InHand> others, long othersBytes) {
        Tail.State known = tail.state();
        List<Waiting> all = List.copyOf(own);
        settle(own, known);
        Optional<Waiting> oldest = all.stream().filter(Waiting::isContradicted).min(Waiting.OLDEST_FIRST);
        if (oldest.isPresent()) {
            long since = oldest.get().begunNanos();
            List<Candidate> rivals = includable(others, own, known);
            if (!rivals.isEmpty() && rivals.stream().allMatch(one -> since - one.begunNanos() < 0)) {
                awaitAgain(own, since, othersBytes);
                known = tail.state();
                settle(own, known);
            }
        }
        return known;
    }

    private void awaitAgain(List<Waiting> own, long since, long othersBytes) {
        long until = tasks.nanoTime() + combining.againNanos();
        do {
            tasks.sleep(POLL);
            gathering.takeInto(own, othersBytes);
        } while (tasks.nanoTime() - until < 0 && own.stream().noneMatch(one -> one.begunNanos() - since <= 0));
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
     * A transaction for the next segment.
     *
     * @param begunNanos when its first try began, by this client's clock
     * @param own whether this client's
     */
    private record Candidate(Intent intent, long begunNanos, boolean own) {
        /** Of two that contradict each other the one that has waited for longer is valid, whoever puts. */
        static final Comparator<Candidate> OLDEST_FIRST =
                (one, other) -> Long.signum(one.begunNanos - other.begunNanos);
    }

    private List<Candidate> candidates(List<Waiting> own, List<InHand> others, Tail.State known) {
        List<Candidate> all = new ArrayList<>(includable(others, own, known));
        own.stream()
                .filter(Waiting::goesOut)
                .forEach(waiting -> all.add(new Candidate(waiting.intent(), waiting.begunNanos(), true)));
        all.sort(Candidate.OLDEST_FIRST);
        return all;
    }

    /**
     * Returns the transactions handed in by others that may be in the next segment, as far as this client knows; each
     * once.
     */
    private List<Candidate> includable(List<InHand> others, List<Waiting> own, Tail.State known) {
        Set<TransactionId> taken = new HashSet<>();
        own.forEach(waiting -> taken.add(waiting.intent().id()));
        List<Candidate> found = new ArrayList<>();
        for (InHand message : others) {
            message.transactions().stream()
                    .filter(one -> tail.place(one.intent().id()).isEmpty())
                    // The base is read afterwards: what was dropped before is not found, and may have been there.
                    .filter(one -> one.mayFollow(
                            tail.state().base().position(), known.tip().position()))
                    .filter(one -> taken.add(one.intent().id()))
                    .forEach(one -> found.add(new Candidate(one.intent(), one.begunNanos(message.nanos()), false)));
        }
        return found;
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
