/**
 * Commit protocols, which make a write set durable: one {@link io.penstock.commit.protocol.CommitProtocol} for each
 * consistency level, and the group senders, forwarder and recovery that they share.
 */
package io.penstock.commit.protocol;
