package io.penstock.commit.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.client.ServerClock;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.queue.IntakeFolder;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Task;
import io.penstock.testkit.CallWatcher.Step;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Some clients of one domain on a simulated cloud with faults, as a function of a seed. */
final class DomainRun {
    private static final Duration BUDGET = Duration.ofSeconds(30);
    private static final TreeId TREE = new TreeId(7);
    private static final List<Bytes> KEYS =
            IntStream.range(0, 6).mapToObj(i -> Bytes.utf8("k" + i)).toList();
    private static final Duration LAG = Duration.ofSeconds(5);
    private static final int THREADS = 2;

    /** Fits into no message. */
    private static final Bytes LARGE = Bytes.wrap(new byte[300 << 10]);

    private final long seed;
    private final Simulation simulation;
    private final Random random;
    private final SimulatedCloud cloud;
    private final SharedPages pages = new SharedPages();
    private final LogWatch watch;
    private final boolean combining;
    private final boolean byFolder;
    private boolean calm;
    private int clients;

    DomainRun(long seed) {
        this.seed = seed;
        this.simulation = new Simulation(seed);
        this.random = new Random(seed);
        this.cloud = new SimulatedCloud(
                simulation, random.nextBoolean() ? Profile.AWS_2026 : Profile.INSTANT, world(random));
        this.combining = random.nextInt(3) > 0;
        this.byFolder = new Random(seed).nextLong() % 2 == 0;
        this.watch = new LogWatch(cloud, pages);
    }

