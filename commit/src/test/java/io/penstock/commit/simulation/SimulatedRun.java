package io.penstock.commit.simulation;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Settings;
import io.penstock.StoreProbe;
import io.penstock.commit.simulation.episode.Episodes;
import io.penstock.commit.simulation.promise.Evidence;
import io.penstock.commit.simulation.promise.Order;
import io.penstock.commit.simulation.promise.Promise;
import io.penstock.commit.simulation.promise.Promises;
import io.penstock.commit.simulation.promise.ReferredPagesStay;
import io.penstock.commit.simulation.promise.TreesAreSound;
import io.penstock.core.Compression;
import io.penstock.core.CorruptDataException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.page.StoredPage;
import io.penstock.core.pool.PageTier;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.CrashedException;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A run of one scenario, with its broken promises. A pure function of the scenario. */
public final class SimulatedRun {
    /** Nothing is damaged in a simulation, so no call may report damage. */
    static final String NOT_DAMAGED = "sound data is never called damaged";

    /** Whatever clocks do: a stamp from the future would win against everybody until then. */
    static final String STAMPS_ARE_NEAR = "stamps are near the servers' time";

    /** Nobody waits for a store that closes in calm weather. */
    static final String CLOSE_ENDS = "close ends in time";

    private static final Duration CLOSE_MAX = Duration.ofSeconds(20);

    private static final int OPEN_ATTEMPTS = 5;
    private static final int RETURN_MILLIS_MAX = 5_000;

    /** One interrupted user in so many ends its program. */
    private static final int INTERRUPTED_ENDS = 4;

    private static final Duration BURST = Duration.ofSeconds(4);

    /** The share of a burst's calls that the servers refuse. */
    private static final double BURST_UNAVAILABLE = 0.5;

    private final Scenario scenario;
    private final CallLog story;
    private final Simulation simulation;
    private final SimulatedCloud cloud;
    private final MachineFaults strikes;
    private final LedgerWatch ledgers;
    private final GarbageCollectorActor gardener;
    private final PageWatch pages;
    private final History history = new History();
    private final List<Broken> broken = new ArrayList<>();
    private final List<String> memory = new ArrayList<>();
    private final List<List<User>> users = new ArrayList<>();
    private final SplittableRandom random;
    private final Losses losses;
    private final Damage damage;
    private final ClientDamage clientDamage;
    private final ClonedClients twins;
    private final Ids ids;
    private final RealTimings leisure;
    private final OrderlyEnd orderlyEnd;
    private final EarlyClose haste;
    private final Function<String, Optional<PageTier>> tiers;

    /** A registry that keeps no meter, for all machines: the meters of a simulation are never read. */
    private final MeterRegistry meters = new CompositeMeterRegistry();

    private int incarnations;
    private long calls;
    private long compressedPuts;

    /** A promise that was not kept. */
    public record Broken(String promise, String detail) {}

    /** The outcome of a run; {@code history} and {@code story} are for closer looks and for comparing runs. */
    public record Result(
            List<Broken> broken,
            History history,
            List<String> story,
            long virtualNanos,
            long wakeups,
            long calls,
            long compressedPuts) {}

    private SimulatedRun(Scenario scenario, CallLog story, Function<String, Optional<PageTier>> tiers) {
        this.scenario = scenario;
        meters.config().meterFilter(MeterFilter.deny());
        this.tiers = tiers;
        this.story = story;
        this.simulation = new Simulation(scenario.seed());
        this.cloud = new SimulatedCloud(
                simulation, scenario.shape().profile(), scenario.faults().world());
        this.strikes = new MachineFaults(scenario, story);
        this.ledgers = new LedgerWatch(cloud, scenario);
        this.gardener = new GarbageCollectorActor(scenario);
        this.pages = new PageWatch(cloud, gardener.isThere);
        this.random = new SplittableRandom(scenario.seed() * 7919 + 5);
        this.ids = new Ids(cloud, scenario);
        this.losses = new Losses(cloud, scenario, story);
        this.damage = new Damage(cloud, scenario, story);
        this.clientDamage = new ClientDamage(cloud, scenario, story);
        this.twins = new ClonedClients(scenario);
        this.leisure = new RealTimings(simulation, scenario);
        this.haste = new EarlyClose(scenario);
        this.orderlyEnd = new OrderlyEnd(scenario, this::alarm);
        cloud.watch((step, client, call, on, outcome) -> {
            calls += step == CallWatcher.Step.BEGINS ? 1 : 0;
            story.see(step, client, call, on, outcome);
            ledgers.see(step, client, call, on, outcome);
            pages.see(step, client, call, on, outcome);
            compressedPuts += step == CallWatcher.Step.DONE && call.equals("put") && isCompressed(on) ? 1 : 0;
            losses.see(step, client, call, on, outcome);
            damage.see(step, client, call, on, outcome);
            clientDamage.see(step, client, call, on, outcome);
            if (!clientDamage.hasStruck(on)) {
                ids.see(step, client, call, on, outcome);
            }
            strikes.see(step, client, call, on, outcome);
        });
        int sessions = scenario.size().sessions();
        for (int m = 0; m < scenario.size().machines(); m++) {
            List<User> ofMachine = new ArrayList<>();
            for (int s = 0; s < sessions; s++) {
                ofMachine.add(new User(m * sessions + s, scenario, history, story, this::alarm));
            }
            users.add(ofMachine);
        }
    }

