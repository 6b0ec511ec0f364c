package io.penstock.bench.experiment.candidates;

/**
 * A transaction that reads one key and writes it again.
 *
 * @param id unique among all clients
 * @param snapshot the number of the newest segment that its client knew when it read
 */
record Intent(long id, int key, int snapshot) {
    /** The bytes of a transaction in a segment or a message: two keys and a record of about 100 bytes. */
    static final int BYTES = 200;
}
