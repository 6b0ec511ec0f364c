package io.penstock.commit.engine;

import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.session.SessionState;
import io.penstock.commit.token.TokenDesk;
import io.penstock.core.meter.ReadTimes;
import io.penstock.core.task.Tasks;
import java.time.Duration;

/**
 * The parts that sessions are made of.
 *
 * @param payloads where their transactions place large payloads
 * @param isolated the parts that transactions of domains use
 * @param shared the parts that the memories of all sessions use
 * @param tokens makes and accepts tokens, by which sessions go from client to client
 * @param limits of transactions
 */
public record SessionParts(
        Tasks tasks,
        Handle handle,
        Committer committer,
        Protocols protocols,
        LargePayloads.Place payloads,
        DomainIsolation.Parts isolated,
        SessionState.Shared shared,
        TokenDesk tokens,
        Limits limits) {
    /**
     * The limits of transactions.
     *
     * @param bytesMax of keys and payloads
     * @param staleness of the state that isolated reads see where nothing is written
     * @param retry the longest that conflicting transactions are run again
     */
    public record Limits(long bytesMax, Duration staleness, Duration retry) {}

    /** The retries of one transaction; {@code isolated} says whether conflicts are what its level is for. */
    public Retries retries(String level, boolean isolated) {
        return new Retries(tasks, isolated, limits.retry(), committer.tally(level));
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
    public Isolation isolated(String level, Reading reading, SessionState session) {
        return new DomainIsolation(level, reading, isolated, session::uses);
    }
}
