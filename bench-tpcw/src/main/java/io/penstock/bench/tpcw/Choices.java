package io.penstock.bench.tpcw;

import io.penstock.ConsistencyLevel;
import io.penstock.cli.program.UsageException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options common to all clouds, with defaults that depend on the cloud. Filled by picocli. */
final class Choices {
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
    private @Nullable Integer browsers;

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
    private @Nullable Long seed;

    List<ConsistencyLevel> levels() {
        return List.copyOf(new LinkedHashSet<>(levels));
    }

    int transactions(int standard) {
        return within("--transactions", transactions, standard, TRANSACTIONS_MAX);
    }

    int clients(int standard) {
        return within("--clients", clients, standard, CLIENTS_MAX);
    }

    int items(int standard) {
        return items == null ? standard : items;
    }

    int browsers(int standard) {
        return browsers == null ? standard : browsers;
    }

    long seed(long standard) {
        return seed == null ? standard : seed;
    }

    Duration checkpointInterval(Duration standard) {
        if (checkpointInterval == null) {
            return standard;
        }
        Duration chosen = seconds("--checkpoint-interval", checkpointInterval);
        if (chosen.isZero()) {
            throw new UsageException("--checkpoint-interval must be above 0; give seconds, 0.5 say");
        }
        return chosen;
    }

    Duration thinkTime() {
        return seconds("--think-time", thinkTime);
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