    private boolean isCompressed(String key) {
        return scenario.isCompressed()
                && cloud.newest(key)
                        .flatMap(object -> StoredPage.describe(object.body()))
                        .filter(stored -> stored.compression() != Compression.NONE)
                        .isPresent();
    }

    /** Checks all that the scenario's level promises. */
    public static Result run(Scenario scenario) {
        return run(scenario, Promises.of(scenario), false);
    }

    static Result run(Scenario scenario, List<Promise> promises, boolean told) {
        return new SimulatedRun(scenario, told ? CallLog.told() : CallLog.untold(), name -> Optional.empty())
                .run(promises);
    }

    /** Checks all promises, where machines have disks: those of one name, one after another, the same. */
    static Result run(Scenario scenario, Function<String, PageTier> disks) {
        return new SimulatedRun(scenario, CallLog.untold(), name -> Optional.of(disks.apply(name)))
                .run(Promises.of(scenario));
    }

    private Result run(List<Promise> promises) {
        try {
            simulation.run(() -> {
                work();
                verify(promises);
                return true;
            });
        } catch (CorruptDataException damaged) {
            String sound = new TreesAreSound().name();
            if (broken.stream().noneMatch(broken -> broken.promise().equals(sound))) {
                alarm(NOT_DAMAGED, stackOf(damaged));
            }
            missingPages();
        } catch (RuntimeException | AssertionError unexpected) {
            alarm("no unexpected failure", stackOf(unexpected));
            missingPages();
        }
        playEpisode();
        return new Result(
                broken, history, story.lines(), simulation.nowNanos(), simulation.wakeups(), calls, compressedPuts);
    }

    /** On servers of its own, when all else is over. */
    private void playEpisode() {
        if (scenario.hasEpisode()) {
            try {
                Episodes.play(scenario.seed(), scenario.level(), story, this::alarm);
            } catch (RuntimeException | AssertionError unexpected) {
                alarm("no unexpected failure", stackOf(unexpected));
            }
        }
    }

    /** Told when the verdict was not reached: this is what a damaged tree comes from. */
    private void missingPages() {
        pages.missing().forEach(detail -> alarm(ReferredPagesStay.NAME, detail));
    }

    private void alarm(String promise, String detail) {
        if (!promise.equals(NOT_DAMAGED) || !damage.explains(detail)) {
            broken.add(new Broken(promise, detail));
        }
    }

    static String stackOf(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        for (StackTraceElement element : failure.getStackTrace()) {
            if (element.getClassName().startsWith("io.penstock")) {
                text.append(" < ").append(element.getFileName()).append(':').append(element.getLineNumber());
            }
        }
        return failure.getCause() == null ? text.toString() : text + " caused by " + stackOf(failure.getCause());
    }

    Settings settings(SimulatedClient machine) {
        // Administering clients sweep, and only where the scenario has drawn some.
        Settings servers = scenario.isInBucketAlone()
                ? Settings.on(cloud.objects(machine), twins.of(machine))
                : Settings.on(cloud.objects(machine), cloud.queues(machine), twins.of(machine));
        Settings bare = servers.level(ConsistencyLevel.ATOMIC)
                .advanced(advanced -> advanced.sweeping(scenario.perils().leisurely()));
        // Its incarnations are numbered behind a dot.
        String name = machine.name().replaceAll("\\..*", "");
        Settings plain =
                tiers.apply(name).map(tier -> StoreProbe.withTier(bare, tier)).orElse(bare);
        Settings unshaped = plain.meters(meters);
        if (!scenario.perils().leisurely()) {
            return scenario.shape().apply(unshaped, scenario.level());
        }
        Settings named = leisure.nameOf(machine).map(unshaped::clientName).orElse(unshaped);
        return scenario.shape().applyToDefaults(named, scenario.level());
    }

