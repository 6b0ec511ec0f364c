package io.penstock.commit.simulation.promise;

import io.penstock.FinalState;
import io.penstock.commit.simulation.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** In the end the two accounts of each pair that one user owns make the sum that each transaction gave them. */
public final class MoneyIsKept implements Promise {
    private static final long SUM = 100;

    @Override
    public String name() {
        return "all or nothing";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        for (Map.Entry<String, FinalState.Found> entry : evidence.end().entrySet()) {
            String left = entry.getKey();
            if (evidence.workload() == Workload.BANK && left.endsWith(Workload.LEFT)) {
                String right = left.substring(0, left.length() - Workload.LEFT.length()) + Workload.RIGHT;
                long sum = amount(entry.getValue()) + amount(evidence.end().get(right));
                if (sum != SUM) {
                    violations.add(left + " and its other half make " + sum + ": " + entry.getValue() + " "
                            + evidence.end().get(right));
                }
            }
        }
        return violations;
    }

    private static long amount(FinalState.@org.jspecify.annotations.Nullable Found found) {
        String value = found == null ? null : found.value();
        return value == null ? 0 : Long.parseLong(value.substring(value.indexOf('=') + 1));
    }
}
