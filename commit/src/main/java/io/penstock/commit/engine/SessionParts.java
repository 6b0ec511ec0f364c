package io.penstock.commit.engine;

import io.penstock.commit.session.SessionState;

/**
 * The parts that sessions are made of.
 *
 * @param payloads where their transactions place large payloads
 * @param transactionBytesMax of keys and payloads
 * @param shared what the memories of all sessions stand on
 */
public record SessionParts(
        Handle handle,
        Committer committer,
        Protocols protocols,
        LargePayloads.Place payloads,
        long transactionBytesMax,
        SessionState.Shared shared) {
    public SessionState open() {
        return new SessionState(shared);
    }
}