    private SimulatedClient main() {
        return simulation.client("main");
    }

    private void work() {
        if (scenario.perils().leisurely() && scenario.seed() % 2 == 0) {
            moveIn();
        }
        if (twins.areThere()) {
            found();
        }
        int rounds = scenario.size().transactions();
        if (scenario.faults().idle().isZero()) {
            workUntil(rounds);
            repair();
            return;
        }
        workUntil(rounds / 2);
        rest();
        workUntil(rounds);
    }

    /** Makes the collections, for machines that have known them all along. */
    private void found() {
        cloud.setWorld(World.CALM);
        try (Penstock store = Penstock.open(settings(simulation.client("founder")))) {
            var unused = new Tables(store, scenario);
        }
        cloud.setWorld(scenario.faults().world());
    }

    /** What was damaged is repaired when all have done their work. */
    private void repair() {
        damage.end();
        clientDamage.end();
        if (damage.hasStruck()) {
            cloud.setWorld(World.CALM);
            Verification verification = new Verification(scenario, this::settings, this::alarm, pages);
            SimulatedClient janitor = simulation.client("janitor");
            verification.settle(janitor, cloud, (store, settle) -> damage.outlive(store, settle, this::alarm));
        }
    }

    /** Another store of this account: its queues' names begin like the names of this one's. */
    private void moveIn() {
        cloud.setWorld(World.CALM);
        var unused = cloud.queues(main()).create("penstock-pu-pu-neighbour", QueueAttributes.STANDARD);
        cloud.setWorld(scenario.faults().world());
    }

    private void workUntil(int rounds) {
        List<Task<Boolean>> machines = new ArrayList<>();
        for (List<User> ofMachine : users) {
            machines.add(main().start("machine", () -> live(ofMachine, rounds)));
        }
        boolean[] over = new boolean[1];
        if (scenario.faults().bursts() > 0) {
            main().start("weather", () -> burst(over));
        }
        if (gardener.isThere) {
            main().start("gardener", () -> gardener.work(simulation, strikes, this::settings, this::alarm, over));
        }
        List<Task<Boolean>> wardens = new ArrayList<>();
        for (int i = 0; i < scenario.wardens().count(); i++) {
            SimulatedClient machine = machine("warden");
            wardens.add(machine.start("warden", () -> guard(machine, over)));
        }
        if (scenario.perils().leisurely()) {
            lookAtLeisure(over);
        }
        machines.forEach(Task::join);
        if (!wardens.isEmpty()) {
            // Waits until the last crashed machine counts as dead, and each warden has looked.
            main().sleep(scenario.shape()
                    .deadAfter()
                    .plus(scenario.wardens().every().multipliedBy(2)));
        }
        over[0] = true;
        wardens.forEach(this::awaitEnd);
        cloud.setWorld(scenario.faults().world());
    }

    /** When all work is done, and nothing strikes any more, others see it. */
    private void lookAtLeisure(boolean[] over) {
        leisure.awaitRest();
        over[0] = true;
        strikes.end();
        losses.end();
        cloud.setWorld(World.CALM);
        SimulatedClient reader = simulation.client("reader");
        reader.sleep(Duration.ofNanos(Math.max(0, strikes.awakeNanos() - reader.nanoTime())));
        losses.excuse(history);
        try {
            boolean waits = scenario.perils().losses() > 0 && losses.leaveHoles();
            leisure.look(settings(reader), reader, history, waits, this::alarm);
        } finally {
            leisure.release();
        }
    }

    /** Throttling comes in bursts, and goes. */
    private void burst(boolean[] over) {
        World usual = scenario.faults().world();
        World burst = new World(
                BURST_UNAVAILABLE,
                usual.lostAnswer(),
                usual.slow(),
                usual.staleFor(),
                usual.duplicate(),
                usual.missed(),
                usual.sendDelay());
        while (!over[0]) {
            boolean throttle = random.nextDouble() < scenario.faults().bursts();
            cloud.setWorld(throttle ? burst : usual);
            main().sleep(BURST);
        }
    }

    /**
     * Lets nothing happen for a long time. If queues forget meanwhile, everything must be applied before. Otherwise a
     * client administers the store at the end of this time, in whatever weather there is.
     */
    private void rest() {
        Duration idle = scenario.faults().idle();
        boolean forgets = idle.toDays() >= 14;
        if (forgets) {
            cloud.setWorld(World.CALM);
            new Verification(scenario, this::settings, this::alarm, pages).settle(simulation.client("janitor"), cloud);
        }
        main().sleep(idle);
        cloud.setWorld(scenario.faults().world());
        SimulatedClient machine = machine("keeper");
        Task<Boolean> task = machine.start("keeper", () -> look(machine));
        try {
            task.join();
        } catch (CrashedException crashed) {
            story.say(machine, "is gone");
        }
    }

