package io.penstock.commit.simulation.surface;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Session;
import io.penstock.Settings;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.task.Task;
import io.penstock.feed.ChangeFeed;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/** A run of drawn programs over the public surface, in virtual time. A pure function of what was drawn. */
final class SurfaceRun {
    private static final Duration SETTLING = Duration.ofMinutes(2);
    private static final int STRIKE_CALLS_MAX = 300;
    private static final int LIVES_MAX = 12;
    private static final String SAVED = "saved";

    private final Drawn drawn;
    private final Log log;
    private final SplittableRandom random;
    private final Simulation simulation;
    private final SimulatedCloud cloud;

    /** The store of commit logs; the same one if they are not apart. */
    private final SimulatedCloud logs;

    private final MeterRegistry meters = new CompositeMeterRegistry();
    private final Map<String, Strike> strikes = new HashMap<>();
    private final Chores chores;
    private final Aside aside;
    private final Map<String, String> large = new HashMap<>();
    private final List<SimulatedClient> used = new ArrayList<>();
    private final List<Stamp> heard = new ArrayList<>();
    private int machines;
    private boolean over;
    private String start = "";

    private record Strike(int call, CallWatcher.Step step, boolean kills, Duration length) {}

    private SurfaceRun(Drawn drawn, Log log) {
        this.drawn = drawn;
        this.log = log;
        this.random = new SplittableRandom(drawn.seed() * 6_151 + 41);
        this.simulation = new Simulation(drawn.seed());
        this.cloud = new SimulatedCloud(simulation, Profile.AWS_2026, World.CALM);
        this.logs =
                drawn.has(Feature.LOG_APART) ? new SimulatedCloud(simulation, Profile.EXPRESS_2026, World.CALM) : cloud;
        this.chores = new Chores(
                drawn,
                log,
                random.split(),
                this::interrupt,
                handle -> cloud.objects(simulation.client(handle.machine.name())),
                SAVED,
                (handle, prefix) -> Penstock.open(
                        settings(simulation.client(handle.machine.name())).prefix(prefix)));
        this.aside = new Aside(
                drawn,
                log,
                random.split(),
                this::machine,
                (machine, level) -> Penstock.open(
                        level == null
                                ? drawn.unset(bare(machine), machine.name().hashCode())
                                : settings(machine).level(level)));
        meters.config().meterFilter(MeterFilter.deny());
        Map<String, Integer> calls = new HashMap<>();
        CallWatcher watcher = (step, client, call, on, outcome) -> {
            if (!strikes.isEmpty()) {
                int count = calls.merge(client.name(), step == CallWatcher.Step.BEGINS ? 1 : 0, Integer::sum);
                strike(client, count, step);
            }
        };
        cloud.watch(watcher);
        logs.watch(watcher);
    }

    static Log run(Drawn drawn, boolean counts) {
        Log log = new Log(counts);
        SurfaceRun run = new SurfaceRun(drawn, log);
        try {
            run.simulation.run(() -> {
                run.work();
                run.verify();
                return true;
            });
        } catch (RuntimeException | AssertionError unexpected) {
            log.alarm("no unexpected failure", Log.stackOf(unexpected));
        }
        return log;
    }

    // ---- Machines

    private SimulatedClient main() {
        return simulation.client("main");
    }

    private Penstock open(SimulatedClient machine) {
        log.calls.called("Penstock.open(Settings)");
        log.calls.called("Penstock.close()");
        return Penstock.open(settings(machine));
    }

    private Handle handle(SimulatedClient machine, Penstock store, int number) {
        return new Handle(new Machine.Simulated(machine), store, drawn, log.calls, number);
    }

    private Settings settings(SimulatedClient machine) {
        return drawn.apply(bare(machine), machine.name().hashCode());
    }

    private Settings bare(SimulatedClient machine) {
        Settings settings = drawn.has(Feature.BUCKET_ONLY)
                ? Settings.on(cloud.objects(machine), machine)
                : Settings.on(cloud.objects(machine), cloud.queues(machine), machine);
        return (logs == cloud ? settings : settings.commitLog(logs.objects(machine))).meters(meters);
    }

