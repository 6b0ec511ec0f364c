package io.penstock.bookstore;

import io.penstock.Penstock;
import io.penstock.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * What the starter adds to the start of a web application, and how soon a store in memory is open: medians of fresh
 * processes that take turns.
 */
public final class StartBench {
    private static final int ROUNDS = 11;
    private static final int WARM_OPENS = 50;
    private static final double STARTER_MILLIS_MAX = 300;
    private static final double OPEN_MILLIS_MAX = 50;
    private static final String WITHOUT = "--spring.autoconfigure.exclude=io.penstock.spring.PenstockAutoConfiguration,"
            + "io.penstock.spring.PenstockTransactionManagementAutoConfiguration";

    private StartBench() {}

    /** A web application without anything of its own. Says how long it took from the start of its process. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class App {
        public static void main(String[] arguments) {
            SpringApplication.run(App.class, arguments);
            say(sinceStart());
            System.exit(0);
        }
    }

    /** Opens stores in memory: the first, and the median of many. */
    public static class Opens {
        public static void main(String[] arguments) {
            double first = open();
            double[] warm = new double[WARM_OPENS];
            for (int i = 0; i < warm.length; i++) {
                warm[i] = open();
            }
            say(first);
            say(median(warm));
            System.exit(0);
        }

        private static double open() {
            long begun = System.nanoTime();
            try (Penstock store = Penstock.open(Settings.inMemory())) {
                double millis = (System.nanoTime() - begun) / 1e6;
                store.ping();
                return millis;
            }
        }
    }

    private static double sinceStart() {
        return System.currentTimeMillis()
                - ProcessHandle.current().info().startInstant().orElseThrow().toEpochMilli();
    }

    private static void say(double millis) {
        System.out.println("millis=" + millis);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = Options.of("start", arguments, "rounds").number("rounds", ROUNDS);
        double[] without = new double[rounds];
        double[] memory = new double[rounds];
        double[] directory = new double[rounds];
        double[] first = new double[rounds];
        double[] warm = new double[rounds];
        Path folder = Files.createTempDirectory("penstock-start");
        try {
            for (int i = -1; i < rounds; i++) {
                int at = Math.max(i, 0); // a first round fills the system's caches, and is not counted
                without[at] = millis(App.class, WITHOUT).getFirst();
                memory[at] = millis(App.class, "--penstock.in-memory=true", "--penstock.directory=")
                        .getFirst();
                directory[at] = millis(App.class, "--penstock.directory=" + folder.resolve("store" + i))
                        .getFirst();
                List<Double> opens = millis(Opens.class);
                first[at] = opens.get(0);
                warm[at] = opens.get(1);
            }
        } finally {
            delete(folder);
        }
        double starter = median(directory) - median(without);
        System.out.println("| what | median | limit |\n|---|---|---|");
        row("a web application without the starter", median(without), 0);
        row("with the starter, store in memory", median(memory), 0);
        row("with the starter, store in a new directory", median(directory), 0);
        row("what the starter and its store in a directory add", starter, STARTER_MILLIS_MAX);
        row("first `Penstock.open(Settings.inMemory())` of a process", median(first), OPEN_MILLIS_MAX);
        row("further ones", median(warm), OPEN_MILLIS_MAX);
        if (starter > STARTER_MILLIS_MAX || median(first) > OPEN_MILLIS_MAX || median(warm) > OPEN_MILLIS_MAX) {
            System.exit(1);
        }
    }

    private static void row(String what, double millis, double limit) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %s ms | %s |%n",
                what,
                String.format(Locale.ROOT, millis < 10 ? "%.2f" : "%.0f", millis),
                limit == 0 ? "" : String.format(Locale.ROOT, "%.0f ms", limit));
    }

    /** The times that a program says, in a fresh process. */
    private static List<Double> millis(Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(ShopProcess.java(List.of("-Xmx512m", "-Xshare:auto"), program));
        command.add("--server.port=0");
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<Double> said = new ArrayList<>();
        try (Stream<String> lines = process.inputReader().lines()) {
            lines.filter(line -> line.startsWith("millis="))
                    .forEach(line -> said.add(Double.valueOf(line.substring("millis=".length()))));
        }
        if (said.isEmpty()) {
            throw new IllegalStateException(program.getSimpleName() + " does not start; run it to see why");
        }
        return said;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