    /** Recovers others again and again, and checkpoints all queues, until it is over or the machine crashes. */
    private void guard(SimulatedClient machine, boolean[] over) {
        Settings settings = settings(machine)
                .advanced(advanced -> advanced.sweepEvery(scenario.wardens().every()));
        try (Penstock store = Penstock.open(settings)) {
            story.say(machine, "looks after " + settings.prefix());
            while (!over[0]) {
                machine.sleep(Duration.ofSeconds(1));
            }
        } catch (StoreException | ForeignException | ForeignError e) {
            story.say(machine, "gives up: " + e.getClass().getSimpleName());
        }
    }

    private void awaitEnd(Task<Boolean> warden) {
        try {
            warden.join();
        } catch (CrashedException crashed) {
            story.say(main(), "a warden is gone");
        }
    }

    private void look(SimulatedClient machine) {
        try (Penstock store = Penstock.open(settings(machine))) {
            store.admin().recover();
            store.admin().checkpoint();
        } catch (StoreException | ForeignException | ForeignError e) {
            story.say(machine, "could not look after the store: " + e.getClass().getSimpleName());
        }
    }

    private SimulatedClient machine(String name) {
        SimulatedClient machine = simulation.client(name + "." + incarnations++);
        strikes.plan(machine, random.split());
        return machine;
    }

    /** Some users on one machine after another: a crash ends a machine, and they go on with the next, or never do. */
    private void live(List<User> ofMachine, int rounds) {
        try {
            liveThrough(ofMachine, rounds);
        } finally {
            leisure.rest(users.indexOf(ofMachine));
        }
    }

    private void liveThrough(List<User> ofMachine, int rounds) {
        SplittableRandom luck = random.split();
        int number = users.indexOf(ofMachine);
        while (!ofMachine.stream().allMatch(user -> user.hasDone(rounds))) {
            SimulatedClient machine = machine("m" + number);
            Task<Boolean> life = machine.startThread("life", () -> use(machine, ofMachine, rounds));
            try {
                life.join();
                return;
            } catch (CrashedException crashed) {
                ofMachine.forEach(User::giveUpRound);
                if (luck.nextDouble() >= scenario.faults().returns()) {
                    return;
                }
                int millis = luck.nextInt(RETURN_MILLIS_MAX);
                main().sleep(scenario.perils().leisurely() ? leisure.away() : Duration.ofMillis(millis));
            }
        }
    }

    private void use(SimulatedClient machine, List<User> ofMachine, int rounds) {
        leisure.begin(machine);
        boolean[] calm = new boolean[1];
        long[] closingNanos = new long[1];
        try (Penstock store = Penstock.open(settings(machine))) {
            StoreProbe.drainAt(store, scenario.drainAt());
            if (twins.areThere()) {
                story.say(machine, "has the id " + store.clientId());
            }
            Tables tables = open(store, machine);
            leisure.lookBack(tables, machine, history, this::alarm);
            haste.close(store, machine);
            List<Task<Boolean>> tasks = new ArrayList<>();
            for (int i = 1; i < ofMachine.size(); i++) {
                User user = ofMachine.get(i);
                String name = machine.name() + "/" + i;
                tasks.add(machine.startThread(name, () -> {
                    try (Session session = store.newSession()) {
                        attend(user, machine, session, tables, name, rounds);
                    }
                }));
            }
            try (Session session = store.newSession()) {
                attend(ofMachine.getFirst(), machine, session, tables, machine.name() + "/0", rounds);
            } finally {
                patiently(machine, () -> tasks.forEach(Task::join));
            }
            memory.addAll(StoreProbe.excess(tables.collections.get(tables.first())));
            calm[0] = stay(store, machine, users.indexOf(ofMachine));
            closingNanos[0] = machine.nanoTime();
        } catch (CorruptDataException e) {
            alarm(NOT_DAMAGED, stackOf(e));
        } catch (StoreException | ForeignException | ForeignError e) {
            story.say(machine, "gives up: " + e.getClass().getSimpleName());
        }
        Duration closed = Duration.ofNanos(machine.nanoTime() - closingNanos[0]);
        if (calm[0] && closed.compareTo(CLOSE_MAX) > 0) {
            alarm(CLOSE_ENDS, machine.name() + " closed for " + closed);
        }
    }

