package io.penstock.core.queue;

/** Names one delivery of a message (SQS's receipt handle). */
public record Receipt(String handle) {}
