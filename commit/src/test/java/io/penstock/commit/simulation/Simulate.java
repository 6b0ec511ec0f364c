package io.penstock.commit.simulation;

import io.penstock.commit.simulation.anomaly.Anomalies;
import io.penstock.commit.simulation.anomaly.ElleHistory;
import io.penstock.commit.simulation.anomaly.Isolation;
import io.penstock.commit.simulation.promise.Promise;
import io.penstock.core.InvalidRequestException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The program behind {@code scripts/simulate}. Ends with 0 when every promise held, 1 when one was broken, 2 when it
 * was called wrongly.
 */
public final class Simulate {
    private static final int BROKEN = 1;
    private static final int CALLED_WRONGLY = 2;

    /** Failing seeds that are made smaller: each takes as long as hundreds of runs. */
    private static final int SHRUNK_MAX = 3;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MINUTE = 60e9;

    private final Options options;
    private final PrintStream out;
    private long runs;
    private long failures;
    private long calls;

    private Simulate(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int status;
        try {
            Options options = Options.parse(List.of(arguments));
            status = run(options, List.of(arguments));
        } catch (InvalidRequestException e) {
            System.err.println("simulate: " + e.getMessage());
            status = CALLED_WRONGLY;
        }
        System.exit(status);
    }

    private static int run(Options options, List<String> arguments) throws IOException, InterruptedException {
        if (options.table()) {
            System.out.print(Table.generate());
            return 0;
        }
        if (options.jobs() > 1) {
            return fork(options, arguments);
        }

        Simulate simulate = new Simulate(options, System.out);
        return options.one() ? simulate.one() : simulate.many();
    }

    /** One seed: what it is about, what happened if asked for, and what was broken. */
    private int one() throws IOException {
        Scenario scenario = options.scenario(options.from());
        out.println(scenario);
        SimulatedRun.Result result = SimulatedRun.run(scenario, options.promises(scenario), options.trace());
        result.story().forEach(out::println);
        result.broken().forEach(broken -> out.println("BROKEN " + broken.promise() + ": " + broken.detail()));
        if (options.elle() != null) {
            String json = ElleHistory.json(result.history(), scenario.workload() == Workload.APPEND);
            Files.writeString(Path.of(options.elle()), json);
        }
        countAnomalies(scenario);

        out.printf(
                Locale.ROOT,
                "%s: %d transactions, %d calls, %.3f s of virtual time, %d broken%n",
                scenario.replay(),
                result.history().transactions().size(),
                result.calls(),
                result.virtualNanos() / NANOS_PER_SECOND,
                result.broken().size());
        return result.broken().isEmpty() ? 0 : BROKEN;
    }

    /** Counts anomalies that no level promises to prevent. */
    private void countAnomalies(Scenario scenario) {
        List<Promise> kinds = new ArrayList<>();
        for (Anomalies.Kind kind : Anomalies.Kind.values()) {
            kinds.add(new Isolation(kind));
        }
        Map<String, Long> counts = SimulatedRun.run(scenario, kinds, false).broken().stream()
                .collect(Collectors.groupingBy(SimulatedRun.Broken::promise, TreeMap::new, Collectors.counting()));
        if (!counts.isEmpty()) {
            out.println("anomalies that no level promises to prevent: " + counts);
        }
    }

    private int many() {

        long start = System.nanoTime();
        List<Scenario> shrunk = new ArrayList<>();
        for (long i = 0; i * options.step() < options.seeds(); i++) {
            if (options.minutes() > 0 && System.nanoTime() - start > options.minutes() * NANOS_PER_MINUTE) {
                break;
            }
            Scenario scenario = options.scenario(options.from() + i * options.step());
            SimulatedRun.Result result = SimulatedRun.run(scenario, options.promises(scenario), false);
            runs++;
            calls += result.calls();
            if (!result.broken().isEmpty()) {
                failures++;
                tell(scenario, result, shrunk);
            }
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        out.printf(
                Locale.ROOT,
                "%d seeds, %d failed; %.1f s, %.0f seeds/s, %.0f seeds per second of CPU, %.0f calls/seed%n",
                runs,
                failures,
                seconds,
                runs / seconds,
                runs / cpuSeconds(),
                (double) calls / Math.max(1, runs));
        return failures == 0 ? 0 : BROKEN;
    }

    /** Of this process: on a busy machine it tells more than the time that passed. */
    private static double cpuSeconds() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(cpu -> cpu.toNanos() / NANOS_PER_SECOND)
                .orElse(Double.NaN);
    }

    private void tell(Scenario scenario, SimulatedRun.Result result, List<Scenario> shrunk) {
        SimulatedRun.Broken first = result.broken().getFirst();
        List<String> promises = result.broken().stream()
                .map(SimulatedRun.Broken::promise)
                .distinct()
                .toList();
        out.println("FAILED " + scenario.replay() + ": " + String.join("; ", promises) + ": " + first.detail());
        if (shrunk.size() < SHRUNK_MAX) {
            Scenario least = Shrinker.shrink(scenario, first.promise());
            shrunk.add(least);
            out.println("  least: scripts/simulate --seed " + least.seed() + " --level " + least.level()
                    + " --workload " + least.workload()
                    + (least.isCompressed() ? " --compressed" : "")
                    + (least.cuts().isEmpty() ? "" : " --cut " + String.join(",", least.cuts())) + " --trace");
        }
    }

    /** Shares the seeds among processes, since a simulation wants a carrier thread of its own. */
    private static int fork(Options options, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Simulate.class.getName()));
        List<Process> processes = new ArrayList<>();
        for (int job = 0; job < options.jobs(); job++) {
            List<String> each = new ArrayList<>(command);
            each.addAll(arguments);
            each.addAll(List.of(
                    "--jobs", "1",
                    "--step", String.valueOf(options.jobs()),
                    "--from", String.valueOf(options.from() + job)));
            if (options.minutes() == 0) {
                each.addAll(List.of("--seeds", String.valueOf(options.seeds() - job)));
            }
            processes.add(new ProcessBuilder(each).inheritIO().start());
        }
        int worst = 0;
        for (Process process : processes) {
            worst = Math.max(worst, process.waitFor());
        }
        return worst;
    }
}
