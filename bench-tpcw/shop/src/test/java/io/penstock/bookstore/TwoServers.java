package io.penstock.bookstore;

import io.penstock.bench.tpcw.bookstore.Cart;
import io.penstock.testing.RealServers;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The shop in two processes on one store, behind a proxy that goes from one to the other at each request. */
final class TwoServers implements AutoCloseable {
    /** So many copies come in when the stock runs low. */
    private static final int RESTOCK = 21;

    private final ShopProcess first;
    private final ShopProcess second;
    private final Relay proxy;

    private TwoServers(ShopProcess first, ShopProcess second) {
        this.first = first;
        this.second = second;
        this.proxy = new Relay(List.of(first.address(), second.address()), exchange -> {});
    }

    /** Starts them on a store of their own, one after the other: the first fills the shop. */
    static TwoServers start(RealServers.Endpoint servers) throws InterruptedException {
        List<String> properties = onServers(servers.s3(), servers.sqs());
        ShopProcess first = ShopProcess.start(properties);
        try {
            first.awaitStart();
            return new TwoServers(first, ShopProcess.start(properties).awaitStart());
        } catch (RuntimeException | InterruptedException failure) {
            first.close();
            throw failure;
        }
    }

    /** The properties of a new store. */
    static List<String> onServers(URI s3, @org.jspecify.annotations.Nullable URI sqs) {
        return List.of(
                "penstock.bucket=bookstore",
                "penstock.create-bucket=true",
                "penstock.prefix=bookstore-" + Long.toString(System.nanoTime(), 36),
                "penstock.endpoint-s3=" + s3,
                "penstock.endpoint-sqs=" + sqs,
                "penstock.region=" + RealServers.Endpoint.REGION,
                "penstock.path-style=true",
                "penstock.session-key=a key of all the servers");
    }

    private Browser browser() {
        return new Browser(proxy.address());
    }

    /**
     * What became of users who wrote and were sent on to what they had written.
     *
     * @param moved the redirects that led to the other server
     * @param lost those after which the user did not see what she had written
     * @param millis how long the other server took to answer, sorted
     */
    record Redirects(int all, int moved, int lost, List<Double> millis) {
        double percentile(double percent) {
            return millis.isEmpty() ? 0 : millis.get((int) Math.ceil(millis.size() * percent / 100) - 1);
        }
    }

    /** Users change their carts and are redirected to them, for some time. */
    Redirects redirects(int users, int seconds) throws InterruptedException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        List<Redirects> each = all(users, user -> redirects(end));
        List<Double> millis = new ArrayList<>();
        each.forEach(one -> millis.addAll(one.millis));
        millis.sort(Double::compare);
        return new Redirects(
                each.stream().mapToInt(Redirects::all).sum(),
                each.stream().mapToInt(Redirects::moved).sum(),
                each.stream().mapToInt(Redirects::lost).sum(),
                millis);
    }

    private Redirects redirects(long endNanos) {
        int all = 0;
        int moved = 0;
        int lost = 0;
        List<Double> millis = new ArrayList<>();
        try (Browser browser = browser()) {
            String token = browser.token();
            while (System.nanoTime() < endNanos) {
                int copies = 1 + all++ % Cart.QUANTITY_MAX;
                HttpResponse<String> written = browser.post("/cart", Map.of("copies-9", copies, "token", token));
                if (written.statusCode() / 100 != 3) {
                    throw new IllegalStateException(written.statusCode() + " " + written.body());
                }
                long begun = System.nanoTime();
                HttpResponse<String> seen =
                        browser.get(written.headers().firstValue("Location").orElseThrow());
                if (!server(seen).equals(server(written))) {
                    moved++;
                    millis.add((System.nanoTime() - begun) / 1e6);
                }
                if (seen.statusCode() != 200 || !seen.body().contains("value=\"" + copies + "\"")) {
                    lost++;
                }
            }
        }
        return new Redirects(all, moved, lost, millis);
    }

    private static String server(HttpResponse<?> answer) {
        return answer.headers().firstValue(Relay.SERVER).orElseThrow();
    }

    /**
     * What became of buyers.
     *
     * @param sold copies, by as many orders
     * @param lost answers that said to try again
     * @param unaccounted copies that the stock does not account for
     */
    record Sale(int sold, int lost, int unaccounted) {}

    /** Many buy one book, a copy at a time. */
    Sale sell(int copies, int buyers) throws InterruptedException {
        try (Browser owner = browser()) {
            int before = stock(owner);
            List<Integer> lost = all(buyers, buyer -> buy(copies / buyers));
            int sold = copies / buyers * buyers;
            return new Sale(
                    sold,
                    lost.stream().mapToInt(Integer::intValue).sum(),
                    Math.floorMod(stock(owner) - before + sold, RESTOCK));
        }
    }

    private static int stock(Browser browser) {
        return Integer.parseInt(
                Browser.found("id=\"stock\">(\\d+)<", browser.get("/books/8").body()));
    }

    private int buy(int copies) {
        int lost = 0;
        try (Browser browser = browser()) {
            String token = browser.token();
            for (int bought = 0; bought < copies; ) {
                browser.post("/cart", Map.of("copies-8", 1, "token", token));
                HttpResponse<String> signedIn = browser.submit("/buy", Shops.PERSON);
                token = signedIn.statusCode() == 200
                        ? Browser.found("name=\"token\" value=\"([0-9a-f]+)\"", signedIn.body())
                        : token;
                Map<String, String> payment = new HashMap<>(Shops.PAYMENT);
                payment.put("token", token);
                switch (browser.post("/confirm", payment).statusCode()) {
                    case 200 -> bought++;
                    case 503 -> lost++;
                    default -> throw new IllegalStateException(signedIn.statusCode() + " " + signedIn.body());
                }
            }
        }
        return lost;
    }

    private interface Each<T> {
        T of(int number);
    }

    private static <T> List<T> all(int count, Each<T> each) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                tasks.add(() -> each.of(number));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> done : threads.invokeAll(tasks)) {
                try {
                    results.add(done.get());
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
            return results;
        }
    }

    @Override
    public void close() {
        proxy.close();
        // Both at once: each closes its store.
        Thread other = Thread.ofVirtual().start(second::close);
        first.close();
        try {
            other.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
