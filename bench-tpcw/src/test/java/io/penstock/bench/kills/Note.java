package io.penstock.bench.kills;

/**
 * The payload of every record: the transaction that put it.
 *
 * @param writer the process, from 1; none is a writer twice
 * @param number of the transaction among the writer's, from 1
 * @param group what the index sorts by
 * @param text padding
 */
record Note(long writer, long number, long group, String text) {
    Writing writing() {
        return new Writing(writer, number);
    }
}
