package io.penstock.bench.kills;

import io.penstock.Keys.Pair;

/** The name of a transaction: the {@code number}th (from 1) of a writer (from 1). */
record Writing(long writer, long number) {
    Pair<Long, Long> key() {
        return new Pair<>(writer, number);
    }

    static Writing of(Pair<Long, Long> key) {
        return new Writing(key.first(), key.second());
    }
}
