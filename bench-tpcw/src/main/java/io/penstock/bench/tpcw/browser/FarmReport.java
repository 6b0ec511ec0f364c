package io.penstock.bench.tpcw.browser;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.process.Breakdown;
import io.penstock.bench.tpcw.anomaly.SessionEvent;

/**
 * A report of a process with web servers to the driver, a JSON object on each line, in this order: ready; after the
 * order to browse, what happened, then browsed; after the order to close, closed. Broken ends it at any time.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "report")
@JsonSubTypes({
    @JsonSubTypes.Type(value = FarmReport.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = FarmReport.Happened.class, name = "happened"),
    @JsonSubTypes.Type(value = FarmReport.Browsed.class, name = "browsed"),
    @JsonSubTypes.Type(value = FarmReport.Closed.class, name = "closed"),
    @JsonSubTypes.Type(value = FarmReport.Broken.class, name = "broken")
})
sealed interface FarmReport {
    /** All stores are open; the clock of the process shows {@code nanos}. */
    record Ready(long nanos) implements FarmReport {}

    record Happened(SessionEvent event) implements FarmReport {}

    record Browsed(Farm.Bill bill) implements FarmReport {}

    record Closed() implements FarmReport {}

    /** The process cannot go on; {@code request}: because the call was wrong. */
    record Broken(String message, boolean request) implements FarmReport, Breakdown {}
}
