package io.penstock.bench.experiment.http;

/** Reads whole objects, by any number of threads at a time. */
interface Fetcher extends AutoCloseable {
    /** Reads the object and returns its length in bytes. */
    int fetch(String key);

    @Override
    void close();
}
