package io.penstock.report;

import java.util.Map;

/**
 * The outcome of applying again what was kept in quarantine.
 *
 * @param applied objects that are gone now
 * @param records log records applied
 * @param kept the ids of objects that stay, each with the reason
 */
public record QuarantineReport(long applied, long records, Map<String, String> kept) {
    public QuarantineReport {
        kept = Map.copyOf(kept);
    }
}
