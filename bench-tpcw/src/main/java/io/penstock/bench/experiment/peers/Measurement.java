package io.penstock.bench.experiment.peers;

import java.util.ArrayList;
import java.util.List;

/** The figures of one benchmark of one subject, for each iteration. For one thread. */
final class Measurement {
    private final List<Double> scores = new ArrayList<>();
    private final List<Double> allocated = new ArrayList<>();

    void add(double operationsPerSecond, double bytesPerOperation) {
        scores.add(operationsPerSecond);
        allocated.add(bytesPerOperation);
    }

    boolean isEmpty() {
        return scores.isEmpty();
    }

    /** Operations per second: the median, so that other work on the machine does not count. */
    double operationsPerSecond() {
        return median(scores);
    }

    /** Bytes allocated by an operation. */
    double allocatedBytes() {
        return median(allocated);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
