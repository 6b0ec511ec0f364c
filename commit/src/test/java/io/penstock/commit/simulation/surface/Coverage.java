package io.penstock.commit.simulation.surface;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Tells which methods were called, and which pairs of steps, contexts and features of the world were seen. */
final class Coverage {
    private final Calls calls;

    Coverage(Calls calls) {
        this.calls = calls;
    }

    void print(PrintStream out) {
        out.println("calls:");
        for (Map.Entry<String, Long> method : calls.methods().entrySet()) {
            out.println("  " + method.getValue() + " " + method.getKey());
        }
        List<String> missing = missing();
        int all = calls.pairs().size() + missing.size();
        out.printf(Locale.ROOT, "pairs: %d of %d seen%n", calls.pairs().size(), all);
        missing.forEach(pair -> out.println("  never: " + pair));
    }

    private List<String> missing() {
        TreeSet<String> steps = new TreeSet<>();
        for (Step step : Step.values()) {
            steps.add(step.name());
        }
        List<String> missing = new ArrayList<>();
        for (String step : steps) {
            for (Feature feature : Feature.values()) {
                if (feature.isOfWorld() && !calls.pairs().containsKey(Calls.pair(step, feature.name()))) {
                    missing.add(Calls.pair(step, feature.name()));
                }
            }
        }
        return missing;
    }
}
