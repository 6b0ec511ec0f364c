package io.penstock.commit.simulation;

import io.penstock.CoveringIndex;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The collections of a run in one store handle, and how a history's keys name their records. */
final class Tables {
    /** The name of the cut that has the index include nothing. */
    static final String CUT = "no-covering";

    private static final int SEARCH_KEYS = 3;

    final Map<String, RecordCollection<String, String>> collections = new LinkedHashMap<>();
    final @Nullable Index<String, String, String> index;

    /** The same index where its entries include the values, in some runs. */
    final @Nullable CoveringIndex<String, String, String, String> covering;

    Tables(Penstock store, Scenario scenario) {
        for (String name : scenario.workload().collections()) {
            collections.put(
                    name,
                    store.collection(name, Keys.string(), JSON)
                            .compressed(scenario.shape().compression()));
        }
        this.index = scenario.shape().indexed()
                ? collections.get(first()).index("by-digit", Keys.string(), Tables::searchKey)
                : null;
        this.covering = index != null && isCovering(scenario) ? index.including("value", JSON, value -> value) : null;
    }

    /** Drawn apart from all else. */
    private static boolean isCovering(Scenario scenario) {
        return new SplittableRandom(scenario.seed() * 15_485_863 + 7).nextInt(4) == 0
                && !scenario.cuts().contains(CUT);
    }

    private static final Json<String> JSON = Json.of(String.class);

    /** A few, which change with the value, and now and then do not. */
    static String searchKey(String value) {
        return String.valueOf(Math.floorMod(value.hashCode(), SEARCH_KEYS));
    }

    static List<String> searchKeys() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < SEARCH_KEYS; i++) {
            all.add(String.valueOf(i));
        }
        return all;
    }

    RecordCollection<String, String> of(String key) {
        RecordCollection<String, String> found = collections.get(key.substring(0, key.indexOf('/')));
        if (found == null) {
            throw new IllegalArgumentException("no such collection: " + key);
        }
        return found;
    }

    RecordCollection<String, String> collection(String name) {
        return of(name + "/");
    }

    /** The name of the collection that may have an index. */
    String first() {
        return collections.keySet().iterator().next();
    }

    static String within(String key) {
        return key.substring(key.indexOf('/') + 1);
    }
}
