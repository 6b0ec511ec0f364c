package io.penstock.sql;

import io.penstock.core.StoreException;
import io.penstock.query.QueryPlan;
import java.math.BigDecimal;
import java.math.MathContext;

/** The plan of the store for a scan, and its price, in words. */
final class PlanText {
    private static final MathContext DIGITS = new MathContext(2);

    private PlanText() {}

    static String of(CollectionScan scan) {
        try {
            return of(scan.rows().collection().plan(scan.query(number -> null)));
        } catch (StoreException unknown) {
            return unknown.code().name();
        }
    }

    private static String of(QueryPlan plan) {
        return plan.access()
                + (plan.by().isEmpty() ? "" : " " + plan.by())
                + " leaves=" + plan.leaves()
                + " skipped=" + plan.skipped()
                + " requests=" + plan.requests()
                + " bytes=" + plan.bytes()
                + " dollars=" + plan.dollars().toPlainString()
                + " seconds=" + new BigDecimal(plan.seconds()).round(DIGITS).toPlainString();
    }
}
