package io.penstock.bench.tpcw.run;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.bench.tpcw.bookstore.ShopServer;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Web servers and browsers as threads of this process. */
final class BrowserFarm implements Farm {
    private final long seed;
    private final RunPlan.Browsing load;
    private final Venue.Site site;
    private final Consumer<SessionEvent> witness;
    private final ItemChoice items;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Map<Integer, ShopServer> servers = new LinkedHashMap<>();
    private final Map<Integer, Penstock> stores = new LinkedHashMap<>();
    private final Map<EmulatedBrowser, Task<Boolean>> browsers = new LinkedHashMap<>();

    /** Opens the stores. */
    BrowserFarm(RunPlan plan, Venue.Site site, Share share, Consumer<SessionEvent> witness) {
        this.seed = plan.seed();
        this.load = plan.browsing();
        this.site = site;
        this.witness = witness;
        this.items = load.items();
        for (int number = 0; number < load.servers(); number++) {
            if (share.has(number)) {
                Machine machine = site.machine(name(number));
                Penstock store = Penstock.open(plan.tune(machine.settings()).meters(meters));
                stores.put(number, store);
                servers.put(number, new ShopServer(store, machine.tasks()));
            }
        }
    }

    private static String name(int server) {
        return "server-" + server;
    }

    @Override
    public Bill work(Interval interval, Progress progress) {
        Tasks clock = site.machine(Machine.MAIN).tasks();
        for (int number = 0; number < load.browsers(); number++) {
            start(number, number % load.servers(), interval);
        }
        Interval.await(clock, interval.fromNanos(), progress);
        Bill before = Bill.of(meters);
        if (load.crashAfter() != null) {
            long moment = interval.fromNanos() + load.crashAfter().toNanos();
            Interval.await(clock, moment, progress);
            crashFirst(interval);
        }
        Interval.await(clock, interval.toNanos(), progress);
        Bill during = Bill.of(meters).minus(before);
        browsers.values().forEach(Task::join);
        return during;
    }

    /** Starts a browser, if its server is here. */
    private void start(int number, int server, Interval interval) {
        ShopServer shop = servers.get(server);
        if (shop == null) {
            return;
        }
        Tasks tasks = site.machine(name(server)).tasks();
        EmulatedBrowser browser = new EmulatedBrowser(
                load, items, number, Draws.of(seed, "browser", number), shop, tasks, interval.toNanos(), witness);
        browsers.put(browser, tasks.fork("browser-" + number, () -> {
            browser.run();
            return true;
        }));
    }

    /** Kills the first server. Its browsers begin new sessions at the others, as other people in their place. */
    private void crashFirst(Interval interval) {
        site.crash(name(0));
        stores.remove(0);
        long now = site.machine(Machine.MAIN).tasks().nanoTime();
        List<EmulatedBrowser> all = new ArrayList<>(browsers.keySet());
        int count = load.servers();
        for (int number = 0; number < all.size(); number += count) {
            all.get(number).serverDied(now);
            browsers.remove(all.get(number));
            start(load.browsers() + number, 1 + number / count % (count - 1), interval);
        }
    }

    @Override
    public Closing finish() {
        close();
        return Closing.NONE;
    }

    @Override
    public void close() {
        stores.values().forEach(Penstock::close);
        stores.clear();
    }
}
