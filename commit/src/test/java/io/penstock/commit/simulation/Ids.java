package io.penstock.commit.simulation;

import io.penstock.core.sim.CallWatcher;
import io.penstock.core.sim.SimulatedClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A watch over the ids that machines take: a new one only after a call whose outcome is not known. */
final class Ids implements CallWatcher {
    static final String FEW_IDS = "a client takes a new id only for a reason";

    private static final String CLIENTS = "penstock/clients/";

    /** What a client takes in calm weather, and once more. */
    private static final int CALM_MAX = 6;

    private final Map<String, Integer> ids = new HashMap<>();
    private final Set<String> known = new HashSet<>();
    private final Map<String, Integer> lost = new HashMap<>();

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        if (step == Step.DONE && call.equals("put") && on.startsWith(CLIENTS)) {
            if (known.add(on)) { // others retire it
                ids.merge(client.name(), 1, Integer::sum);
            }
        } else if (step == Step.LOST) {
            lost.merge(client.name(), 1, Integer::sum);
        }
    }

    List<String> violations() {
        return ids.entrySet().stream()
                .filter(machine -> machine.getValue() > CALM_MAX + lost.getOrDefault(machine.getKey(), 0))
                .map(machine -> machine.getKey() + " took " + machine.getValue() + " ids")
                .toList();
    }
}
