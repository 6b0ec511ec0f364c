package io.penstock.bench.peers;

import io.penstock.bench.cli.JsonTarget;
import io.penstock.bench.cli.Shell;
import io.penstock.bench.cli.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench peers}. */
@Command(
        name = "peers",
        description = "Cached reads, scans and batches of Penstock and of embedded stores, all data in memory.",
        sortOptions = false)
public final class PeersBench implements Callable<Integer> {
    @Option(names = "--quick", description = "one short round: five minutes, and rougher figures")
    private boolean quick;

    @Option(names = "--records", paramLabel = "N", description = "in each store; default: ${DEFAULT-VALUE}")
    private int records = 1_000_000;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "writes the rows as JSON too; - for standard output, and then nothing else")
    private @Nullable String json;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "says this")
    private boolean help;

    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, Map<Subject, Measurement>> measured = new LinkedHashMap<>();

    private PeersBench(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, arguments));
    }

    /** Runs a command line and returns its exit code. */
    static int run(PrintStream out, PrintStream err, String... arguments) {
        Shell shell = new Shell("bench peers", "scripts/bench peers --help", out, err);
        return shell.run(new CommandLine(new PeersBench(out, err)), () -> {}, arguments);
    }

    @Override
    public Integer call() {
        if (records < 2 * Records.RUN) {
            throw new UsageException("--records is out of range; give " + 2 * Records.RUN + " or more");
        }
        JsonTarget target = json == null ? null : JsonTarget.of(json);
        Effort effort = quick ? Effort.QUICK : Effort.THOROUGH;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try {
            for (int round = 1; round <= effort.rounds(); round++) {
                measureAll(new PeerRun(records, effort, log), "round " + round + " of " + effort.rounds());
            }
        } catch (RunnerException failure) {
            err.write(log.toByteArray(), 0, log.size());
            err.println("bench peers: a store could not be measured; the lines above say why");
            return Shell.NOT_CLEAN;
        }
        report(target);
        return Shell.CLEAN;
    }

    /** Stores take turns within a round, so that a busy minute of the machine does not hit one of them alone. */
    private void measureAll(PeerRun run, String round) throws RunnerException {
        Map<String, List<Subject>> plan = new LinkedHashMap<>();
        for (Operation operation : Operation.values()) {
            plan.merge(operation.method(), List.of(operation.penstock()), PeersBench::joined);
        }
        plan.replaceAll((method, own) -> joined(own, Operation.peers()));
        for (Map.Entry<String, List<Subject>> entry : plan.entrySet()) {
            for (Subject subject : entry.getValue()) {
                err.println(round + ": " + entry.getKey() + " " + subject);
                run.measure(entry.getKey(), subject, of(entry.getKey(), subject));
            }
        }
    }

    private static List<Subject> joined(List<Subject> a, List<Subject> b) {
        return Stream.concat(a.stream(), b.stream()).toList();
    }

    private Measurement of(String method, Subject subject) {
        return measured.computeIfAbsent(method, m -> new EnumMap<>(Subject.class))
                .computeIfAbsent(subject, s -> new Measurement());
    }

    private void report(@Nullable JsonTarget target) {
        List<PeerRow> rows = Stream.of(Operation.values())
                .map(operation -> PeerRow.of(operation, this::of))
                .toList();
        if (target == null || !target.standardOutput()) {
            out.print(PeerRow.table(rows));
        }
        if (target != null) {
            target.write(PeerRow.json(rows), out);
        }
    }
}