    private static World world(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> World.CALM;
            case 1 -> World.ROUGH;
            default -> new World(0.05, 0.05, 0.02, Duration.ZERO, 0.02, 0.3, Duration.ofSeconds(1));
        };
    }

    LogWatch run() {
        try {
            simulation.run(() -> {
                cloud.watch((step, client, call, on, outcome) -> {
                    if (step == Step.DONE) {
                        watch.done(call, on, outcome);
                    }
                    strike(client);
                });
                everybody();
                calm = true;
                cloud.setWorld(World.CALM);
                end();
                return true;
            });
            watch.judge();
            return watch;
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError("seed=" + seed + " " + failure.getMessage(), failure);
        }
    }

    private void strike(SimulatedClient client) {
        if (calm || client.name().equals("main") || random.nextInt(60) > 0) {
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> client.crash();
            case 1 -> client.freeze(Duration.ofSeconds(random.nextInt(100)));
            case 2 -> client.freeze(Duration.ofMinutes(random.nextInt(240)));
            case 3 -> client.cutOff(Duration.ofSeconds(random.nextInt(40)));
            default -> client.skewClock(Duration.ofSeconds(random.nextInt(200) - 100));
        }
    }

    private void everybody() {
        int machines = 1 + random.nextInt(4);
        int lives = 3;
        List<Task<Boolean>> all = new ArrayList<>();
        for (int m = 0; m < machines; m++) {
            all.add(simulation.client("main").start("machine", () -> {
                for (int life = 0; life < lives; life++) {
                    live();
                }
            }));
        }
        all.forEach(Task::join);
    }

    /** One machine, until it has done its work or has crashed. */
    private void live() {
        SimulatedClient machine = simulation.client("c" + clients++);
        Client client = new Client(machine);
        List<Task<Boolean>> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            threads.add(machine.start("user", client::work));
        }
        Duration step = Duration.ofMinutes(2);
        while (!machine.crashed() && !threads.stream().allMatch(Task::isDone)) {
            simulation.client("main").sleep(step);
        }
    }

    private void end() {
        Client last = new Client(simulation.client("last"));
        // In parts: it may hold less of the log than others have left.
        var unused = last.domain.checkpointAll();
        for (int i = 0; i < 20 && last.domain.pendingSegments() > 0; i++) {
            simulation.client("main").sleep(Duration.ofMinutes(1));
            unused = last.domain.checkpointAll();
        }
        last.domain.refresh();
        assertThat(last.domain.tail().tip()).as("the tip at the end").isEqualTo(watch.tip());
        assertThat(last.domain.pendingSegments())
                .as("segments that are not on pages")
                .isZero();
        watch.stateAt(watch.tip())
                .forEach((key, change) -> assertThat(pages.all().get(key)).isEqualTo(change));
    }

    private final class Client {
        private final SimulatedClient machine;
        private final ClientId id;
        private final SharedPages.Pool pool;
        private final Domain domain;
        private final Random draw;
        private @Nullable MessageQueue intake;

        Client(SimulatedClient machine) {
            this.machine = machine;
            this.id = new ClientId(machine.random().nextLong());
            this.draw = new Random(machine.random().nextLong());
            this.pool = pages.new Pool(machine);
            ServerClock serverClock = new ServerClock(machine, Duration.ofMinutes(2));
            this.domain = new Domains(new Parts(
                            machine,
                            cloud.objects(machine),
                            "",
                            new HybridClock(
                                    machine::nowMillis,
                                    machine::nowMillis,
                                    () -> machine.nowMillis() + 1_000,
                                    machine::nanoTime),
                            serverClock,
                            () -> id,
                            pool,
                            new Limits(
                                    4 << 20,
                                    100,
                                    SharedPages.TTL.plus(LAG),
                                    draw.nextInt(4) == 0 ? 2_000 : 1 << 20,
                                    Limits.RETENTION_MIN,
                                    Duration.ofSeconds(30),
                                    Limits.RETENTION_MIN,
                                    BUDGET),
                            conflict -> conflict.exception("words"),
                            combining ? handover(machine) : Handover.NONE,
                            key -> {},
                            () -> {}))
                    .of("d");
        }

        /** By a queue in all runs of a seed, or by a folder in all. */
        private Handover handover(SimulatedClient machine) {
            if (!byFolder) {
                return Handover.byQueue(name -> intake(machine, name));
            }
            MessageQueue folder = new IntakeFolder(machine, cloud.objects(machine), Domains.intake("", "d"));
            Handover handover = Handover.byFolder(name -> folder);
            return new Handover(
                    handover.queues(),
                    handover.batch(),
                    draw.nextBoolean() ? 4_000 : handover.messageBytes(),
                    1 + draw.nextInt(handover.tries()),
                    handover.lookEvery(),
                    handover.listen(),
                    handover.listeners());
        }

        private MessageQueue intake(SimulatedClient machine, String name) {
            MessageQueue known = intake;
            if (known == null) {
                known = cloud.queues(machine).create("intake-" + name, QueueAttributes.STANDARD);
                intake = known;
            }
            return known;
        }

        void work() {
            for (int i = 0; i < 12; i++) {
                machine.sleep(pause());
                try {
                    act();
                } catch (ConflictException | UnavailableException | OutcomeUnknownException expected) {
                    // judged by what was noted
                }
            }
        }

        private Duration pause() {
            return switch (draw.nextInt(10)) {
                case 0 -> Duration.ofMinutes(draw.nextInt(80));
                case 1, 2 -> Duration.ofSeconds(draw.nextInt(60));
                case 3, 4, 5 -> Duration.ZERO;
                default -> Duration.ofMillis(draw.nextInt(500));
            };
        }

        private void act() {
            switch (draw.nextInt(8)) {
                case 0 -> {
                    var unused = domain.checkpoint();
                }
                case 1 -> {
                    if (draw.nextInt(3) == 0) {
                        var unused = domain.trim();
                    } else {
                        // Frequent readers warm the pool.
                        KEYS.forEach(key -> pool.read(key, Long.MIN_VALUE));
                    }
                }
                default -> transact();
            }
        }

        private void transact() {
            long floor = watch.acknowledged();
            boolean fresh = draw.nextInt(5) > 0;
            if (fresh) {
                domain.refresh();
            } else {
                domain.refresh(Duration.ofSeconds(30));
            }
            try (Pin pin = domain.pin(true)) {
                if (fresh) {
                    assertThat(pin.position())
                            .as("what was acknowledged is seen")
                            .isGreaterThanOrEqualTo(floor);
                }
                transact(pin);
            }
        }

        private void transact(Pin pin) {
            Map<Bytes, @Nullable Stamp> values = new HashMap<>();
            ReadSet reads = new ReadSet();
            if (draw.nextInt(3) == 0) {
                int from = draw.nextInt(KEYS.size());
                int to = from + draw.nextInt(KEYS.size() - from);
                scan(pin, new KeyRange(KEYS.get(from), KEYS.get(to)), reads, values);
            }
            for (int i = draw.nextInt(3); i >= 0; i--) {
                Bytes key = KEYS.get(draw.nextInt(KEYS.size()));
                values.put(key, find(pin, key, reads));
                reads.add(TREE, key);
                machine.sleep(Duration.ofMillis(draw.nextInt(300)));
            }
            LogWatch.Seen seen = new LogWatch.Seen(pin.position(), values);
            watch.read(seen);
            if (draw.nextInt(4) > 0) {
                commit(pin, reads, seen);
            }
        }

        /** A page that shows more than the snapshot: the snapshot moves, if nothing that was read has changed. */
        private @Nullable Stamp find(Pin pin, Bytes key, ReadSet reads) {
            while (true) {
                RecordChange change = pin.view().find(TREE, key);
                RecordChange onPage = pool.read(key, domain.tail().pagesSinceNanos(TREE));
                if (onPage == null || !onPage.stamp().isAfter(pin.view().newest())) {
                    RecordChange newest = change == null ? onPage : change;
                    if (pin.view().isTooOld()) {
                        throw new ConflictException("too old");
                    }
                    return newest == null || newest.payloadOrNull() == null ? null : newest.stamp();
                }
                domain.refresh();
                if (!pin.extend(reads)) {
                    throw new ConflictException("what was read has changed");
                }
            }
        }

        private void scan(Pin pin, KeyRange range, ReadSet reads, Map<Bytes, @Nullable Stamp> values) {
            List<Bytes> keys = KEYS.stream().filter(range::contains).toList();
            for (Bytes key : keys) {
                values.put(key, find(pin, key, reads));
                reads.add(TREE, new KeyRange(key, KeyRange.after(key)));
            }
            reads.add(TREE, range);
            Iterator<RecordChange> tail =
                    pin.view().iterate(TREE, range, draw.nextBoolean() ? Direction.ASCENDING : Direction.DESCENDING);
            tail.forEachRemaining(change -> {
                if (values.get(change.key()) != null || change.payloadOrNull() != null) {
                    assertThat(change.payloadOrNull() == null ? null : change.stamp())
                            .as("a scan of the tail")
                            .isEqualTo(values.get(change.key()));
                }
            });
        }

        private Bytes value() {
            Bytes small = Bytes.utf8("v" + draw.nextInt(1000));
            return draw.nextInt(20) == 0 ? small.concat(LARGE) : small;
        }

        private void commit(Pin pin, ReadSet reads, LogWatch.Seen seen) {
            List<LogRecord> writes = new ArrayList<>();
            ReadSet written = new ReadSet();
            int first = draw.nextInt(KEYS.size());
            for (int i = 0; i <= draw.nextInt(2); i++) {
                Bytes key = KEYS.get((first + i) % KEYS.size());
                written.add(TREE, key);
                writes.add(new LogRecord(
                        TREE,
                        draw.nextInt(4) == 0
                                ? new RecordChange.Delete(key, Stamp.ZERO)
                                : new RecordChange.Put(key, value(), Stamp.ZERO)));
            }
            boolean serializable = draw.nextBoolean();
            Intent intent = new Intent(
                    new TransactionId(id, draw.nextLong()), pin.position(), serializable ? reads : written, writes);
            watch.begins(intent, serializable ? seen : null);
            try {
                watch.committed(intent.id(), domain.commit(intent));
            } catch (ConflictException | UnavailableException refused) {
                watch.refused(intent.id());
                throw refused;
            }
        }
    }
}
