package io.penstock.bench.tpcw.comparison;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.process.Breakdown;
import io.penstock.bench.tpcw.bookstore.Purchase;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.core.Stamp;
import java.util.List;

/**
 * A report of a client process to the driver, a JSON object on each line, in this order: ready; after the order to
 * shop, advances, then each purchase, then shopped; after the order to close, closed. Broken ends it at any time.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ClientReport.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = ClientReport.Advanced.class, name = "advanced"),
    @JsonSubTypes.Type(value = ClientReport.Acknowledged.class, name = "acknowledged"),
    @JsonSubTypes.Type(value = ClientReport.Unknown.class, name = "unknown"),
    @JsonSubTypes.Type(value = ClientReport.Shopped.class, name = "shopped"),
    @JsonSubTypes.Type(value = ClientReport.Closed.class, name = "closed"),
    @JsonSubTypes.Type(value = ClientReport.Broken.class, name = "broken")
})
sealed interface ClientReport {
    /** All stores of the process are open. */
    record Ready() implements ClientReport {}

    /** More purchases are over. */
    record Advanced(long steps) implements ClientReport {}

    /** A purchase that the store has acknowledged. */
    record Acknowledged(Purchase purchase, Stamp stamp, long nanos) implements ClientReport {}

    /** A purchase that may have been committed, or not. */
    record Unknown(Purchase purchase) implements ClientReport {}

    /** All purchases are over; {@code failures} were given up. */
    record Shopped(long failures, Usage transaction) implements ClientReport {}

    /** All stores of the process are closed. */
    record Closed(Usage checkpoint, List<String> notes) implements ClientReport {}

    /** The process cannot go on; {@code request}: because the call was wrong. */
    record Broken(String message, boolean request) implements ClientReport, Breakdown {}
}
