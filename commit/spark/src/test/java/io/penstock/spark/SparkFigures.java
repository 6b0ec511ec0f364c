package io.penstock.spark;

import static org.apache.spark.sql.functions.sum;

import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.LatencyProxy;
import io.penstock.testing.RealServers;
import io.penstock.testing.RealServers.Endpoint;
import io.penstock.testkit.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.spark.sql.SparkSession;

/** Cold reads of order lines by one executor thread and by two, on LocalStack with the latencies of AWS; a program. */
final class SparkFigures {
    private static final int ORDERS = 10_000;
    private static final int ORDERS_OF_TRANSACTION = 2_000;
    private static final int LINES = 3;
    private static final int RUNS = 3;

    private SparkFigures() {}

    public static void main(String[] arguments) {
        Endpoint endpoint = RealServers.localstack();
        System.setProperty("aws.accessKeyId", endpoint.accessKey());
        System.setProperty("aws.secretAccessKey", endpoint.secretKey());
        String prefix = "figures-" + Long.toHexString(System.nanoTime());
        fill(endpoint, prefix);
        Profile profile = Profile.named(arguments.length == 0 ? "aws-2026" : arguments[0]);
        try (LatencyProxy proxy = LatencyProxy.to(endpoint.s3(), profile, 1)) {
            Map<String, String> options = new HashMap<>();
            options.put("bucket", "penstock-tests");
            options.put("endpointS3", proxy.address().toString());
            options.put("region", Endpoint.REGION);
            options.put("pathStyle", "true");
            options.put("prefix", prefix);
            options.put("hold", "0");
            options.put("splits", "8");
            options.put("poolBytes", "1MB"); // less than is read: all runs are cold
            options.put("collection", OrderLine.NAME);
            options.put("declaredBy", OrderLine.Declared.class.getName());
            List<List<Double>> seconds = List.of(new ArrayList<>(), new ArrayList<>());
            for (int run = 0; run <= RUNS; run++) {
                for (int executors = 1; executors <= 2; executors++) {
                    double taken = read(executors, options);
                    if (run > 0) { // the first loads classes
                        seconds.get(executors - 1).add(taken);
                    }
                }
            }
            double one = median(seconds.get(0));
            double two = median(seconds.get(1));
            System.out.printf(
                    "one %.2f s %s%ntwo %.2f s %s%nratio %.2f%n", one, seconds.get(0), two, seconds.get(1), one / two);
        }
        System.exit(0);
    }

    private static double median(List<Double> of) {
        return of.stream().sorted().skip(of.size() / 2).findFirst().orElseThrow();
    }

    private static double read(int executors, Map<String, String> options) {
        SparkSession spark = SparkSession.builder()
                .master("local[" + executors + "]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 2)
                .getOrCreate();
        try {
            long begun = System.nanoTime();
            var unused = spark.read()
                    .format("penstock")
                    .options(options)
                    .load()
                    .groupBy("item")
                    .agg(sum("quantity"))
                    .collectAsList();
            return (System.nanoTime() - begun) / 1e9;
        } finally {
            spark.stop();
        }
    }

    private static void fill(Endpoint endpoint, String prefix) {
        ThreadTasks tasks = new ThreadTasks();
        try (ObjectStore objects = AwsServers.objectsAt(endpoint, Duration.ofSeconds(20));
                Penstock store = Penstock.open(Settings.on(objects, tasks).prefix(prefix))) {
            RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines = OrderLine.lines(store, OrderLine.NAME);
            SplittableRandom random = new SplittableRandom(1);
            for (long first = 0; first < ORDERS; first += ORDERS_OF_TRANSACTION) {
                long from = first;
                store.transact(transaction -> {
                    for (long order = from; order < from + ORDERS_OF_TRANSACTION; order++) {
                        for (long line = 0; line < LINES; line++) {
                            transaction.put(lines, new Keys.Pair<>(order, line), OrderLine.random(random));
                        }
                    }
                    return true;
                });
            }
            store.admin().checkpoint();
        }
    }
}
