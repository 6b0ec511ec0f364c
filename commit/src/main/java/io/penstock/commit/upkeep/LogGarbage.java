package io.penstock.commit.upkeep;

import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.LogSurvey.Removable;
import io.penstock.core.CorruptDataException;
import io.penstock.report.GcReport;
import io.penstock.report.GcReport.Reason;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of a commit log that pages have and that are older than the log's retention, and those that a trim has
 * left. For one thread.
 */
final class LogGarbage {
    private static final Logger LOG = LoggerFactory.getLogger(LogGarbage.class);

    private LogGarbage() {}

    /** @param removing false: only looks */
    static GcReport collect(Domain domain, boolean removing) {
        try {
            Removable some = domain.survey().removable();
            if (removing) {
                long removed = domain.trim();
                while (removed > 0) {
                    removed = domain.trim();
                }
            }
            return new GcReport(
                    some.segments(), some.segments(), some.bytes(), removing ? some.segments() : 0, 0, Map.of());
        } catch (CorruptDataException damaged) {
            LOG.warn("a commit log stays as it is; repair it why={}", damaged.getMessage());
            return new GcReport(1, 0, 0, 0, 0, Map.of(Reason.UNREADABLE, 1L));
        }
    }
}
