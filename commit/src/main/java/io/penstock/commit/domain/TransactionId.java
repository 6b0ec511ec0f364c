package io.penstock.commit.domain;

import io.penstock.core.ClientId;

/**
 * The name of one try to commit a transaction.
 *
 * @param nonce random
 */
public record TransactionId(ClientId client, long nonce) {}
