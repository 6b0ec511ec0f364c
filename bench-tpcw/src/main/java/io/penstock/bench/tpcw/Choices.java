package io.penstock.bench.tpcw;

import io.penstock.ConsistencyLevel;
import io.penstock.Layout;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.run.RunPlan;
import io.penstock.bench.tpcw.run.Tuning;
import io.penstock.cli.program.UsageException;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options common to all clouds, with defaults that depend on the cloud. Filled by picocli. */
final class Choices {
    private static final int SIMULATED_TRANSACTIONS = 300;
    private static final int SIMULATED_ITEMS = 10_000;
    private static final int REAL_TRANSACTIONS = 100;
    private static final int REAL_ITEMS = 1_000;

    /** The number of clients: enough to see concurrent updates lost at NAIVE, few enough for a small machine. */
    private static final int CLIENTS = 4;

    private static final int TRANSACTIONS_MAX = 1_000_000;
    private static final int CLIENTS_MAX = 256;
    private static final BigDecimal SECONDS_MAX = BigDecimal.valueOf(86_400);
    private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);

    @Option(
            names = "--levels",
            split = ",",
            paramLabel = "LEVEL",
            description = "${COMPLETION-CANDIDATES}, separated by commas; default: all")
    private List<ConsistencyLevel> levels = new ArrayList<>(List.of(ConsistencyLevel.values()));

    @Option(
            names = "--transactions",
            paramLabel = "N",
            description = "transactions for each level; default: 300 simulated, else 100")
    private @Nullable Integer transactions;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "clients, each with its own handle and pool; default: 4, for paper-2008 1;"
                    + " with --processes: of each, default 1")
    private @Nullable Integer clients;

    @Option(names = "--items", paramLabel = "N", description = "rows in ITEM; default: 10000 simulated, else 1000")
    private @Nullable Integer items;

    @Option(
            names = "--browsers",
            paramLabel = "N",
            description = "emulated browsers to scale for: 2880 customers each; default: 1")
    private int browsers = 1;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "S",
            description = "seconds between checkpoints; default: 10, for paper-2008 20")
    private @Nullable BigDecimal checkpointInterval;

    @Option(
            names = "--think-time",
            paramLabel = "S",
            description = "seconds between transactions of a client; default: 0")
    private BigDecimal thinkTime = BigDecimal.ZERO;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "the same seed gives the same figures (simulated); default: 1")
    private long seed = 1;

    /** Returns a plan for each level, simulated. The paper's conditions have one client. */
    List<RunPlan> simulated(Profile profile, Layout layout) {
        int standard = profile.equals(Profile.PAPER_2008) ? 1 : CLIENTS;
        RunPlan.Buying load = load(SIMULATED_TRANSACTIONS, SIMULATED_ITEMS, clients(standard));
        return plans(profile.name(), profile.prices(), layout, load, Tuning.of(profile));
    }

    /** Returns a plan for each level, in real time on a real disk: short runs. */
    List<RunPlan> local(Layout layout) {
        RunPlan.Buying load = load(REAL_TRANSACTIONS, REAL_ITEMS, clients(CLIENTS));
        return plans("local", PriceList.FREE, layout, load, Tuning.TODAY);
    }

    /** Returns a plan for each level, on S3 and SQS, at the prices of AWS: the clients given are those of each process. */
    List<RunPlan> aws(Layout layout, int processes) {
        int clients = processes * clients(processes == 1 ? CLIENTS : 1);
        RunPlan.Buying load = load(REAL_TRANSACTIONS, REAL_ITEMS, clients);
        return plans("aws", Profile.AWS_2026.prices(), layout, load, Tuning.TODAY);
    }

    private List<RunPlan> plans(String cloud, PriceList prices, Layout layout, RunPlan.Buying load, Tuning standard) {
        Tuning tuning = new Tuning(
                standard.pageBytes(),
                standard.poolBytes(),
                standard.ttl(),
                checkpointInterval == null ? standard.checkpointInterval() : chosenInterval(checkpointInterval));
        return levels.stream()
                .distinct()
                .map(level -> new RunPlan(cloud, prices, layout, level, load, tuning, seed))
                .toList();
    }

    private RunPlan.Buying load(int standardTransactions, int standardItems, int clients) {
        return new RunPlan.Buying(
                new Scale(browsers, items == null ? standardItems : items),
                within("--transactions", transactions, standardTransactions, TRANSACTIONS_MAX),
                clients,
                seconds("--think-time", thinkTime));
    }

    private int clients(int standard) {
        return within("--clients", clients, standard, CLIENTS_MAX);
    }

    private static Duration chosenInterval(BigDecimal given) {
        Duration chosen = seconds("--checkpoint-interval", given);
        if (chosen.isZero()) {
            throw new UsageException("--checkpoint-interval must be above 0; give seconds, 0.5 say");
        }
        return chosen;
    }

    private static Duration seconds(String option, BigDecimal value) {
        if (value.signum() < 0 || value.compareTo(SECONDS_MAX) > 0) {
            throw new UsageException(option + " is out of range; give 0 to " + SECONDS_MAX + " seconds, not " + value);
        }
        return Duration.ofNanos(value.multiply(NANOS_PER_SECOND).longValue());
    }

    private static int within(String option, @Nullable Integer value, int standard, int max) {
        if (value == null) {
            return standard;
        }
        UsageException.requireRange(option, value, 1, max);
        return value;
    }
}
