package io.penstock.commit.engine;

import io.penstock.commit.checkpoint.LogCheckpoints;
import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.session.SessionState;
import io.penstock.commit.token.SessionTokens;
import io.penstock.core.meter.ReadTimes;
import io.penstock.core.task.Tasks;
import java.time.Duration;

/**
 * The parts that sessions are made of.
 *
 * @param payloads where their transactions place large payloads
 * @param logs the domains, and their checkpoints
 * @param shared the parts that the memories of all sessions use
 * @param tokens makes and accepts tokens, by which sessions go from client to client
 * @param bytesMax the most bytes of keys and payloads of a transaction
 * @param staleness of the state that isolated reads see where nothing is written
 * @param retry the longest that conflicting transactions are run again
 */
public record SessionParts(
        Tasks tasks,
        StoreState handle,
        Committer committer,
        Protocols protocols,
        LargePayloads.Place payloads,
        LogCheckpoints logs,
        SessionState.Shared shared,
        SessionTokens tokens,
        long bytesMax,
        Duration staleness,
        Duration retry) {
    /** The retries of one transaction; {@code isolated} says whether conflicts are what its level is for. */
    public Retries retries(String level, boolean isolated) {
        return new Retries(tasks, isolated, retry, committer.tally(level));
    }

    /** Counts a conflict of a transaction, which {@code retried} says runs again. */
    public void conflict(String level, boolean retried) {
        committer.tally(level).conflict(retried);
    }

    /** The meters of the reads of a level. */
    public ReadTimes reads(String level) {
        return committer.reads(level);
    }

    public SessionState open() {
        return new SessionState(shared);
    }

    /** Begins a transaction without isolation. */
    public Isolation shared(String level, CommitProtocol protocol, SessionState session) {
        return new SessionIsolation(level, committer, protocol, session);
    }

    /** A transaction of a domain. */
    public Isolation isolated(String level, ReadOptions reading, SessionState session) {
        return new DomainIsolation(level, reading, this, session::uses);
    }
}
