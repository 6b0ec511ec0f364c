package io.penstock.commit.simulation;

import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A watch over the ids that machines take: a new one only after a call whose outcome is not known, or when the last one
 * was retired, has signed off, or gives no heartbeats any more, since nothing was pending.
 */
final class Ids implements CallWatcher {
    static final String FEW_IDS = "a client takes a new id only for a reason";

    private static final String CLIENTS = "penstock/clients/";

    private static final Pattern LAST = Pattern.compile("\"last\":\"([0-9a-f]{4})\"");

    /** What a client takes in calm weather, and once more. */
    private static final int CALM_MAX = 6;

    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<String, String> owners = new HashMap<>();
    private final Map<String, Set<String>> ended = new HashMap<>();
    private final Map<String, Integer> lost = new HashMap<>();

    /** The ids of senders under each registered one: as many as its heartbeats say. */
    private final Map<String, Integer> senders = new HashMap<>();

    /** The last heartbeat of each client, in virtual nanoseconds, and of whom it was last. */
    private final Map<String, Long> beats = new HashMap<>();

    private final Map<String, String> last = new HashMap<>();
    private final SimulatedCloud cloud;
    private final long idleNanos;

    Ids(SimulatedCloud cloud, Scenario scenario) {
        this.cloud = cloud;
        this.idleNanos = scenario.shape().deadAfter().dividedBy(8).toNanos(); // a heartbeat and a quarter
    }

    @Override
    public void see(Step step, SimulatedClient client, String call, String on, @Nullable Object outcome) {
        if (step == Step.DONE && on.startsWith(CLIENTS)) {
            cloud.newest(on).ifPresent(beat -> countSenders(on, beat.body().toUtf8()));
            String owner = owners.get(on);
            if (owner == null && call.equals("put")) {
                owners.put(on, client.name());
                ids.merge(client.name(), 1, Integer::sum);
                endIdle(last.put(client.name(), on), client);
            } else if (owner != null && (call.equals("delete") || !owner.equals(client.name()))) {
                ended.computeIfAbsent(owner, name -> new HashSet<>()).add(on);
            }
            if (client.name().equals(owners.get(on))) {
                beats.put(on, client.nanoTime());
            }
        } else if (step == Step.LOST) {
            lost.merge(client.name(), 1, Integer::sum);
        }
    }

    private void endIdle(@Nullable String before, SimulatedClient owner) {
        if (before != null && owner.nanoTime() - beats.getOrDefault(before, 0L) > idleNanos) {
            ended.computeIfAbsent(owner.name(), name -> new HashSet<>()).add(before);
        }
    }

    private void countSenders(String client, String beat) {
        Matcher last = LAST.matcher(beat);
        if (last.find()) {
            senders.merge(client, Integer.parseInt(last.group(1), 16), Math::max);
        }
    }

    /** With the ids of its senders. */
    private int taken(String machine) {
        int more = owners.entrySet().stream()
                .filter(one -> one.getValue().equals(machine))
                .mapToInt(one -> senders.getOrDefault(one.getKey(), 0))
                .sum();
        return ids.getOrDefault(machine, 0) + more;
    }

    List<String> violations() {
        return ids.keySet().stream()
                .filter(machine -> taken(machine)
                        > CALM_MAX
                                + 2 * lost.getOrDefault(machine, 0)
                                + 2 * ended.getOrDefault(machine, Set.of()).size())
                .map(machine -> machine + " took " + taken(machine) + " ids")
                .toList();
    }
}
