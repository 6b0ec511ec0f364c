package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.core.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a store: down when its servers do not answer. A backlog or something in quarantine does not make it
 * down, since another instance would see the same.
 *
 * @param details by name
 */
record StoreHealth(@Nullable StoreException failure, Map<String, Object> details) {
    static StoreHealth of(Penstock store) {
        Map<String, Object> details = new LinkedHashMap<>();
        try {
            store.ping();
            store.admin().backlog().oldest().ifPresent(age -> details.put("oldestPending", age.toString()));
            details.put("quarantined", store.admin().quarantine().list().size());
            return new StoreHealth(null, details);
        } catch (StoreException failure) {
            return new StoreHealth(failure, details);
        }
    }
}
