package io.penstock.bench.experiment.candidates;

import io.penstock.testkit.PriceList;

/** A count of the requests of all clients of a trial, and their price. For one simulation. */
final class Requests {
    private final PriceList log;
    private final PriceList queue;
    private long puts;
    private long gets;
    private long queueUnits;

    /** @param log prices of the store that holds the log; {@code queue}: of the queues */
    Requests(PriceList log, PriceList queue) {
        this.log = log;
        this.queue = queue;
    }

    void put() {
        puts++;
    }

    void get() {
        gets++;
    }

    void queue() {
        queueUnits++;
    }

    long puts() {
        return puts;
    }

    void reset() {
        puts = 0;
        gets = 0;
        queueUnits = 0;
    }

    /** Requests only: neither traffic nor storage. */
    double dollars() {
        return puts * log.s3Put() + gets * log.s3Get() + queueUnits * queue.sqsUnit();
    }
}
