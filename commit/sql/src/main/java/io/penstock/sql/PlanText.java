package io.penstock.sql;

import io.penstock.core.StoreException;
import io.penstock.query.QueryPlan;
import java.math.BigDecimal;

/** The plan of the store for a scan, and its price, in words. */
final class PlanText {
    /** The price of a GET, in dollars: S3 in us-east-1, as in docs/PROFILES.md. */
    private static final BigDecimal GET_DOLLARS = new BigDecimal("0.0000004");

    private PlanText() {}

    static String of(CollectionScan scan) {
        try {
            return of(scan.rows().collection().plan(scan.query(number -> null)));
        } catch (StoreException unknown) {
            return unknown.code().name();
        }
    }

    private static String of(QueryPlan plan) {
        BigDecimal dollars = GET_DOLLARS.multiply(BigDecimal.valueOf(plan.requests()));
        return plan.access()
                + (plan.by().isEmpty() ? "" : " " + plan.by())
                + " leaves=" + plan.leaves()
                + " skipped=" + plan.skipped()
                + " requests=" + plan.requests()
                + " bytes=" + plan.bytes()
                + " dollars="
                + (dollars.signum() == 0 ? "0" : dollars.stripTrailingZeros().toPlainString());
    }
}
