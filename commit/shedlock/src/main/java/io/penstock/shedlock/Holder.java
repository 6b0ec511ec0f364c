package io.penstock.shedlock;

import java.time.Instant;

/**
 * The record of a lock that is held.
 *
 * @param by the machine
 * @param since the time there, for people
 * @param token drawn for each holding: who has it may unlock and extend, and nobody else
 */
record Holder(String by, Instant since, String token) {}
