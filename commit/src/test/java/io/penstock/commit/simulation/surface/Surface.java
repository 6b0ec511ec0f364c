package io.penstock.commit.simulation.surface;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.Arguments;
import io.penstock.commit.simulation.anomaly.ElleHistory;
import io.penstock.commit.simulation.surface.Log.Broken;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code scripts/simulate --surface}. Ends with 0 when every promise held, 1 when one was broken, 2
 * when it was called wrongly.
 */
public final class Surface {
    private static final int CALLED_WRONGLY = 2;
    private static final int SHRUNK_MAX = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Map<String, String> options;
    private final PrintStream out;
    private final Calls calls = new Calls();
    private long failed;
    private int shrunk;

    private Surface(Map<String, String> options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    public static void main(String[] arguments) {
        int status;
        try {
            status = new Surface(parse(List.of(arguments)), System.out).run();
        } catch (IllegalArgumentException | InvalidRequestException e) {
            System.err.println("simulate --surface: " + e.getMessage());
            status = CALLED_WRONGLY;
        }
        System.exit(status);
    }

    private static Map<String, String> parse(List<String> arguments) {
        Set<String> flags = Set.of("--trace", "--coverage", "--first");
        Set<String> values = Set.of(
                "--seed",
                "--seeds",
                "--from",
                "--level",
                "--without",
                "--with",
                "--only",
                "--promise",
                "--cut",
                "--history");
        return Arguments.parse(arguments, flags, values, usage());
    }

    private static String usage() {
        return "[--seed S | --seeds N --from S] [--level L] [--with FEATURES] [--without FEATURES] [--only FEATURES]"
                + " [--cut HANDLES,USERS,ROUNDS] [--promise REGEX] [--first] [--trace] [--coverage]"
                + " [--history FILE]";
    }

    /** @param names separated by commas */
    static EnumSet<Feature> features(String names) {
        EnumSet<Feature> features = EnumSet.noneOf(Feature.class);
        for (String name : names.split(",")) {
            if (!name.isEmpty()) {
                features.add(Feature.valueOf(name.toUpperCase(Locale.ROOT)));
            }
        }
        return features;
    }

    private @Nullable ConsistencyLevel level() {
        String level = options.get("--level");
        return level == null ? null : ConsistencyLevel.valueOf(level.toUpperCase(Locale.ROOT));
    }

    private Drawn drawn(long seed) {
        EnumSet<Feature> with = features(options.getOrDefault("--with", ""));
        EnumSet<Feature> without = features(options.getOrDefault("--without", ""));
        if (options.containsKey("--only")) {
            with = features(options.getOrDefault("--only", ""));
            without = EnumSet.complementOf(with);
        }
        Drawn drawn = Drawn.of(seed, level(), without, with);
        String cut = options.get("--cut");
        if (cut == null) {
            return drawn;
        }
        String[] parts = cut.split(",");
        return drawn.with(
                drawn.features(), Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    private int run() {
        boolean one = options.containsKey("--seed");
        long from = Long.parseLong(options.getOrDefault(one ? "--seed" : "--from", "1"));
        long seeds = one ? 1 : Long.parseLong(options.getOrDefault("--seeds", "1000"));
        long begun = System.nanoTime();
        long runs = 0;
        for (long seed = from; seed < from + seeds; seed++) {
            runs++;
            Drawn drawn = drawn(seed);
            Log log = SurfaceRun.run(drawn, options.containsKey("--coverage"));
            calls.add(log.calls);
            if (one) {
                tell(drawn, log);
            }
            List<Broken> broken = chosen(log);
            if (!broken.isEmpty()) {
                failed++;
                failed(drawn, broken);
                if (options.containsKey("--first")) {
                    break;
                }
            }
        }
        double seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
        out.printf(
                Locale.ROOT,
                "%d seeds, %d failed; %.1f s, %.0f seeds per second of CPU%n",
                runs,
                failed,
                seconds,
                runs / cpuSeconds());
        if (options.containsKey("--coverage")) {
            new Coverage(calls).print(out);
        }
        return failed == 0 ? 0 : 1;
    }

    private List<Broken> chosen(Log log) {
        String promise = options.get("--promise");
        return promise == null
                ? log.broken
                : log.broken.stream()
                        .filter(b -> Pattern.compile(promise)
                                .matcher(b.promise() + ": " + b.detail())
                                .find())
                        .toList();
    }

    private void tell(Drawn drawn, Log log) {
        out.println(drawn);
        if (options.containsKey("--trace")) {
            log.story.forEach(out::println);
            log.attempts.forEach(out::println);
        }
        String file = options.get("--history");
        if (file != null && log.cycles != null) {
            try {
                Files.writeString(Path.of(file), ElleHistory.json(log.cycles.history(), false));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        log.broken.forEach(broken -> out.println("BROKEN " + broken.promise() + ": " + broken.detail()));
    }

    private void failed(Drawn drawn, List<Broken> broken) {
        String promise = broken.getFirst().promise();
        List<String> all = broken.stream().map(Broken::promise).distinct().toList();
        out.println("FAILED " + drawn + ": " + String.join("; ", all));
        if (shrunk++ < SHRUNK_MAX && !options.containsKey("--seed")) {
            Drawn least = Least.of(drawn, promise);
            String only = String.join(
                    ",", least.features().stream().map(Feature::name).toList());
            out.println("  least: scripts/simulate --surface --seed " + least.seed() + " --level " + least.level()
                    + " --cut " + least.handles() + "," + least.users() + "," + least.rounds() + " --only "
                    + only.toLowerCase(Locale.ROOT) + " --trace");
            SurfaceRun.run(least, false).broken.stream()
                    .filter(b -> b.promise().equals(promise))
                    .limit(1)
                    .forEach(b -> out.println("  " + b.promise() + ": " + b.detail()));
        }
    }

    private static double cpuSeconds() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(cpu -> cpu.toNanos() / NANOS_PER_SECOND)
                .orElse(Double.NaN);
    }
}
