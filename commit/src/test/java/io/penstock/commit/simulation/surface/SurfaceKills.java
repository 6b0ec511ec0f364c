package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.commit.simulation.surface.Attempt.End;
import io.penstock.commit.simulation.surface.Log.Broken;
import io.penstock.core.Stamp;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.feed.ChangeFeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code scripts/kills --surface}: the programs of {@link Surface}, on threads of processes that are
 * killed, stopped and replaced, against a directory or a server. Ends with 0 when every promise held, 1 when one was
 * broken, 2 when it was called wrongly. What is drawn is a function of the seed; what happens is the machine's.
 */
public final class SurfaceKills {
    /** What only virtual time has, or what is not of this generator's programs. */
    private static final EnumSet<Feature> SIMULATED = EnumSet.of(
            Feature.LOST,
            Feature.SLOW,
            Feature.THROTTLE,
            Feature.REORDER,
            Feature.SKEW,
            Feature.INTERRUPTS,
            Feature.DEADLINES,
            Feature.WEAK,
            Feature.FILL,
            Feature.MOVE,
            Feature.STATES,
            Feature.LOG_APART);

    private static final int PAUSE_MILLIS_MAX = 3_000;
    private static final Duration STOP_MAX = Duration.ofMinutes(2);

    private final List<String> options;
    private final Drawn drawn;
    private final Place place;
    private final Path journals;
    private final int kills;
    private final Tasks tasks = new ThreadTasks();
    private final Log log = new Log(false);
    private final SplittableRandom random;
    private final List<Process> processes = new ArrayList<>();
    private final Map<String, String> large = new HashMap<>();
    private final List<Stamp> heard = new ArrayList<>();
    private int started;
    private String start = "";
    private volatile boolean over;

