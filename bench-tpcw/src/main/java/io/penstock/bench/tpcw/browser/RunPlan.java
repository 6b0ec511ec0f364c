package io.penstock.bench.tpcw.browser;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.Settings;
import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.farm.Farm;
import io.penstock.bench.tpcw.farm.Tuning;
import io.penstock.bench.tpcw.farm.Venue;
import io.penstock.bench.tpcw.farm.Work;
import io.penstock.testkit.PriceList;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one run of emulated browsers.
 *
 * @param cloud the name of the cloud's profile, "local" or "aws"
 * @param prices the prices of its requests
 * @param seed of the population, of the browsers, and of the simulation if it is one
 */
public record RunPlan(
        String cloud, PriceList prices, Layout layout, ConsistencyLevel level, Load load, Tuning tuning, long seed)
        implements Work {
    /**
     * The load.
     *
     * @param servers web servers, each with a handle of the store; browsers are spread over them
     * @param scale of the population
     * @param zipf the exponent of Zipf's law by which items are chosen, 0 for the standard's NURand
     * @param crashAfter the time from the beginning of the measurement to the death of the first web server; null if
     *     none dies
     */
    public record Load(
            Mix mix,
            int browsers,
            int servers,
            Duration rampUp,
            Duration measured,
            Scale scale,
            double zipf,
            @Nullable Duration crashAfter) {}

    @Override
    public Duration measured() {
        return load.measured;
    }

    @Override
    public Farm open(Venue.Site site, Farm.Share share, Consumer<SessionEvent> witness) {
        return new BrowserFarm(this, site, share, witness);
    }

    Population population() {
        return new Population(seed, load.scale);
    }

    ItemChoice items() {
        return load.zipf == 0
                ? ItemChoice.nonUniform(load.scale.items())
                : ItemChoice.zipf(load.scale.items(), load.zipf);
    }

    Settings tune(Settings settings) {
        Settings tuned = tuning.apply(settings.level(level).advanced(advanced -> advanced.layout(layout)));
        // What a dead server had acknowledged is found by the sweeps of the others, as by default.
        return load.crashAfter == null ? tuned : tuned.advanced(advanced -> advanced.sweeping(true));
    }
}
