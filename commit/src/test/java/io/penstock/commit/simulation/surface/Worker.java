package io.penstock.commit.simulation.surface;

import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Settings;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A process that runs drawn programs on threads, or does a store's chores, until it is killed or its input ends. Each
 * thread has a journal.
 */
final class Worker {
    /** Pauses of programs are drawn for virtual time. */
    static final int FASTER = 10;

    private final Drawn drawn;
    private final Place place;
    private final Path journals;
    private final int slot;
    private final int process;
    private final SplittableRandom random;
    private final Tasks tasks = new ThreadTasks();
    private volatile boolean over;

    /** A machine in real time. */
    record Real(String name, Tasks tasks, int faster) implements Machine {
        @Override
        public long nanoTime() {
            return tasks.nanoTime();
        }

        @Override
        public long nowMillis() {
            return tasks.nowMillis();
        }

        @Override
        public void sleep(Duration pause) {
            tasks.sleep(pause.dividedBy(faster));
        }

        @Override
        public boolean clearInterrupt() {
            return Thread.interrupted();
        }
    }

    private Worker(Drawn drawn, Place place, Path journals, int slot, int process) {
        this.drawn = drawn;
        this.place = place;
        this.journals = journals;
        this.slot = slot;
        this.process = process;
        this.random = new SplittableRandom(drawn.seed() * 131 + process);
    }

    /**
     * Takes the options of the run, then directory, prefix, folder of journals, slot and number of this process.
     */
    public static void main(String[] arguments) {
        int own = arguments.length - 5;
        Drawn drawn = SurfaceKills.drawn(List.of(arguments).subList(0, own));
        Place place = new Place(arguments[own], arguments[own + 1]);
        int slot = Integer.parseInt(arguments[own + 3]);
        Worker worker =
                new Worker(drawn, place, Path.of(arguments[own + 2]), slot, Integer.parseInt(arguments[own + 4]));
        worker.endWithInput();
        place.use(slot == 0, drawn, worker.tasks, worker::live);
        System.exit(0);
    }

    private void endWithInput() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                System.in.read();
            } catch (IOException gone) {
                // The parent has ended.
            }
            over = true;
        });
    }

    /** One handle after another. */
    private void live(Settings settings, ObjectStore objects) {
        while (!over) {
            // A program may be replaced by one of another version.
            int version = process > SurfaceKills.processes(drawn) && random.nextBoolean() ? slot + 2 : slot;
            int rounds = drawn.has(Feature.REOPEN) ? 1 + random.nextInt(40) : Integer.MAX_VALUE;
            try (Penstock store = Penstock.open(settings)) {
                if (slot == drawn.handles()) {
                    keep(settings, store, objects, rounds);
                } else {
                    use(store, version, rounds);
                }
            } catch (StoreException e) {
                System.err.println(Log.stackOf(e));
            }
        }
    }

    private Machine machine() {
        return new Real("p" + process, tasks, FASTER);
    }

    private void use(Penstock store, int version, int rounds) {
        Handle handle = new Handle(machine(), store, drawn, new Calls(), version);
        Session common = store.newSession();
        try (ExecutorService threads = Executors.newFixedThreadPool(drawn.users())) {
            List<CompletableFuture<Void>> users = new ArrayList<>();
            for (int user = 0; user < drawn.users(); user++) {
                String name = "p" + process + "." + user + "." + tasks.nanoTime();
                SplittableRandom luck = random.split();
                users.add(CompletableFuture.runAsync(() -> work(name, luck, handle, common, rounds), threads));
            }
            users.forEach(CompletableFuture::join);
        }
    }

    private void work(String name, SplittableRandom luck, Handle handle, Session common, int rounds) {
        try (Journal journal = new Journal(journals.resolve(name))) {
            Log log = new Log(false, name + "-", journal::save);
            User user = new User(name, drawn, log, luck);
            for (int i = 0; i < rounds && !over; i++) {
                try {
                    user.work(handle, common, 1);
                } catch (RuntimeException | AssertionError unexpected) {
                    log.alarm("no unexpected failure", Log.stackOf(unexpected));
                }
                journal.save(log);
            }
        }
    }

    private void keep(Settings settings, Penstock store, ObjectStore objects, int rounds) {
        try (Journal journal = new Journal(journals.resolve("p" + process + ".keeper." + tasks.nanoTime()))) {
            Log log = new Log(false);
            Chores chores = new Chores(
                    drawn,
                    log,
                    random.split(),
                    () -> {},
                    handle -> objects,
                    place.saved(),
                    (handle, prefix) -> Penstock.open(settings.prefix(place.prefix() + "-" + prefix)));
            Handle handle = new Handle(machine(), store, drawn, log.calls, 1);
            for (int i = 0; i < rounds && !over; i++) {
                handle.machine.sleep(Duration.ofMillis(random.nextInt(4_000)));
                try {
                    chores.next(handle);
                } catch (RuntimeException | AssertionError unexpected) {
                    log.alarm("no unexpected failure", Log.stackOf(unexpected));
                }
                journal.save(log);
            }
        }
    }
}
