package io.penstock.bookstore;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.Penstock;
import io.penstock.bench.tpcw.run.CostModel;
import io.penstock.bench.tpcw.run.Usage;
import io.penstock.bench.tpcw.run.Usage.Count;
import io.penstock.testkit.Profile;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The page with the live usage of this server of the shop. Its own requests for the depth of queues count too. */
@Controller
class LiveController {
    private static final String SECONDS = "2";

    private final Penstock store;
    private final MeterRegistry meters;
    private final Shop shop;
    private final CostModel costs = new CostModel(Profile.AWS_2026.prices());

    LiveController(Penstock store, MeterRegistry meters, Shop shop) {
        this.store = store;
        this.meters = meters;
        this.shop = shop;
    }

    /** @param still present if the page is to stay as it is */
    @GetMapping("/live")
    ModelAndView live(@RequestParam(required = false) @Nullable String still, HttpServletResponse response) {
        if (still == null) {
            response.setHeader("Refresh", SECONDS);
        }
        return new ModelAndView("live", "figures", figures()).addObject("moves", still == null);
    }

    private Map<String, Object> figures() {
        Usage usage = Usage.read(meters, Usage.TRANSACTION).plus(Usage.read(meters, Usage.CHECKPOINT));
        Gauge oldest = meters.find("penstock.pending.age").gauge();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("Gets of S3", usage.of(Count.S3_GET));
        figures.put("Puts of S3", usage.of(Count.S3_PUT));
        figures.put("Deletes of S3", usage.of(Count.S3_DELETE));
        figures.put("Lists of S3", usage.of(Count.S3_LIST));
        figures.put("Sends to SQS", usage.of(Count.SQS_SEND));
        figures.put("Receives of SQS", usage.of(Count.SQS_RECEIVE));
        figures.put("Deletes of SQS", usage.of(Count.SQS_DELETE));
        figures.put("Other requests of SQS", usage.of(Count.SQS_OTHER));
        figures.put("Dollars", String.format(Locale.ROOT, "%.6f", costs.dollars(usage)));
        figures.put("Pending messages", store.admin().backlog().total());
        figures.put("Age of the oldest, in seconds", oldest == null ? 0.0 : oldest.value());
        figures.put("Conflicts", shop.conflicts());
        return figures;
    }
}
