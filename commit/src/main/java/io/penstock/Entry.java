package io.penstock;

/** A record in its typed form. */
public record Entry<K, V>(K key, V value) {}
