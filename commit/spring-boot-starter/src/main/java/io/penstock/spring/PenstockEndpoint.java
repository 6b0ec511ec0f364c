package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.core.StoreException;
import io.penstock.report.Backlog;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The state of the store as the actuator's endpoint {@code penstock}, for Boot 4 and Boot 3. It asks each queue for its
 * depth, and reads the definitions of all collections. Safe for use by many threads.
 */
@Endpoint(id = "penstock")
final class PenstockEndpoint {
    private final Penstock store;
    private final Settings settings;
    private final String place;
    private final HourlyCost cost;

    PenstockEndpoint(Penstock store, Settings settings, String place, HourlyCost cost) {
        this.store = store;
        this.settings = settings;
        this.place = place;
        this.cost = cost;
    }

    @ReadOperation
    Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("place", place);
        state.put("prefix", settings.prefix());
        state.put("level", settings.level().name());
        state.put("collections", collections());
        state.put("backlog", backlog(store.admin().backlog()));
        state.put("quarantined", store.admin().quarantine().list().size());
        state.put("client", store.clientId().hex());
        state.put("queueClients", store.admin().inspect().clients());
        HourlyCost.Cost spent = cost.now();
        state.put("cost", Map.of("dollars", spent.dollars(), "over", wholeSeconds(spent.over())));
        return state;
    }

    /** The level of each collection, or the code that says why it has none. */
    private Map<String, String> collections() {
        Map<String, String> levels = new TreeMap<>();
        store.collections().forEach(name -> {
            try {
                levels.put(name, store.rawCollection(name).level().name());
            } catch (StoreException refused) {
                levels.put(name, refused.code().name());
            }
        });
        return levels;
    }

    private static Map<String, Object> backlog(Backlog backlog) {
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put("pendingMessages", backlog.pendingMessages());
        parts.put("atomicMessages", backlog.atomicMessages());
        parts.put("logSegments", backlog.logSegments());
        backlog.oldest().ifPresent(age -> parts.put("oldest", wholeSeconds(age)));
        return parts;
    }

    private static String wholeSeconds(Duration time) {
        return Duration.ofSeconds(time.toSeconds()).toString();
    }
}
