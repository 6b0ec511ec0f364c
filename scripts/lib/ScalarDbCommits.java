import com.scalar.db.api.DistributedTransaction;
import com.scalar.db.api.DistributedTransactionAdmin;
import com.scalar.db.api.DistributedTransactionManager;
import com.scalar.db.api.Get;
import com.scalar.db.api.TableMetadata;
import com.scalar.db.api.Upsert;
import com.scalar.db.exception.transaction.TransactionException;
import com.scalar.db.io.DataType;
import com.scalar.db.io.Key;
import com.scalar.db.service.TransactionFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Commits of ScalarDB on S3, in a process of its own: {@code ScalarDbCommits.java BUCKET PREFIX CALLERS RECORDS DRAW
 * OPTION...}.
 *
 * <p>Each transaction reads RECORDS records of 1,000 and writes them; DRAW is {@code uniform} or {@code zipf}; OPTION is
 * a property of Consensus Commit, such as {@code one_phase_commit.enabled=true}. The server is that of {@code
 * AWS_ENDPOINT_URL_S3}. It writes "warm" when it has committed for some seconds, reads for how many seconds it shall
 * measure, writes the milliseconds of each commit as a line of JSON, and ends when another line comes.
 */
public final class ScalarDbCommits {
    private static final int KEYS = 1_000;
    private static final double SKEW = 0.99;
    private static final long WARM_UP_MILLIS = 10_000;
    private static final byte[] PAYLOAD = new byte[100];

    private final DistributedTransactionManager manager;
    private final String namespace;
    private final int records;
    private final double[] cumulated = new double[KEYS];
    private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
    private volatile long since = Long.MAX_VALUE;
    private volatile boolean over;

    private ScalarDbCommits(DistributedTransactionManager manager, String namespace, int records, boolean zipf) {
        this.manager = manager;
        this.namespace = namespace;
        this.records = records;
        double sum = 0;
        for (int i = 0; i < KEYS; i++) {
            sum += zipf ? Math.pow(i + 1, -SKEW) : 1;
            cumulated[i] = sum;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("scalar.db.storage", "s3");
        properties.setProperty("scalar.db.contact_points", System.getenv("AWS_REGION") + "/" + arguments[0]);
        properties.setProperty("scalar.db.username", System.getenv("AWS_ACCESS_KEY_ID"));
        properties.setProperty("scalar.db.password", System.getenv("AWS_SECRET_ACCESS_KEY"));
        properties.setProperty("scalar.db.system_namespace_name", arguments[1]);
        properties.setProperty("scalar.db.consensus_commit.coordinator.namespace", arguments[1] + "coordinator");
        for (String option : Arrays.copyOfRange(arguments, 5, arguments.length)) {
            String[] parts = option.split("=");
            properties.setProperty("scalar.db.consensus_commit." + parts[0], parts[1]);
        }
        TransactionFactory factory = TransactionFactory.create(properties);
        String namespace = arguments[1] + "data";
        try (DistributedTransactionAdmin admin = factory.getTransactionAdmin()) {
            admin.createCoordinatorTables(true);
            admin.createNamespace(namespace, true);
            TableMetadata table = TableMetadata.newBuilder()
                    .addColumn("id", DataType.TEXT)
                    .addColumn("payload", DataType.BLOB)
                    .addPartitionKey("id")
                    .build();
            admin.createTable(namespace, "records", table, true);
        }
        try (DistributedTransactionManager manager = factory.getTransactionManager()) {
            new ScalarDbCommits(manager, namespace, Integer.parseInt(arguments[3]), arguments[4].equals("zipf"))
                    .run(Integer.parseInt(arguments[2]));
        }
        System.exit(0);
    }

    private void run(int callers) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            threads.add(Thread.ofPlatform().start(this::callAgain));
        }
        Thread.sleep(WARM_UP_MILLIS);
        System.out.println("warm");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        double seconds = Double.parseDouble(lines.readLine());
        since = System.nanoTime();
        Thread.sleep((long) (seconds * 1_000));
        over = true;
        System.out.println(
                millis.stream().map(one -> String.format("%.3f", one)).collect(Collectors.joining(",", "[", "]")));
        for (Thread thread : threads) {
            thread.join();
        }
        lines.readLine();
    }

    private void callAgain() {
        SplittableRandom random = new SplittableRandom();
        while (!over) {
            Set<String> keys = new LinkedHashSet<>();
            while (keys.size() < records) {
                int found = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[KEYS - 1]);
                keys.add("k" + (found < 0 ? -found - 1 : found));
            }
            long began = System.nanoTime();
            while (!commit(keys) && !over) {
                // Another one was first: it begins anew, and the time counts.
            }
            if (began >= since && !over) {
                millis.add((System.nanoTime() - began) / 1e6);
            }
        }
    }

    private boolean commit(Set<String> keys) {
        DistributedTransaction transaction = null;
        try {
            transaction = manager.begin();
            for (String key : keys) {
                Key id = Key.ofText("id", key);
                transaction.get(Get.newBuilder()
                        .namespace(namespace)
                        .table("records")
                        .partitionKey(id)
                        .build());
                transaction.upsert(Upsert.newBuilder()
                        .namespace(namespace)
                        .table("records")
                        .partitionKey(id)
                        .blobValue("payload", PAYLOAD)
                        .build());
            }
            transaction.commit();
            return true;
        } catch (TransactionException conflict) {
            abort(transaction);
            return false;
        }
    }

    private static void abort(DistributedTransaction transaction) {
        try {
            if (transaction != null) {
                transaction.abort();
            }
        } catch (TransactionException e) {
            // It has ended.
        }
    }
}
