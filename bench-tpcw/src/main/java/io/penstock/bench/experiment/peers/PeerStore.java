package io.penstock.bench.experiment.peers;

/**
 * One store with all {@link Records} in memory. Everything goes through the library's public interface, with keys that
 * were put into its own form beforehand, in the order in which they are used. For one thread.
 */
interface PeerStore extends AutoCloseable {
    /** Reads the record drawn as number {@code draw}, and returns its {@link Records#digest}. */
    default int read(int draw) {
        throw new UnsupportedOperationException("it does not read");
    }

    /** Reads {@link Records#RUN} records from the one drawn on, in order, and returns the sum of their digests. */
    default int scan(int draw) {
        throw new UnsupportedOperationException("it does not scan");
    }

    /** Writes {@link Records#RUN} records that follow one another, in one transaction where there are any. */
    default Object apply(int batch) {
        throw new UnsupportedOperationException("a commit would measure the servers");
    }

    @Override
    default void close() {}
}
