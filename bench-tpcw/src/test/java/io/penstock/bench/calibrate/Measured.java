package io.penstock.bench.calibrate;

import io.penstock.bench.program.Quantiles;
import io.penstock.bench.program.Rows;
import io.penstock.bench.tpcw.run.Prices;
import io.penstock.bench.tpcw.run.Profiles;
import io.penstock.testkit.CloudCall;
import io.penstock.testkit.MeasuredLatency;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The milliseconds that calls took, by load. For one thread. */
final class Measured {
    private final Map<Load, List<Double>> millis = new LinkedHashMap<>();

    /** Adds some calls of a load. */
    void add(Load load, Collection<Double> more) {
        if (!more.isEmpty()) {
            millis.computeIfAbsent(load, first -> new ArrayList<>()).addAll(more);
        }
    }

    List<Load> loads() {
        return List.copyOf(millis.keySet());
    }

    private double at(Load load, double share) {
        return Quantiles.at(millis.getOrDefault(load, List.of()), share);
    }

    /** Returns the profile of these measurements. */
    Profiles.Content content(String name, String source, Prices prices) {
        Map<CloudCall, Map<Integer, Map<Long, List<Double>>>> tables = new EnumMap<>(CloudCall.class);
        millis.keySet()
                .forEach(load -> tables.computeIfAbsent(load.call(), call -> new TreeMap<>())
                        .computeIfAbsent(load.underWay(), n -> new TreeMap<>())
                        .put((long) load.bytes(), quantiles(load)));
        return Profiles.Content.of(name, source, prices, tables);
    }

    /**
     * The median and the 99th percentile stand for what is a little below and above them too: where a hump or a tail
     * begins there, the simulation of some thousand calls would miss them otherwise.
     */
    private List<Double> quantiles(Load load) {
        return MeasuredLatency.SHARES.stream()
                .map(share -> Math.abs(share - 0.5) < 0.02 ? 0.5 : Math.abs(share - 0.99) < 0.006 ? 0.99 : share)
                .map(share -> Rows.rounded(at(load, share), 1e4))
                .toList();
    }

    /** Returns the largest difference of a median or a 99th percentile to the same here, as a share of it. */
    double difference(Measured other) {
        return millis.keySet().stream()
                .mapToDouble(load -> Math.max(difference(other, load, 0.5), difference(other, load, 0.99)))
                .max()
                .orElse(0);
    }

    private double difference(Measured other, Load load, double share) {
        return Math.abs(other.at(load, share) / at(load, share) - 1);
    }

    /** Returns a table, with medians and 99th percentiles of the simulation beside. */
    Rows table(Measured simulated) {
        Rows rows = new Rows()
                .column("call", "call", "%s")
                .column("bytes", "bytes", "%,d")
                .column("underWay", "under way", "%d")
                .column("requests", "requests", "%,d");
        for (String share : List.of("p50", "p90", "p99", "p999", "simulatedP50", "simulatedP99")) {
            rows.column(share + "Millis", share.replace("simulatedP", "simulated p") + " ms", "%,.2f");
        }
        millis.forEach((load, calls) -> rows.add(
                load.call().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                load.bytes(),
                load.underWay(),
                calls.size(),
                at(load, 0.5),
                at(load, 0.9),
                at(load, 0.99),
                at(load, 0.999),
                simulated.at(load, 0.5),
                simulated.at(load, 0.99)));
        return rows;
    }
}
