package io.penstock.bench.tpcw.comparison;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.figures.Latencies;
import io.penstock.bench.tpcw.figures.Tally;
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
        return judge(site.crew().work(scenario, level, progress));
    }

    private void load() {
        Settings settings = site.machine(Machine.MAIN).settings();
        try (Penstock store =
                Penstock.open(scenario.tune(settings, Loader.levelFor(level)).poolBytes(WIDE_POOL_BYTES))) {
            new Loader(store, Bookstore.open(store), progress::advance).load(population);
        }
    }

    private LevelResult judge(Shift shift) {
        Tally tally = shift.tally();
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
                    shift.transaction(),
                    shift.checkpoint(),
                    verification.lostUpdates(),
                    verification.lostStockUpdates(),
                    pending,
                    violations,
                    shift.notes());
        }
    }
}
