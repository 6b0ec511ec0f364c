package io.penstock.spring.data;

import io.penstock.annotation.Key;

/** A record whose key has parts, in a collection of the class's name. */
record Ticket(@Key Seat seat, String holder) {
    record Seat(String hall, int number) {}
}
