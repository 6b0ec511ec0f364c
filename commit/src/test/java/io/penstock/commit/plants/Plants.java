package io.penstock.commit.plants;

import io.penstock.commit.simulation.Scenario;
import io.penstock.commit.simulation.SimulatedRun;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The program behind {@code scripts/simulate --plants}: applies each planted bug to a copy of the files it changes,
 * compiles these alone, and runs the simulation with them in front of the class path until a promise is broken, or the
 * test that the patch names. Ends with 0 when every bug was found and the right promise named, 1 when not, 2 when it
 * was called wrongly or a patch does not apply.
 */
public final class Plants {
    private static final String USAGE = "scripts/simulate --plants [NAME ...] [--seeds N] [--search]";

    private static final long SEEDS = 10_000;
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final Path root;
    private final Path scratch;
    private final long seeds;
    private final boolean searching;

    /**
     * The outcome of one plant.
     *
     * @param seed the first one that broke the plant's promise; -1 when none did, 0 when a test has found it
     * @param named all promises that this seed broke, or what happened instead
     * @param others the first earlier seed that broke other promises, and which; may be empty
     * @param searched whether all seeds from the first one on were tried, so that {@code seed} is the number of runs
     */
    record Verdict(Patch patch, long seed, String named, String others, boolean searched) {
        boolean isRight() {
            return seed >= 0;
        }

