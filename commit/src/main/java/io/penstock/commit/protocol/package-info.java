/**
 * How a write set becomes durable: one {@link io.penstock.commit.protocol.CommitProtocol} for each consistency level,
 * and the group senders, forwarder and recovery they share.
 */
package io.penstock.commit.protocol;