    private SimulatedClient machine(String role) {
        SimulatedClient machine = simulation.client(role + "." + machines++);
        int call = (int) StrictMath.exp(random.nextDouble() * StrictMath.log(STRIKE_CALLS_MAX));
        CallWatcher.Step step = random.nextBoolean() ? CallWatcher.Step.BEGINS : CallWatcher.Step.DONE;
        Duration length = Duration.ofMillis((long) StrictMath.exp(random.nextDouble() * StrictMath.log(40_000)));
        boolean kills = drawn.has(Feature.KILLS) && random.nextInt(2) == 0;
        boolean freezes = drawn.has(Feature.FREEZES) && random.nextInt(2) == 0;
        if (drawn.has(Feature.SKEW)) {
            machine.skewClock(Duration.ofMillis(random.nextLong(-Judge.SKEW_MILLIS_MAX, Judge.SKEW_MILLIS_MAX)));
        }
        if (kills || freezes) {
            strikes.put(machine.name(), new Strike(call, step, kills, length));
        }
        return machine;
    }

    private void strike(SimulatedClient client, int calls, CallWatcher.Step step) {
        Strike strike = strikes.get(client.name());
        if (strike != null && (calls > strike.call || calls == strike.call && step == strike.step)) {
            strikes.remove(client.name());
            log.say(client.nanoTime(), client.name() + (strike.kills ? " is killed" : " freezes " + strike.length));
            if (strike.kills) {
                client.crash();
            } else {
                client.freeze(strike.length);
            }
        }
    }

    private void interrupt() {
        if (!used.isEmpty()) {
            used.get(random.nextInt(used.size())).interrupt();
        }
    }

    // ---- Work

