package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.bench.tpcw.anomaly.SessionEvent;
import io.penstock.bench.tpcw.farm.Farm;
import io.penstock.bench.tpcw.farm.Venue;
import io.penstock.bench.tpcw.farm.Work;
import java.time.Duration;
import java.util.function.Consumer;

/** The purchases of a scenario at one of its levels. */
public record LevelPlan(Scenario scenario, ConsistencyLevel level) implements Work {
    @Override
    public Duration measured() {
        return Duration.ZERO;
    }

    @Override
    public Farm open(Venue.Site site, Farm.Share share, Consumer<SessionEvent> witness) {
        return new Shoppers(this, site, share, witness);
    }
}
