package io.penstock.commit.engine;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.checkpoint.PendingAge;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.SessionMemoryGate;
import io.penstock.commit.session.SessionState;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.meter.FailureTag;
import io.penstock.core.meter.ReadTimes;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/** Commits write sets: makes the client known, draws a stamp, runs a protocol, and counts. Safe for many threads. */
public record Committer(
        Tasks tasks,
        ClientContext membership,
        HybridClock clock,
        PendingAge age,
        SessionMemoryGate room,
        StoreMeters meters,
        Catalog catalog) {
    /**
     * Commits the writes of one transaction of a session, all under one new stamp.
     *
     * <p>An interrupt does not cut it short: the caller must learn the outcome of the commit.
     *
     * @param level the name under which the commit is counted
     */
    public Stamp commit(String level, CommitProtocol protocol, SessionState session, WriteSet writes) {
        return uninterruptibly(
                level,
                () -> protocol.keepsSession()
                        ? commitWithRoom(protocol, session, writes)
                        : commit(protocol, session, writes));
    }

    /** Commits a transaction of a domain, which the domain's commit log stamps. */
    Stamp commitStrictly(String level, Supplier<Stamp> append) {
        return uninterruptibly(level, append);
    }

    /**
     * Commits without regard to interrupts; observed from the caller's thread, which knows what the commit is part of.
     */
    private Stamp uninterruptibly(String level, Supplier<Stamp> commit) {
        return meters.commit(level, () -> tasks.uninterruptibly("commit", () -> counted(level, commit)));
    }

    /**
     * Checks that a collection is what a transaction took it for.
     *
     * @param sinceNanos the definition must have been read after this
     * @throws ConflictException when it was defined anew meanwhile
     */
    void requireSame(CollectionDefinition used, long sinceNanos) {
        Duration age = Duration.ofNanos(Math.max(0, tasks.nanoTime() - sinceNanos));
        boolean same = catalog.within(used.name(), age)
                .filter(now -> now.epoch() == used.epoch() && now.treeId().equals(used.treeId()))
                .filter(now -> Objects.equals(now.domain(), used.domain()) && now.moving() == null)
                .isPresent();
        if (!same) {
            throw new ConflictException(
                    "the collection was defined anew since the transaction began; run it again",
                    "collection",
                    used.name());
        }
    }

    private Stamp counted(String level, Supplier<Stamp> commit) {
        long start = tasks.nanoTime();
        try {
            Stamp stamp = commit.get();
            meters.committed(level, tasks.nanoTime() - start);
            return stamp;
        } catch (StoreException failure) {
            meters.failures(level, FailureTag.of(failure)).increment();
            throw failure;
        } catch (RuntimeException unexpected) {
            meters.failures(level, FailureTag.of(ErrorCode.OUTCOME_UNKNOWN)).increment();
            throw new OutcomeUnknownException("the commit failed unexpectedly; read to find out", unexpected);
        }
    }

    ReadTimes reads(String level) {
        return meters.reads(level);
    }

    /** Counts what becomes of conflicts. */
    Retries.Tally tally(String level) {
        return retried -> (retried ? meters.retries(level) : meters.aborts(level)).increment();
    }

    /** Waits for its turn and for room, if it must, before a stamp is drawn: a stamp that waited would be old. */
    private Stamp commitWithRoom(CommitProtocol protocol, SessionState session, WriteSet writes) {
        session.awaitTurn(writes);
        if (protocol.leavesBacklog()) {
            age.admit();
        }
        long bytes = writes.bytes();
        room.admit(bytes);
        boolean kept = false;
        try {
            Stamp stamp = commit(protocol, session, writes);
            kept = true;
            return stamp;
        } finally {
            if (!kept) {
                room.give(bytes);
            }
        }
    }

    private Stamp commit(CommitProtocol protocol, SessionState session, WriteSet writes) {
        catalog.requireNoFormer(writes.trees());
        return membership.whileJoined(protocol.needsQueue(), identity -> {
            writes.requireNoneFromFuture();
            Stamp drawn = clock.next(identity.client());
            session.commit(protocol, new StampedTransaction(drawn, writes.stamped(drawn)));
            return drawn;
        });
    }
}
