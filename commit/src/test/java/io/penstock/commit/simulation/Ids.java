package io.penstock.commit.simulation;

import io.penstock.core.sim.CallWatcher;
import io.penstock.core.sim.SimulatedClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A watch over the ids that machines take: a new one only after a call whose outcome is not known, or when the last one
 * was retired or has signed off.
 */
final class Ids implements CallWatcher {
    static final String FEW_IDS = "a client takes a new id only for a reason";

    private static final String CLIENTS = "penstock/clients/";

    /** What a client takes in calm weather, and once more. */
    private static final int CALM_MAX = 6;

    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<String, String> owners = new HashMap<>();
    private final Map<String, Set<String>> ended = new HashMap<>();
    private final Map<String, Integer> lost = new HashMap<>();

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        if (step == Step.DONE && on.startsWith(CLIENTS)) {
            String owner = owners.get(on);
            if (owner == null && call.equals("put")) {
                owners.put(on, client.name());
                ids.merge(client.name(), 1, Integer::sum);
            } else if (owner != null && (call.equals("delete") || !owner.equals(client.name()))) {
                ended.computeIfAbsent(owner, name -> new HashSet<>()).add(on);
            }
        } else if (step == Step.LOST) {
            lost.merge(client.name(), 1, Integer::sum);
        }
    }

    List<String> violations() {
        return ids.entrySet().stream()
                .filter(machine -> machine.getValue()
                        > CALM_MAX
                                + lost.getOrDefault(machine.getKey(), 0)
                                + ended.getOrDefault(machine.getKey(), Set.of()).size())
                .map(machine -> machine.getKey() + " took " + machine.getValue() + " ids")
                .toList();
    }
}
