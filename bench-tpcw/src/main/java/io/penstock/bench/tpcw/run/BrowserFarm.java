package io.penstock.bench.tpcw.run;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.BuyConfirm;
import io.penstock.bench.tpcw.bookstore.BuyRequest;
import io.penstock.bench.tpcw.bookstore.Draws;
import io.penstock.bench.tpcw.bookstore.Interaction;
import io.penstock.bench.tpcw.bookstore.InteractionKind;
import io.penstock.bench.tpcw.bookstore.OrderDisplay;
import io.penstock.bench.tpcw.bookstore.ShopException;
import io.penstock.bench.tpcw.bookstore.ShopServer;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Web servers and emulated browsers as threads of this process. */
final class BrowserFarm implements Farm {
    private static final double NANOS_PER_SECOND = 1e9;

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
        EmulatedBrowser browser = new EmulatedBrowser(number, shop, tasks, interval.toNanos());
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

    /** Draws the time between an answer and the next request. */
    static long thinkNanos(Draws draws) {
        return exponential(draws, 7, 70);
    }

    /** Draws the least length of a user session: it ends with the next transition to Home. */
    static long sessionNanos(Draws draws) {
        return exponential(draws, 15 * 60, 60 * 60);
    }

    private static long exponential(Draws draws, double meanSeconds, double maxSeconds) {
        return (long) (Math.min(maxSeconds, -meanSeconds * StrictMath.log(draws.unit())) * NANOS_PER_SECOND);
    }

    /**
     * An emulated browser: asks for pages one after the other, thinks in between, and begins a new session when one has
     * lasted long enough. For one thread.
     */
    private final class EmulatedBrowser {
        private final int number;
        private final ShopServer server;
        private final Tasks tasks;
        private final long untilNanos;
        private final Draws draws;
        private int sessions;
        private List<PageFacts> underway = List.of();

        EmulatedBrowser(int number, ShopServer server, Tasks tasks, long untilNanos) {
            this.number = number;
            this.server = server;
            this.tasks = tasks;
            this.untilNanos = untilNanos;
            this.draws = Draws.of(seed, "browser", number);
        }

        /** Browses until the measurement interval ends. */
        void run() {
            boolean more = think();
            while (more) {
                try (Session session = server.newSession()) {
                    more = browse(session);
                }
            }
        }

        /** One session; returns whether there is time for another. */
        private boolean browse(Session session) {
            Visitor visitor = new Visitor(load.scale(), items, draws);
            long id = (long) number << Integer.SIZE | sessions++;
            long sessionEnd = tasks.nanoTime() + sessionNanos(draws);
            InteractionKind kind = InteractionKind.HOME;
            while (true) {
                ask(session, id, visitor, kind, visitor.wish(kind));
                if (!think()) {
                    return false;
                }
                kind = load.mix().next(kind, draws.between(1, Mix.DRAW_MAX));
                if (kind == InteractionKind.HOME && tasks.nanoTime() >= sessionEnd) {
                    return true;
                }
            }
        }

        /** Sleeps for a think time; returns whether there is time left for another page. */
        private boolean think() {
            long left = untilNanos - tasks.nanoTime();
            long nanos = Math.min(left, thinkNanos(draws));
            if (nanos > 0) {
                tasks.sleep(Duration.ofNanos(nanos));
            }
            return tasks.nanoTime() < untilNanos;
        }

        private <S extends Interaction.Shown> void ask(
                Session session, long id, Visitor visitor, InteractionKind kind, Interaction<S> wish) {
            long start = tasks.nanoTime();
            List<PageFacts> attempts = new ArrayList<>();
            underway = attempts;
            try {
                S shown = server.serve(session, wish, attempt -> {
                    PageFacts page = PageFacts.of(attempt);
                    attempts.add(page);
                    tell(new SessionEvent.Attempted(page));
                });
                PageFacts page = PageFacts.of(shown);
                tell(new SessionEvent.Answered(id, kind, tasks.nanoTime() - start, attempts.size(), page));
                visitor.see(shown);
            } catch (ShopException refusal) {
                tell(new SessionEvent.Refused(needsOwnWrites(wish)));
            } catch (ConflictException | UnavailableException failure) {
                tell(new SessionEvent.Failed());
            } catch (OutcomeUnknownException unknown) {
                tell(new SessionEvent.Unknown(attempts));
            } finally {
                underway = List.of();
            }
        }

        private void tell(SessionEvent.Fact fact) {
            witness.accept(new SessionEvent(tasks.nanoTime(), fact));
        }

        /** Whether a refusal would be wrong if the session saw what it has written. */
        private static boolean needsOwnWrites(Interaction<?> interaction) {
            return switch (interaction) {
                case BuyRequest request -> true;
                case BuyConfirm confirm -> confirm.customerId() != 0;
                case OrderDisplay display -> true;
                case Interaction<?> other -> false;
            };
        }

        /** Notes that the server died: the outcome of a request that was under way stays unknown. */
        void serverDied(long nanos) {
            if (!underway.isEmpty()) {
                witness.accept(new SessionEvent(nanos, new SessionEvent.Unknown(underway)));
            }
        }
    }
}
