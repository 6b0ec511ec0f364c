package io.penstock.bench.experiment;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.bench.tpcw.run.CostModel;
import io.penstock.bench.tpcw.run.Farm.Bill;
import io.penstock.bench.tpcw.run.Usage;
import io.penstock.testkit.Profile;
import java.util.stream.Stream;

/** A count of what a client asks of the servers, from the last {@link #start} on. */
final class Meter {
    private static final CostModel PRICES = new CostModel(Profile.AWS_2026.prices());

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private Bill before = new Bill(Usage.NONE, Usage.NONE);

    /** Returns the registry in which the client must count. */
    MeterRegistry registry() {
        return registry;
    }

    void start() {
        before = Bill.of(registry);
    }

    /** Returns the usage since the start. */
    Usage used() {
        return Bill.of(registry).minus(before).all();
    }

    double requests() {
        Usage used = used();
        return Usage.CALLS.stream().mapToLong(used::of).sum();
    }

    double gets() {
        return used().of(Usage.Count.S3_GET);
    }

    /** Returns the bytes that the client received. */
    double bytes() {
        return used().bytesOut();
    }

    /** Returns the price of the requests and bytes on AWS, in dollars. */
    double dollars() {
        return dollars(Bill.of(registry)) - dollars(before);
    }

    private static double dollars(Bill bill) {
        return Stream.of(bill.transaction(), bill.checkpoint())
                .mapToDouble(PRICES::dollars)
                .sum();
    }
}
