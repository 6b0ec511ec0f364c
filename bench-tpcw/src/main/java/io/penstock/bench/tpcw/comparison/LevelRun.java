package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.farm.Farm;
import io.penstock.bench.tpcw.farm.Machine;
import io.penstock.bench.tpcw.farm.Venue;
import io.penstock.bench.tpcw.figures.Latencies;
import io.penstock.core.task.Tasks;
import java.util.List;

/** One level on fresh servers, from an empty store to the verdict. For one visit. */
final class LevelRun {
    /** The loader and the verifier touch every page; theirs is not the pool that is measured. */
    private static final long WIDE_POOL_BYTES = 256L << 20;

    private final Scenario scenario;
    private final ConsistencyLevel level;
    private final Venue.Site site;
    private final Population population;
    private final Progress progress;

    LevelRun(Scenario scenario, ConsistencyLevel level, Venue.Site site, Progress progress) {
        this.scenario = scenario;
        this.level = level;
        this.site = site;
        this.population = scenario.population();
        this.progress = progress;
    }

    LevelResult run() {
        load();
        Tally tally = new Tally();
        Tasks clock = site.machine(Machine.MAIN).tasks();
        LevelPlan plan = new LevelPlan(scenario, level);
        try (Farm farm = Farm.open(plan, site, clock, event -> {
            tally.accept(event);
            progress.advance(1);
        })) {
            Farm.Bill bill = farm.work(Farm.Interval.of(plan, clock.nanoTime()), progress);
            return judge(tally, bill, farm.finish());
        }
    }

    private void load() {
        Settings settings = site.machine(Machine.MAIN).settings();
        try (Penstock store =
                Penstock.open(scenario.tune(settings, Loader.levelFor(level)).poolBytes(WIDE_POOL_BYTES))) {
            new Loader(store, Bookstore.open(store), progress::advance).load(population);
        }
    }

    private LevelResult judge(Tally tally, Farm.Bill bill, Farm.Closing closing) {
        Machine main = site.machine(Machine.MAIN);
        try (Penstock store =
                Penstock.open(scenario.tune(main.settings(), level).poolBytes(WIDE_POOL_BYTES))) {
            long pending = main.settle(store);
            List<String> violations = store.admin().verify().violations();
            Verification verification = new Verification(Bookstore.open(store), population, tally);
            return new LevelResult(
                    level,
                    tally.acknowledged().size(),
                    tally.failures(),
                    tally.unknown().size(),
                    Latencies.of(tally.nanos()),
                    bill.transaction(),
                    bill.checkpoint().plus(closing.checkpoint()),
                    verification.lostUpdates(),
                    verification.lostStockUpdates(),
                    pending,
                    violations,
                    closing.notes());
        }
    }
}