    /** Has a user work; most go on after an interrupt, and all after an exception that is not the store's. */
    private void attend(User user, SimulatedClient machine, Session session, Tables tables, String name, int rounds) {
        boolean leisurely = scenario.perils().leisurely();
        for (int next = leisurely ? 1 : rounds; !user.hasDone(rounds); next += user.hasDone(next) ? 1 : 0) {
            try {
                if (leisurely && !user.hasDone(next)) {
                    machine.sleep(leisure.pause());
                }
                user.work(machine, session, tables, name, next);
            } catch (UnavailableException e) {
                if (!machine.clearInterrupt()) {
                    throw e;
                }
                story.say(machine, name + " was interrupted");
                if (random.nextInt(INTERRUPTED_ENDS) == 0) {
                    machine.interrupt();
                    throw e;
                }
            } catch (ForeignException | ForeignError e) {
                story.say(machine, name + " met " + e);
                user.giveUpRound();
            }
        }
    }

    /** Waits through interrupts, of which one is left in the end. */
    private static void patiently(SimulatedClient machine, Runnable wait) {
        boolean interrupted = false;
        while (true) {
            try {
                wait.run();
                break;
            } catch (UnavailableException e) {
                if (!machine.clearInterrupt()) {
                    throw e;
                }
                interrupted = true;
            }
        }
        if (interrupted) {
            machine.interrupt();
        }
    }

    /** Stays for a while, or dies, when all users are done; whether the weather is calm then. */
    private boolean stay(Penstock store, SimulatedClient machine, int number) {
        patiently(machine, () -> orderlyEnd.await(store, machine));
        if (scenario.perils().leisurely()) {
            patiently(machine, () -> leisure.linger(machine, number));
        }
        if (scenario.perils().fleet() && number % 2 == 0) {
            machine.crash();
        }
        return scenario.perils().leisurely()
                || scenario.perils().fleet() && scenario.faults().equals(Faults.NONE);
    }

    /** Opens the store; the servers may be out of reach for a while, so a user tries again. */
    private Tables open(Penstock store, SimulatedClient machine) {
        for (int attempt = 1; ; attempt++) {
            try {
                return new Tables(store, scenario);
            } catch (StoreException e) {
                if (attempt == OPEN_ATTEMPTS || e instanceof CorruptDataException) {
                    throw e;
                }
                machine.sleep(Duration.ofSeconds(2));
            }
        }
    }

    /** By the name of a session: {@code machine/number}. */
    private boolean surelyLives(String session) {
        String machine = session.substring(0, Math.max(0, session.indexOf('/')));
        boolean failed = history.transactions().stream()
                .anyMatch(t -> t.session.startsWith(machine + "/") && !t.isAcknowledged());
        boolean isOrdered = scenario.keepsTheLivingAlive()
                && !ClonedClients.areIn(scenario)
                && !damage.hasStruck()
                && !ClientDamage.isIn(scenario);
        return isOrdered && !strikes.hasStruck(machine) && !failed;
    }

    /** A stamp is of the time at which its transaction was committed, as far as clocks may differ. */
    private void stampsAreNear() {
        long margin = Shape.CLOCK_SKEW_MAX.multipliedBy(2).toMillis();
        for (History.Transaction one : history.transactions()) {
            long earliest = serverMillis(one.beginNanos) - margin;
            boolean early = one.stamp.millis() < earliest;
            boolean wrote = one.isAcknowledged() && !one.writes.isEmpty();
            if (wrote && (early || one.stamp.millis() > serverMillis(one.endNanos) + margin)) {
                alarm(STAMPS_ARE_NEAR, one.toString());
            }
        }
    }

    private static long serverMillis(long nanos) {
        return Simulation.EPOCH_MILLIS + nanos / 1_000_000;
    }

    private void verify(List<Promise> promises) {
        cloud.setWorld(World.CALM);
        Verification verification = new Verification(scenario, this::settings, this::alarm, pages);
        Order order = new Order(scenario.sharesOnePage(), this::surelyLives);
        losses.end();
        losses.excuse(history);
        stampsAreNear();
        if (scenario.perils().foreign() == 0) {
            ids.violations().forEach(detail -> alarm(Ids.FEW_IDS, detail));
        }
        Evidence evidence = verification.gather(simulation.client("verifier"), cloud, history, order);
        losses.excuse(history); // the end has shown the stamps of those whose outcome nobody knew
        evidence.memory().addAll(memory);
        evidence.holes().addAll(ledgers.violations());
        for (Promise promise : promises) {
            if (!twins.excuse(promise.name())) {
                promise.violations(evidence).forEach(detail -> alarm(promise.name(), detail));
            }
        }
    }
}
