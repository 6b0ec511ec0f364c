package io.penstock.bench.experiment;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.bench.tpcw.run.CostModel;
import io.penstock.bench.tpcw.run.Usage;
import io.penstock.testkit.Profile;
import java.util.Objects;
import java.util.stream.Stream;

/** A count of what a client asks of the servers, from the last {@link #start} on. */
final class Meter {
    private static final CostModel PRICES = new CostModel(Profile.AWS_2026.prices());

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private double requestsBefore;
    private double getsBefore;
    private double bytesBefore;
    private double dollarsBefore;

    /** Returns the registry in which the client must count. */
    MeterRegistry registry() {
        return registry;
    }

    void start() {
        requestsBefore = total("penstock.requests", "op", "");
        getsBefore = total("penstock.requests", "op", "s3.get");
        bytesBefore = total("penstock.bytes", "direction", "out");
        dollarsBefore = dollarsOfAll();
    }

    double requests() {
        return total("penstock.requests", "op", "") - requestsBefore;
    }

    double gets() {
        return total("penstock.requests", "op", "s3.get") - getsBefore;
    }

    /** Returns the bytes that the client received. */
    double bytes() {
        return total("penstock.bytes", "direction", "out") - bytesBefore;
    }

    /** Returns the price of the requests and bytes on AWS, in dollars. */
    double dollars() {
        return dollarsOfAll() - dollarsBefore;
    }

    private double dollarsOfAll() {
        return Stream.of(Usage.TRANSACTION, Usage.CHECKPOINT)
                .mapToDouble(part -> PRICES.dollars(Usage.read(registry, part)))
                .sum();
    }

    /** Returns the sum, from the first request on, of the counters whose tag has a value that begins so. */
    double total(String name, String tag, String beginning) {
        return registry.find(name).counters().stream()
                .filter(counter -> Objects.requireNonNullElse(counter.getId().getTag(tag), "")
                        .startsWith(beginning))
                .mapToDouble(Counter::count)
                .sum();
    }
}
