package io.penstock.examples.shop;

import java.time.Instant;

/** A thing to do. */
public record Todo(String id, String title, boolean done, Instant created) {}
