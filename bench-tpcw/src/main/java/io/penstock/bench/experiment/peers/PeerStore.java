package io.penstock.bench.experiment.peers;

/**
 * One store with all {@link Records} in memory. Everything goes through the library's public interface, with keys that
 * were put into its own form beforehand, in the order in which they are used. For one thread.
 */
interface PeerStore extends AutoCloseable {
    /** Reads the record drawn as number {@code draw}, and returns its {@link Records#digest}. */
    int read(int draw);

    /** Reads {@link Records#RUN} records from the one drawn on, in order, and returns the sum of their digests. */
    int scan(int draw);

    /** Writes {@link Records#RUN} records that follow one another, in one transaction where there are any. */
    Object apply(int batch);

    @Override
    void close();
}
