package io.penstock.examples.shop;

/** Somebody with an e-mail address that nobody else has. */
public record User(String email, String name) {}
