package io.penstock.bench.tpcw.shop;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.Penstock;
import io.penstock.bench.program.Json;
import io.penstock.bench.tpcw.figures.CostModel;
import io.penstock.bench.tpcw.figures.Requests;
import io.penstock.bench.tpcw.figures.Usage;
import io.penstock.core.sim.PriceList;

/** What the shop uses, while it is used. Its script asks once a second; asking the queues how full they are counts. */
record LivePage(Penstock store, MeterRegistry meters, PriceList prices, Routes routes) {
    /** The figures, as JSON. */
    record Figures(
            Requests requests, double dollars, long pendingMessages, double oldestPendingSeconds, long conflicts) {}

    static final Routes.Page PAGE = new Routes.Page(
            "Live",
            "<table id=\"live\"><tbody></tbody></table><p>Dollars are the requests of this server at the prices of"
                    + " today.</p><script src=\"/live.js\"></script>");

    /** For so long others may have read what a customer of this server has replaced. */
    private double oldestPendingSeconds() {
        Gauge age = meters.find("penstock.pending.age").gauge();
        return age == null ? 0 : age.value();
    }

    String json() {
        Usage usage = Usage.read(meters, Usage.TRANSACTION).plus(Usage.read(meters, Usage.CHECKPOINT));
        return Json.of(new Figures(
                usage.requests(),
                new CostModel(prices).dollars(usage),
                store.admin().backlog().total(),
                oldestPendingSeconds(),
                routes.conflicts()));
    }
}
