package io.penstock.examples.shop;

/** A copy that somebody has bought. */
public record Order(String id, String isbn, String buyer) {}
