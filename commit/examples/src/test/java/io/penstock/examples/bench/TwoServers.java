package io.penstock.examples.bench;

import io.penstock.testing.RealServers;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The shop in two processes on one store, behind a proxy that goes from one to the other at each request. */
public final class TwoServers implements AutoCloseable {
    private final ShopProcess first;
    private final ShopProcess second;
    private final Relay proxy;
    private final HttpClient client = HttpClient.newHttpClient();

    private TwoServers(ShopProcess first, ShopProcess second) {
        this.first = first;
        this.second = second;
        this.proxy = new Relay(List.of(first.address(), second.address()), exchange -> {});
    }

    /** Starts them on a store of their own. */
    public static TwoServers start(RealServers.Endpoint servers) throws InterruptedException {
        List<String> properties = onServers(servers.s3(), servers.sqs());
        ShopProcess first = ShopProcess.start(properties);
        ShopProcess second = ShopProcess.start(properties);
        TwoServers both = new TwoServers(first, second);
        try {
            first.awaitStart();
            second.awaitStart();
            return both;
        } catch (RuntimeException | InterruptedException failure) {
            both.close();
            throw failure;
        }
    }

    /** The properties of a new store. */
    static List<String> onServers(URI s3, @org.jspecify.annotations.Nullable URI sqs) {
        return List.of(
                "penstock.directory=",
                "penstock.bucket=shop",
                "penstock.create-bucket=true",
                "penstock.prefix=shop-" + Long.toString(System.nanoTime(), 36),
                "penstock.endpoint-s3=" + s3,
                "penstock.endpoint-sqs=" + sqs,
                "penstock.region=" + RealServers.Endpoint.REGION,
                "penstock.path-style=true",
                "penstock.session-key=a key of all the servers");
    }

    public Visitor visitor() {
        return new Visitor(client, proxy.address());
    }

    /**
     * What became of users who wrote and were sent on to what they had written.
     *
     * @param moved the redirects that led to the other server
     * @param lost those after which the user did not see what she had written
     * @param millis how long the other server took to answer, sorted
     */
    public record Redirects(int all, int moved, int lost, List<Double> millis) {
        public double percentile(double percent) {
            return millis.isEmpty() ? 0 : millis.get((int) Math.ceil(millis.size() * percent / 100) - 1);
        }
    }

    /** Users write todos and are redirected to them, for some time. */
    public Redirects redirects(int users, int seconds) throws InterruptedException {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        List<Redirects> each = all(users, user -> redirects(visitor(), end));
        List<Double> millis = new ArrayList<>();
        each.forEach(one -> millis.addAll(one.millis));
        millis.sort(Double::compare);
        return new Redirects(
                each.stream().mapToInt(Redirects::all).sum(),
                each.stream().mapToInt(Redirects::moved).sum(),
                each.stream().mapToInt(Redirects::lost).sum(),
                millis);
    }

    private static Redirects redirects(Visitor visitor, long endNanos) {
        int all = 0;
        int moved = 0;
        int lost = 0;
        List<Double> millis = new ArrayList<>();
        while (System.nanoTime() < endNanos) {
            String title = "todo " + all++;
            HttpResponse<String> written = visitor.post("/todos", "text/plain", title);
            if (written.statusCode() != 303) {
                throw new IllegalStateException(written.statusCode() + " " + written.body());
            }
            long begun = System.nanoTime();
            HttpResponse<String> seen =
                    visitor.get(written.headers().firstValue("Location").orElseThrow());
            if (!server(seen).equals(server(written))) {
                moved++;
                millis.add((System.nanoTime() - begun) / 1e6);
            }
            if (seen.statusCode() != 200 || !seen.body().contains(title)) {
                lost++;
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
     * @param lost answers that said to try again
     * @param orders that the store has at the end
     */
    public record Sale(int sold, int lost, int stock, int orders) {}

    /** Many buy the last copies of a book, each as often as there are any. */
    public Sale sell(int copies, int buyers) throws InterruptedException {
        Visitor owner = visitor();
        owner.put("/books/1", "{\"isbn\":\"1\",\"title\":\"Dams\",\"stock\":" + copies + "}");
        List<int[]> each = all(buyers, buyer -> buy(visitor(), buyer));
        int sold = each.stream().mapToInt(one -> one[0]).sum();
        String left = owner.get("/books/1").body();
        return new Sale(
                sold,
                each.stream().mapToInt(one -> one[1]).sum(),
                Integer.parseInt(left.replaceAll(".*\"stock\":(-?\\d+).*", "$1")),
                Integer.parseInt(owner.get("/books/1/orders").body()));
    }

    private static int[] buy(Visitor visitor, int buyer) {
        int[] soldAndLost = {0, 0};
        // She has looked at the book, so no older state of it counts for her.
        while (visitor.get("/books/1").statusCode() == 404) {
            Thread.onSpinWait();
        }
        while (true) {
            HttpResponse<String> answer = visitor.post("/books/1/orders?buyer=" + buyer, "text/plain", "");
            switch (answer.statusCode()) {
                case 200 -> soldAndLost[0]++;
                case 409 -> soldAndLost[1]++;
                case 410 -> {
                    return soldAndLost;
                }
                default -> throw new IllegalStateException(answer.statusCode() + " " + answer.body());
            }
        }
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
        client.close();
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