        private String found() {
            return patch.test().isEmpty() ? String.valueOf(seed) : "test";
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%-32s %-5s %6s   %s%s%s",
                    patch.name(),
                    isRight() ? "yes" : "NO",
                    isRight() ? found() : "",
                    isRight() ? named : "expected: " + patch.promise() + "; " + named,
                    searched ? " (searched from seed 1)" : "",
                    others.isEmpty() ? "" : " (others before: seed " + others + ")");
        }
    }

    /**
     * @param root of the project, with the classes of core, btree and commit compiled
     * @param searching whether to search from the first seed on also where a patch names one that found it before
     */
    Plants(Path root, long seeds, boolean searching) {
        this.root = root;
        this.scratch = root.resolve("commit/target/plants");
        this.seeds = seeds;
        this.searching = searching;
    }

    public static void main(String[] arguments) {
        int status;
        try {
            status = run(List.of(arguments)) ? 0 : 1;
        } catch (InvalidRequestException e) {
            System.err.println("simulate: " + e.getMessage());
            status = 2;
        }
        System.exit(status);
    }

    private static boolean run(List<String> arguments) {
        long seeds = SEEDS;
        boolean searching = false;
        Path root = Path.of("");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            switch (arguments.get(i)) {
                case "--root" -> root = Path.of(arguments.get(++i));
                case "--search" -> searching = true;
                case "--seeds" -> seeds = seeds(arguments, ++i);
                default -> names.add(name(arguments.get(i)));
            }
        }
        Plants plants = new Plants(root.toAbsolutePath(), seeds, searching);
        System.out.printf(Locale.ROOT, "%-32s %-5s %6s   %s%n", "plant", "found", "seed", "promise");
        boolean all = true;
        for (Patch patch : plants.patches(names)) {
            Verdict verdict = plants.tryOut(patch);
            System.out.println(verdict);
            all &= verdict.isRight();
        }
        return all;
    }

    private static long seeds(List<String> arguments, int at) {
        if (at < arguments.size() && arguments.get(at).matches("[1-9][0-9]{0,8}")) {
            return Long.parseLong(arguments.get(at));
        }
        throw new InvalidRequestException("option --seeds needs a whole number of at least 1; use " + USAGE);
    }

    private static String name(String argument) {
        if (argument.startsWith("-")) {
            throw new InvalidRequestException("unknown option " + argument + "; use " + USAGE);
        }
        return argument;
    }

    /** The named plants, or all; each is parsed, so that a bad one is told at once. */
    List<Patch> patches(List<String> names) {
        Path folder = root.resolve("commit/src/test/plants");
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> patches = files.filter(file -> file.toString().endsWith(".patch"))
                    .sorted()
                    .toList();
            List<Patch> chosen = new ArrayList<>();
            for (Path file : patches) {
                String name = file.getFileName().toString().replace(".patch", "");
                if (names.isEmpty() || names.contains(name)) {
                    chosen.add(Patch.parse(name, Files.readAllLines(file)));
                }
            }
            for (String name : names) {
                if (chosen.stream().noneMatch(patch -> patch.name().equals(name))) {
                    throw new InvalidRequestException("there is no plant " + name + "; see commit/src/test/plants");
                }
            }
            return chosen;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tries out one plant: by its test, or by the seed that it names, or else by a search from the first seed on. */
    Verdict tryOut(Patch patch) {
        Path classes = compile(patch);
        if (!patch.test().isEmpty()) {
            return tryTest(patch, classes);
        }
        if (patch.seed() > 0 && !searching) {
            String line = hunt(classes, patch.seed(), 1, patch.promise()).getLast();
            if (line.startsWith(SeedSearch.FOUND) && isOwn(patch.seed(), patch.promise())) {
                String named = line.substring(SeedSearch.FOUND.length()).split(" ", 2)[1];
                return new Verdict(patch, patch.seed(), named, "", false);
            }
            System.err.println("simulate: seed " + patch.seed() + " does not find " + patch.name() + " any more");
        }
        return search(patch, classes);
    }

    /** Whether a seed keeps the promise without a plant: else it proves nothing. */
    private static boolean isOwn(long seed, String promise) {
        return SimulatedRun.run(Scenario.of(seed)).broken().stream()
                .noneMatch(broken -> broken.promise().equals(promise));
    }

    /** A seed that breaks the promise without the plant as well is left out. */
    private Verdict search(Patch patch, Path classes) {
        long from = 1;
        String others = "";
        while (from <= seeds) {
            List<String> lines = hunt(classes, from, seeds - from + 1, patch.promise());
            others = others.isEmpty() ? firstOther(lines) : others;
            String line = lines.getLast();
            if (!line.startsWith(SeedSearch.FOUND)) {
                return new Verdict(patch, -1, line, others, true);
            }
            String[] found = line.substring(SeedSearch.FOUND.length()).split(" ", 2);
            long seed = Long.parseLong(found[0]);
            if (isOwn(seed, patch.promise())) {
                return new Verdict(patch, seed, found[1], others, true);
            }
            System.err.println("simulate: seed " + seed + " fails without a plant too; left out");
            from = seed + 1;
        }
        return new Verdict(patch, -1, "no seed of its own", others, true);
    }

    /** The test must fail with the plant, and pass without. */
    private Verdict tryTest(Patch patch, Path classes) {
        List<String> test = List.of(patch.test().split("#", 2));
        String with = start(classes, Trial.class, test).getLast();
        String without =
                start(classes.resolveSibling("none"), Trial.class, test).getLast();
        boolean found = with.startsWith(Trial.FAILED) && without.equals(Trial.PASSED);
        return new Verdict(
                patch, found ? 0 : -1, patch.test() + (found ? "" : ": " + with + "; " + without), "", false);
    }

    private static String firstOther(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(SeedSearch.OTHER))
                .findFirst()
                .map(line -> line.substring(SeedSearch.OTHER.length()))
                .orElse("");
    }

    /** Compiles what the patch changes, against the classes that are there. */
    private Path compile(Patch patch) {
        Path sources = scratch.resolve(patch.name()).resolve("src");
        Path classes = scratch.resolve(patch.name()).resolve("classes");
        List<Path> files = new ArrayList<>();
        try {
            for (Map.Entry<String, String> file : patch.apply(this::read).entrySet()) {
                Path copy = sources.resolve(file.getKey());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, file.getValue());
                files.add(copy);
            }
            Files.createDirectories(classes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-proc:none", "-nowarn", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(
                            messages, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!compiled) {
                throw new InvalidRequestException("plant " + patch.name() + " does not compile; make its patch anew: "
                        + messages.toString().lines().findFirst().orElse(""));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return classes;
    }

    private String read(String file) {
        Path path = root.resolve(file);
        if (!Files.exists(path)) {
            throw new InvalidRequestException("a plant changes a file that is not there; make its patch anew: " + file);
        }
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> hunt(Path classes, long from, long count, String promise) {
        return start(classes, SeedSearch.class, List.of(String.valueOf(from), String.valueOf(count), promise));
    }

    /** Returns the output of a program in a process of its own, with {@code classes} before all others. */
    private List<String> start(Path classes, Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        String classPath = String.join(
                System.getProperty("path.separator"),
                classes.toString(),
                System.getProperty("java.class.path"),
                root.resolve("core/target/test-classes").toString(),
                root.resolve("core/testkit/target/classes").toString(),
                root.resolve("btree/target/test-classes").toString());
        command.addAll(List.of("-cp", classPath, program.getName()));
        command.addAll(arguments);
        Path output = classes.resolveSibling("output");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                if (!process.waitFor(PATIENCE.toMinutes(), TimeUnit.MINUTES)) {
                    return List.of("no end within " + PATIENCE.toMinutes() + " minutes");
                }
            } finally {
                process.destroyForcibly();
            }
            List<String> lines = Files.readAllLines(output);
            return lines.isEmpty() ? List.of("no output") : lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of("interrupted");
        }
    }
}
