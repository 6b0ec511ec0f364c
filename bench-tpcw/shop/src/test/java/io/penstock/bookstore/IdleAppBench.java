package io.penstock.bookstore;

import com.sun.net.httpserver.HttpExchange;
import io.penstock.testing.RealServers;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The requests of an application that has written something and is left alone, as a proxy before LocalStack counts
 * them, and what they would cost in a month.
 */
public final class IdleAppBench {
    private static final int MINUTES = 10;
    private static final int SETTLE_SECONDS = 60;
    private static final double MINUTES_PER_MONTH = 30 * 24 * 60;

    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();

    private IdleAppBench() {}

    public static void main(String[] arguments) throws Exception {
        Options options = Options.of("idle-app", arguments, "minutes");
        new IdleAppBench().run(options.number("minutes", MINUTES));
    }

    /** SQS names its action in a header; everything else is S3. */
    private void count(HttpExchange request) {
        String action = request.getRequestHeaders().getFirst("X-Amz-Target");
        boolean listing = request.getRequestMethod().equals("GET")
                && String.valueOf(request.getRequestURI().getQuery()).contains("list-type");
        String name = action != null
                ? "SQS " + action.substring(action.indexOf('.') + 1)
                : "S3 " + (listing ? "LIST" : request.getRequestMethod());
        requests.computeIfAbsent(name, key -> new LongAdder()).increment();
    }

    private void run(int minutes) throws InterruptedException {
        RealServers.Endpoint servers = RealServers.localstack();
        try (Relay proxy = new Relay(List.of(servers.s3()), this::count);
                ShopProcess app = ShopProcess.start(TwoServers.onServers(proxy.address(), proxy.address()))
                        .awaitStart();
                Browser browser = new Browser(app.address())) {
            var unused = browser.submit("/cart", Map.of("add", 9));
            Thread.sleep(SETTLE_SECONDS * 1_000L);
            print("from the start until a minute after a write", Map.copyOf(requests), 0);
            requests.clear();
            Thread.sleep(minutes * 60_000L);
            print(minutes + " minutes at rest", new TreeMap<>(requests), minutes);
        }
    }

    private static void print(String when, Map<String, LongAdder> counted, int minutes) {
        double dollars = 0;
        System.out.println("\n" + when + ":\n\n| request | count | $ a month |\n|---|---|---|");
        for (Map.Entry<String, LongAdder> one : new TreeMap<>(counted).entrySet()) {
            long count = one.getValue().sum();
            double monthly = minutes == 0 ? 0 : count * price(one.getKey()) / minutes * MINUTES_PER_MONTH;
            dollars += monthly;
            row(one.getKey(), count, minutes, monthly);
        }
        row("all", counted.values().stream().mapToLong(LongAdder::sum).sum(), minutes, dollars);
    }

    private static void row(String name, long count, int minutes, double dollars) {
        String cost = minutes == 0 ? "" : String.format(Locale.ROOT, "%.2f", dollars);
        System.out.printf(Locale.ROOT, "| %s | %d | %s |%n", name, count, cost);
    }

    private static double price(String request) {
        PriceList prices = Profile.AWS_2026.prices();
        return switch (request) {
            case "S3 PUT", "S3 POST", "S3 LIST" -> prices.s3Put();
            case "S3 GET", "S3 HEAD" -> prices.s3Get();
            case "S3 DELETE" -> 0;
            default -> prices.sqsUnit();
        };
    }
}
