package io.penstock.bench.tpcw;

import io.penstock.Layout;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.comparison.Scenario;
import io.penstock.bench.tpcw.farm.LocalVenue;
import io.penstock.bench.tpcw.farm.SimulatedVenue;
import io.penstock.bench.tpcw.farm.Tuning;
import io.penstock.bench.tpcw.farm.Venue;
import io.penstock.testkit.PriceList;
import io.penstock.testkit.Profile;
import java.nio.file.Path;
import java.time.Duration;

/** A scenario and its venue, with the defaults of that venue. */
record Plan(Scenario scenario, Venue venue) {
    /** The default seed. */
    private static final long SEED = 1;

    private static final int BROWSERS = 1;
    private static final int SIMULATED_TRANSACTIONS = 300;
    private static final int SIMULATED_ITEMS = 10_000;

    /** Real time, real disk: a short run. */
    private static final int LOCAL_TRANSACTIONS = 100;

    private static final int LOCAL_ITEMS = 1_000;

    /** Enough to see concurrent updates lost at NAIVE, few enough for a small machine. */
    private static final int CLIENTS = 4;

    /** The library's own defaults. */
    static final Tuning TODAY = new Tuning(64 << 10, 64L << 20, Duration.ofSeconds(10), Duration.ofSeconds(10));

    /**
     * The paper's: 100 KB pages, a cache of 5 MB, a TTL of 100 s. The checkpoint interval of its tables is not
     * published; its figure 3 is flat from 20 s on.
     */
    private static final Tuning PAPER = new Tuning(100_000, 5_000_000, Duration.ofSeconds(100), Duration.ofSeconds(20));

    /** The settings of stores on a simulated cloud. */
    static Tuning tuningOf(Profile profile) {
        return profile.equals(Profile.PAPER_2008) ? PAPER : TODAY;
    }

    static Plan simulated(Profile profile, Layout layout, Choices choices) {
        boolean paper = profile.equals(Profile.PAPER_2008);
        long seed = choices.seed(SEED);
        Scenario scenario = new Scenario(
                profile.name(),
                profile.prices(),
                layout,
                choices.levels(),
                load(choices, SIMULATED_TRANSACTIONS, paper ? 1 : CLIENTS, SIMULATED_ITEMS),
                tuning(choices, tuningOf(profile)),
                seed);
        return new Plan(scenario, new SimulatedVenue(profile, seed));
    }

    static Plan local(Path directory, Layout layout, Choices choices) {
        Scenario scenario = new Scenario(
                "local",
                PriceList.FREE,
                layout,
                choices.levels(),
                load(choices, LOCAL_TRANSACTIONS, CLIENTS, LOCAL_ITEMS),
                tuning(choices, TODAY),
                choices.seed(SEED));
        return new Plan(scenario, new LocalVenue(directory, 1));
    }

    /**
     * Returns a run on S3 and SQS, at the prices of AWS: {@code --clients} are those of each process. Its venue is made
     * later.
     */
    static Scenario awsScenario(Layout layout, int processes, Choices choices) {
        Scenario.Load each = load(choices, LOCAL_TRANSACTIONS, processes == 1 ? CLIENTS : 1, LOCAL_ITEMS);
        return new Scenario(
                "aws",
                Profile.AWS_2026.prices(),
                layout,
                choices.levels(),
                new Scenario.Load(each.scale(), each.transactions(), processes * each.clients(), each.thinkTime()),
                tuning(choices, TODAY),
                choices.seed(SEED));
    }

    private static Scenario.Load load(Choices choices, int transactions, int clients, int items) {
        return new Scenario.Load(
                new Scale(choices.browsers(BROWSERS), choices.items(items)),
                choices.transactions(transactions),
                choices.clients(clients),
                choices.thinkTime());
    }

    private static Tuning tuning(Choices choices, Tuning standard) {
        return new Tuning(
                standard.pageBytes(),
                standard.poolBytes(),
                standard.ttl(),
                choices.checkpointInterval(standard.checkpointInterval()));
    }
}
