package io.penstock.bench.tpcw.run;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * A report of a process with clients to the driver, a JSON object on each line, in this order: ready; after the
 * order to work, what happened, then worked; after the order to close, closed. Broken ends it at any time.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "report")
sealed interface FarmReport {
    /** All stores are open; the clock of the process shows {@code nanos}. */
    record Ready(long nanos) implements FarmReport {}

    record Happened(SessionEvent event) implements FarmReport {}

    record Worked(Farm.Bill bill) implements FarmReport {}

    record Closed(Farm.Closing closing) implements FarmReport {}

    /** The process cannot go on; {@code request}: because the call was wrong. */
    record Broken(String message, boolean request) implements FarmReport {}
}
