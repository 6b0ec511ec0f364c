package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.Settings;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.farm.Tuning;
import io.penstock.testkit.PriceList;
import java.time.Duration;
import java.util.List;

/**
 * One comparison: all its levels under the same load on the same kind of cloud.
 *
 * @param profile the name of the cloud's profile, or "local"
 * @param prices the prices of its requests
 * @param seed of the population, of the purchases, and of the simulation if it is one
 */
public record Scenario(
        String profile,
        PriceList prices,
        Layout layout,
        List<ConsistencyLevel> levels,
        Load load,
        Tuning tuning,
        long seed) {
    /**
     * The load.
     *
     * @param transactions in all, spread over the clients
     * @param thinkTime of a client between two of its transactions
     */
    public record Load(Scale scale, int transactions, int clients, Duration thinkTime) {
        /** The number of transactions of {@code client} (from 0). */
        int transactionsOf(int client) {
            return transactions / clients + (client < transactions % clients ? 1 : 0);
        }
    }

    /** The initial content of the bookstore. */
    Population population() {
        return new Population(seed, load.scale());
    }

    /** Returns {@code settings} as this scenario wants them for {@code level}. */
    Settings tune(Settings settings, ConsistencyLevel level) {
        return tuning.apply(settings.level(level).advanced(advanced -> advanced.layout(layout)));
    }

    /** The spelling of the command line and the JSON. */
    public String layoutName() {
        return switch (layout) {
            case Layout.PerLeaf() -> "per-leaf";
            case Layout.Partitioned(int queues) -> "partitioned-" + queues;
        };
    }
}
