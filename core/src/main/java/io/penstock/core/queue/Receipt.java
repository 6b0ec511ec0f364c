package io.penstock.core.queue;

/** The name of one delivery of a message (SQS's receipt handle). */
public record Receipt(String handle) {}