    private void work() {
        SimulatedClient first = simulation.client("founder");
        try (Penstock store = open(first)) {
            Handle handle = handle(first, store, -1);
            handle.a.get("k00");
            handle.b.get("k00");
            handle.n.get("c0");
            if (drawn.has(Feature.VERSIONS)) {
                handle.e.get("k00");
            }
            log.calls.called("Penstock.position(String)");
            start = store.position(RecordCollection.MAIN_DOMAIN);
            var founder = new User("founder", drawn, log, random.split());
            founder.fill(handle);
            if (drawn.has(Feature.BACKUPS)) {
                Verification.last(store).get("k"); // a definition that comes later would end what a backup begins
                store.admin().backup(cloud.objects(first), SAVED, false); // so that most moments can be restored
            }
        }
        cloud.setWorld(drawn.world());
        logs.setWorld(drawn.world());
        List<Task<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < drawn.handles(); i++) {
            int number = i;
            List<User> users = new ArrayList<>();
            for (int u = 0; u < drawn.users(); u++) {
                users.add(new User("u" + i + "." + u, drawn, log, random.split()));
            }
            all.add(main().start("machine", () -> live(number, users)));
        }
        all.addAll(aside.start(main()));
        Task<Boolean> keeper = main().start("keeper", this::keep);
        List<Task<Boolean>> curators =
                drawn.has(Feature.REVIEW) ? List.of(main().start("curator", this::curate)) : List.of();
        if (drawn.mayBeLarge()) {
            main().start("follower", this::follow);
        }
        if (drawn.has(Feature.FEED)) {
            main().start("listener", this::listen);
        }
        List<Task<Boolean>> states =
                drawn.has(Feature.STATES) ? List.of(main().start("states", this::states)) : List.of();
        all.forEach(Task::join);
        over = true;
        states.forEach(Task::join);
        keeper.join();
        curators.forEach(Task::join);
        strikes.clear();
    }

    /** Users of one handle, on one machine after another. */
    private void live(int number, List<User> users) {
        SplittableRandom luck = random.split();
        for (int life = 0; life < LIVES_MAX && !users.stream().allMatch(User::isDone); life++) {
            SimulatedClient machine = machine("m" + number);
            // A program may be replaced by one of another version.
            int version = life > 0 && luck.nextBoolean() ? number + 2 : number;
            int rounds = drawn.has(Feature.REOPEN) ? 1 + luck.nextInt(4) : drawn.rounds();
            Task<Boolean> task = machine.startThread("life", () -> use(machine, version, users, rounds));
            try {
                task.join();
            } catch (CrashedException crashed) {
                main().sleep(Duration.ofMillis(luck.nextInt(5_000)));
            }
        }
    }

    private void use(SimulatedClient machine, int number, List<User> users, int rounds) {
        used.add(machine);
        try (Penstock store = open(machine)) {
            Handle handle = handle(machine, store, number);
            Session common = store.newSession();
            List<Task<Boolean>> tasks = new ArrayList<>();
            for (User user : users) {
                tasks.add(machine.startThread("user", () -> user.work(handle, common, rounds)));
            }
            for (Task<Boolean> task : tasks) {
                patiently(machine, task);
            }
        } catch (StoreException e) {
            log.say(machine.nanoTime(), machine.name() + " gives up: " + e);
            log.unexpected(e, drawn);
        } finally {
            used.remove(machine);
        }
    }

    private static void patiently(SimulatedClient machine, Task<Boolean> task) {
        while (true) {
            try {
                task.join();
                return;
            } catch (StoreException interrupted) {
                if (!machine.clearInterrupt()) {
                    throw interrupted;
                }
            }
        }
    }

    /** Does the chores of the store, by handles of its own. */
    private void keep() {
        SplittableRandom luck = random.split();
        inLives("keeper", this::open, luck, chores::next);
    }

    /** Decides on what others propose, by handles of its own. */
    private void curate() {
        SplittableRandom luck = random.split();
        Reviewing reviewing = new Reviewing("curator", drawn, log, luck.split());
        inLives("curator", this::open, luck, reviewing::curate);
    }

    /** Reads states at positions, by handles of which some may only read. */
    private void states() {
        SplittableRandom luck = random.split();
        States states = new States(drawn, log, luck.split());
        inLives("states", machine -> Penstock.open(settings(machine).readOnly(luck.nextBoolean())), luck, states::next);
    }

    private void inLives(
            String role, Function<SimulatedClient, Penstock> opening, SplittableRandom luck, Consumer<Handle> program) {
        for (int life = 0; life < 20 && !over; life++) {
            SimulatedClient machine = machine(role);
            Task<Boolean> task = machine.start(role, () -> {
                try (Penstock store = opening.apply(machine)) {
                    Handle handle = handle(machine, store, 1);
                    while (!over) {
                        machine.sleep(Duration.ofMillis(luck.nextInt(4_000)));
                        program.accept(handle);
                    }
                } catch (StoreException e) {
                    log.unexpected(e, drawn);
                }
            });
            try {
                task.join();
            } catch (CrashedException crashed) {
                main().sleep(Duration.ofMillis(luck.nextInt(5_000)));
            }
        }
    }

    /** Reads the feed all the time, before large payloads are replaced. */
    private void follow() {
        SimulatedClient machine = simulation.client("follower");
        try (Penstock store = open(machine)) {
            log.calls.called("Penstock.changes(String)");
            log.calls.called("ChangeFeed.next(Duration)");
            ChangeFeed feed = store.changes(start);
            while (true) {
                try {
                    feed.next(Duration.ofSeconds(2))
                            .ifPresent(commit -> commit.changes()
                                    .forEach(change -> change.value()
                                            .ifPresent(value -> large.put(
                                                    commit.stamp() + Verification.nameOf(change),
                                                    Verification.textOf(drawn, change, value)))));
                } catch (StoreException e) {
                    log.unexpected(e, drawn);
                }
            }
        }
    }

    /** Follows the feed too, from where it was before, by one handle after another. */
    private void listen() {
        SplittableRandom luck = random.split();
        String position = start;
        while (!over) {
            SimulatedClient machine = simulation.client("listener." + machines++);
            try (Penstock store = open(machine)) {
                ChangeFeed feed = store.changes(position);
                for (int i = luck.nextInt(12); i >= 0; i--) {
                    var next = feed.next(Duration.ofMillis(luck.nextInt(3_000)));
                    if (next.isPresent()) {
                        if (!Verification.isUntold(next.get())) {
                            heard.add(next.get().stamp());
                        }
                        position = next.get().position();
                    }
                }
            } catch (StoreException e) {
                log.unexpected(e, drawn);
            }
        }
    }

    // ---- The end

    private void verify() {
        cloud.setWorld(World.CALM);
        logs.setWorld(World.CALM);
        SimulatedClient machine = simulation.client("verifier");
        machine.sleep(SETTLING);
        try (Penstock store = Penstock.open(settings(machine).staleness(Duration.ZERO))) {
            Handle handle = handle(machine, store, 1);
            Verification verification = new Verification(drawn, log, handle, Simulation.EPOCH_MILLIS);
            verification.judge(start, large, heard);
            verification.settled();
            if (!drawn.has(Feature.BUCKET_ONLY)) {
                aside(machine);
            }
            if (drawn.has(Feature.BACKUPS)) {
                verification.restored(settings(machine), "restored", cloud.objects(machine), SAVED);
                verification.copied(settings(machine), "copied", "copied0", "copied1");
            }
            Settings plain = drawn.plain(bare(machine));
            verification.keys(settings(machine), List.of(plain, plain.encryption(Masters.WRONG)));
            verification.sound();
        }
    }

    private void aside(SimulatedClient machine) {
        try (Penstock weak = Penstock.open(settings(machine).level(ConsistencyLevel.ATOMIC))) {
            aside.verify(machine, weak);
        }
    }
}
