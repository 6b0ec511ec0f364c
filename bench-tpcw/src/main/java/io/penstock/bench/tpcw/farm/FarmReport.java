package io.penstock.bench.tpcw.farm;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.process.Breakdown;
import io.penstock.bench.tpcw.anomaly.SessionEvent;

/**
 * A report of a process with clients to the driver, a JSON object on each line, in this order: ready; after the
 * order to work, what happened, then worked; after the order to close, closed. Broken ends it at any time.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "report")
@JsonSubTypes({
    @JsonSubTypes.Type(value = FarmReport.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = FarmReport.Happened.class, name = "happened"),
    @JsonSubTypes.Type(value = FarmReport.Worked.class, name = "worked"),
    @JsonSubTypes.Type(value = FarmReport.Closed.class, name = "closed"),
    @JsonSubTypes.Type(value = FarmReport.Broken.class, name = "broken")
})
sealed interface FarmReport {
    /** All stores are open; the clock of the process shows {@code nanos}. */
    record Ready(long nanos) implements FarmReport {}

    record Happened(SessionEvent event) implements FarmReport {}

    record Worked(Farm.Bill bill) implements FarmReport {}

    record Closed(Farm.Closing closing) implements FarmReport {}

    /** The process cannot go on; {@code request}: because the call was wrong. */
    record Broken(String message, boolean request) implements FarmReport, Breakdown {}
}
