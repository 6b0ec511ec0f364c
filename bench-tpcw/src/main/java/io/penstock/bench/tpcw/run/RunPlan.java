package io.penstock.bench.tpcw.run;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.Settings;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.testkit.PriceList;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one run. A record, since processes of their own read it as JSON.
 *
 * @param cloud the name of the cloud's profile, "local" or "aws"
 * @param prices the prices of its requests
 * @param seed of the population, of the clients, and of the simulation if it is one
 */
public record RunPlan(
        String cloud, PriceList prices, Layout layout, ConsistencyLevel level, Load load, Tuning tuning, long seed) {
    /** The clients of a run, and what they do. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
    public sealed interface Load {
        /** The scale of the population. */
        Scale scale();

        /** The length of the measurement; zero where all of the work is measured. */
        Duration measured();
    }

    /**
     * Emulated browsers.
     *
     * @param servers web servers, each with a handle of the store; browsers are spread over them
     * @param zipf the exponent of Zipf's law by which items are chosen, 0 for the standard's NURand
     * @param crashAfter the time from the beginning of the measurement to the death of the first web server; null if
     *     none dies
     */
    public record Browsing(
            Mix mix,
            int browsers,
            int servers,
            Duration rampUp,
            Duration measured,
            Scale scale,
            double zipf,
            @Nullable Duration crashAfter)
            implements Load {
        /** Returns this load with one web server, which does not die. */
        public Browsing onOneServer() {
            return new Browsing(mix, browsers, 1, rampUp, measured, scale, zipf, null);
        }

        ItemChoice items() {
            return zipf == 0 ? ItemChoice.nonUniform(scale.items()) : ItemChoice.zipf(scale.items(), zipf);
        }
    }

    /**
     * The paper's transaction, by clients without browsers.
     *
     * @param transactions in all, spread over the clients
     * @param thinkTime of a client between two of its transactions
     */
    public record Buying(Scale scale, int transactions, int clients, Duration thinkTime) implements Load {
        @Override
        public Duration measured() {
            return Duration.ZERO;
        }

        /** The number of transactions of {@code client} (from 0). */
        int transactionsOf(int client) {
            return transactions / clients + (client < transactions % clients ? 1 : 0);
        }
    }

    /** Returns this plan with another load and other settings. */
    public RunPlan with(Load newLoad, Tuning newTuning) {
        return new RunPlan(cloud, prices, layout, level, newLoad, newTuning, seed);
    }

    /** The load of a run of browsers. */
    public Browsing browsing() {
        return (Browsing) load;
    }

    /** The load of a run of the paper's transaction. */
    public Buying buying() {
        return (Buying) load;
    }

    /**
     * Opens the clients that are threads of this process.
     *
     * @param share which of the clients
     * @param witness receives the events, from many threads
     */
    Farm open(Venue.Site site, Farm.Share share, Consumer<SessionEvent> witness) {
        return switch (load) {
            case Browsing browsing -> new BrowserFarm(this, site, share, witness);
            case Buying buying -> new Shoppers(this, site, share, witness);
        };
    }

    /** The initial content of the bookstore. */
    Population population() {
        return new Population(seed, load.scale());
    }

    Settings tune(Settings settings) {
        Settings tuned = tuning.apply(settings.level(level).advanced(advanced -> advanced.layout(layout)));
        // What a dead server had acknowledged is found by the sweeps of the others, as by default.
        return load instanceof Browsing browsing && browsing.crashAfter != null
                ? tuned.advanced(advanced -> advanced.sweeping(true))
                : tuned;
    }

    /** Returns the layout as the command line and the JSON spell it. */
    public String layoutName() {
        return switch (layout) {
            case Layout.PerLeaf() -> "per-leaf";
            case Layout.Partitioned(int queues) -> "partitioned-" + queues;
        };
    }
}
