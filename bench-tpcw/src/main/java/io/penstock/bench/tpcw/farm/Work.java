package io.penstock.bench.tpcw.farm;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.tpcw.anomaly.SessionEvent;
import java.time.Duration;
import java.util.function.Consumer;

/** The plan of what the clients of a run do. A record, since processes of their own read it as JSON. */
@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
public interface Work {
    /** The length of the measurement; zero where all of the work is measured. */
    Duration measured();

    /**
     * Opens the clients that are threads of this process.
     *
     * @param share which of the clients
     * @param witness receives the events, from many threads
     */
    Farm open(Venue.Site site, Farm.Share share, Consumer<SessionEvent> witness);
}
