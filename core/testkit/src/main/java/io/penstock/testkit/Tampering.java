package io.penstock.testkit;

import io.penstock.core.Bytes;
import java.util.Optional;

/** A change of messages that no client of the simulated cloud has asked for. */
@FunctionalInterface
public interface Tampering {
    /** The new body of a message, or its old one; empty: the message is gone. */
    Optional<Bytes> change(String queue, Bytes body, int receiveCount);
}