    private SurfaceKills(List<String> options, Place place, Path journals, int kills) {
        this.options = options;
        this.drawn = drawn(options);
        this.place = place;
        this.journals = journals;
        this.kills = kills;
        this.random = new SplittableRandom(drawn.seed() * 31 + 7);
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, String> given = new HashMap<>(Map.of("--seeds", "4", "--from", "1", "--kills", "4"));
        boolean local = false;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--local")) {
                local = true;
            } else if (List.of("--seeds", "--from", "--kills", "--level", "--with", "--without")
                            .contains(arguments[i])
                    && i + 1 < arguments.length) {
                given.put(arguments[i], arguments[++i]);
            } else {
                System.err.println("kills --surface: unknown option, or one without its value " + arguments[i]
                        + "; use [--local] [--seeds N] [--from S] [--kills N] [--level L] [--with FEATURES]"
                        + " [--without FEATURES]");
                System.exit(2);
            }
        }
        int failed = 0;
        long from = Long.parseLong(given.get("--from"));
        for (long seed = from; seed < from + Long.parseLong(given.get("--seeds")); seed++) {
            failed += run(seed, given, local) ? 0 : 1;
        }
        System.out.println("seeds=" + given.get("--seeds") + " failed=" + failed);
        System.exit(failed == 0 ? 0 : 1);
    }

    static boolean run(long seed, Map<String, String> given, boolean local) throws IOException {
        Path directory = Files.createTempDirectory("surface-kills");
        Path journals = Files.createDirectory(directory.resolve("journals"));
        List<String> options = List.of(
                String.valueOf(seed),
                given.getOrDefault("--level", ""),
                given.getOrDefault("--with", ""),
                given.getOrDefault("--without", ""),
                String.valueOf(local));
        String prefix = "surface-" + seed + "-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
        Place place = new Place(local ? directory.resolve("store").toString() : "", prefix);
        SurfaceKills run = new SurfaceKills(options, place, journals, Integer.parseInt(given.get("--kills")));
        try {
            run.work();
        } finally {
            run.processes.forEach(Process::destroyForcibly);
        }
        return run.tell(directory);
    }

    /** @param options seed, level, features with and without, and whether the store is in a directory */
    static Drawn drawn(List<String> options) {
        EnumSet<Feature> without = EnumSet.copyOf(SIMULATED);
        without.addAll(Surface.features(options.get(3)));
        if (Boolean.parseBoolean(options.get(4))) {
            without.add(Feature.BUCKET_ONLY);
        }
        ConsistencyLevel level = options.get(1).isEmpty() ? null : ConsistencyLevel.valueOf(options.get(1));
        Drawn drawn = Drawn.of(Long.parseLong(options.get(0)), level, without, Surface.features(options.get(2)));
        return drawn.with(drawn.features(), Math.max(2, drawn.handles()), drawn.users(), Integer.MAX_VALUE);
    }

    /** The handles, and one for chores. */
    static int processes(Drawn drawn) {
        return drawn.handles() + 1;
    }

    // ---- Work

    private void work() {
        place.use(true, drawn, tasks, (settings, objects) -> {
            try (Penstock store = Penstock.open(settings)) {
                Handle handle = handle(store, -1);
                handle.a.get("k00");
                handle.b.get("k00");
                handle.n.get("c0");
                if (drawn.has(Feature.VERSIONS)) {
                    handle.e.get("k00");
                }
                start = store.position(RecordCollection.MAIN_DOMAIN);
                new User("founder", drawn, log, random.split()).fill(handle);
            }
        });
        for (int slot = 0; slot < processes(drawn); slot++) {
            processes.add(startWorker(slot));
        }
        Thread listener = Thread.ofPlatform().start(() -> place.use(false, drawn, tasks, this::listen));
        for (int kill = 0; kill < kills; kill++) {
            tasks.sleep(pause());
            strike(random.nextInt(processes.size()));
        }
        tasks.sleep(pause());
        over = true;
        join(listener);
        stop();
        place.use(true, drawn, tasks, this::verify);
    }

    /** Servers do in a second what a directory does in a fourth of it. */
    private Duration pause() {
        Duration pause = Duration.ofMillis(PAUSE_MILLIS_MAX / 2 + random.nextInt(PAUSE_MILLIS_MAX));
        return place.directory().isEmpty() ? pause.multipliedBy(4) : pause;
    }

    private Handle handle(Penstock store, int number) {
        return new Handle(new Worker.Real("parent", tasks, 1), store, drawn, log.calls, number);
    }

    private Process startWorker(int slot) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Xshare:auto",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty("java.class.path")));
        if (place.directory().isEmpty()) {
            System.getProperties().stringPropertyNames().stream()
                    .filter(name -> name.startsWith("penstock."))
                    .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        }
        command.add(Worker.class.getName());
        command.addAll(options);
        started++;
        command.addAll(List.of(
                place.directory(), place.prefix(), journals.toString(), String.valueOf(slot), String.valueOf(started)));
        try {
            return new ProcessBuilder(command)
                    .redirectError(journals.resolveSibling("errors-" + started).toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills a process and starts another in its place, or stops it for a while. */
    private void strike(int slot) {
        Process victim = processes.get(slot);
        if (!victim.isAlive()) {
            log.alarm("a process ends when it is told to", errors());
        }
        if (drawn.has(Feature.FREEZES) && random.nextBoolean()) {
            signal(victim, "-STOP");
            tasks.sleep(Duration.ofMillis(random.nextInt(2 * PAUSE_MILLIS_MAX)));
            signal(victim, "-CONT");
            return;
        }
        victim.destroyForcibly();
        processes.set(slot, startWorker(slot));
    }

    private static void signal(Process process, String signal) {
        try {
            new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the feed all the time, by one handle after another, before large payloads are replaced. */
    private void listen(Settings settings, ObjectStore objects) {
        String position = start;
        while (!over) {
            try (Penstock store = Penstock.open(settings)) {
                ChangeFeed feed = store.changes(position);
                for (int i = 0; i < 200 && !over; i++) {
                    Optional<io.penstock.feed.Commit> next = feed.next(Duration.ofMillis(200));
                    if (next.isPresent()) {
                        io.penstock.feed.Commit commit = next.get();
                        heard.add(commit.stamp());
                        position = commit.position();
                        commit.changes()
                                .forEach(change -> change.value()
                                        .ifPresent(value -> large.put(
                                                commit.stamp() + Verification.nameOf(change),
                                                Verification.textOf(drawn, change, value))));
                    }
                }
            } catch (StoreException e) {
                log.unexpected(e, drawn);
            }
        }
    }

    private void join(Thread thread) {
        try {
            if (!thread.join(STOP_MAX)) {
                log.alarm("a feed's reader ends", thread.getName());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all, the owner of the directory last. */
    private void stop() {
        for (int slot = processes.size() - 1; slot >= 0; slot--) {
            Process process = processes.get(slot);
            try {
                process.getOutputStream().close();
                if (!process.waitFor(STOP_MAX.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                    log.alarm("a process ends when it is told to", "slot " + slot + " " + errors());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String errors() {
        try (Stream<Path> files = Files.list(journals.getParent())) {
            StringBuilder text = new StringBuilder();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- The end

    private void verify(Settings settings, ObjectStore objects) {
        try (Stream<Path> files = Files.list(journals)) {
            files.sorted().forEach(file -> Journal.read(file, log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (Penstock store = Penstock.open(settings.staleness(Duration.ZERO))) {
            long epochMillis = tasks.nowMillis() - tasks.nanoTime() / 1_000_000;
            Verification verification = new Verification(drawn, log, handle(store, 1), epochMillis);
            verification.judge(start, large, heard);
            verification.settled();
            if (drawn.has(Feature.BACKUPS)) {
                verification.restored(settings, place.prefix() + "-restored", objects, place.saved());
                verification.copied(
                        settings, place.prefix() + "-copied", place.prefix() + "-copied0", place.prefix() + "-copied1");
            }
            verification.keys(settings, List.of(settings.encryption(Masters.WRONG)));
            verification.sound();
        }
    }

    private long count(@Nullable End end) {
        return log.attempts.stream()
                .filter(attempt -> end == null || attempt.end == end)
                .count();
    }

    private boolean tell(Path directory) throws IOException {
        System.out.println(drawn);
        System.out.println("  processes=" + started + " kills=" + kills + " attempts=" + count(null) + " committed="
                + count(End.COMMITTED) + " failed=" + count(End.FAILED) + " unknown=" + count(End.UNKNOWN) + " open="
                + count(End.OPEN) + " broken=" + log.broken.size());
        for (Broken broken : log.broken) {
            System.out.println("BROKEN " + broken.promise() + ": " + broken.detail());
        }
        if (log.broken.isEmpty()) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
            return true;
        }
        System.out.println("  journals in " + directory);
        return false;
    }
}
