package io.penstock.bench.experiment.peers;

import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench peers}. */
@Command(
        name = "bench peers",
        description =
                "Compares cached reads, scans and batches of Penstock and embedded stores; all data is in memory.",
        sortOptions = false)
public final class PeersBench extends Program {
    @Option(names = "--quick", description = "one short round of five minutes, with rougher figures")
    private boolean quick;

    @Option(names = "--records", paramLabel = "N", description = "records in each store; default: ${DEFAULT-VALUE}")
    private int records = 1_000_000;

    @Option(
            names = "--before",
            paramLabel = "CLASSPATH",
            description = "classes of core and btree of another checkout, to measure decode and write with as well")
    private @Nullable String before;

    @Mixin
    private JsonOption json = new JsonOption();

    private final Map<String, Map<Subject, Measurement>> measured = new LinkedHashMap<>();
    private final Map<Operation, Measurement> earlier = new EnumMap<>(Operation.class);

    PeersBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(PeersBench::new, arguments);
    }

    @Override
    public Integer call() {
        if (records < 2 * Records.RUN) {
            throw new UsageException("--records is out of range; give " + 2 * Records.RUN + " or more");
        }
        JsonTarget target = json.target();
        Effort effort = quick ? Effort.QUICK : Effort.THOROUGH;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try {
            for (int round = 1; round <= effort.rounds(); round++) {
                PeerRun run = new PeerRun(records, effort, log);
                String title = "round " + round + " of " + effort.rounds();
                measureAll(run, title);
                measureEarlier(run, title);
            }
        } catch (RunnerException failure) {
            err.write(log.toByteArray(), 0, log.size());
            return failed("a store could not be measured; the lines above say why");
        }
        report(target);
        return Shell.DONE;
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

    private void measureEarlier(PeerRun run, String round) throws RunnerException {
        if (before == null) {
            return;
        }
        for (Operation operation : Operation.values()) {
            if (operation.isOwn()) {
                err.println(round + ": " + operation.title() + " before");
                run.measureEarlier(before, operation.method(), operation.penstock(), earlierOf(operation));
            }
        }
    }

    private Measurement earlierOf(Operation operation) {
        return earlier.computeIfAbsent(operation, o -> new Measurement());
    }

    private static List<Subject> joined(List<Subject> a, List<Subject> b) {
        return Stream.concat(a.stream(), b.stream()).toList();
    }

    private Measurement of(String method, Subject subject) {
        return measured.computeIfAbsent(method, m -> new EnumMap<>(Subject.class))
                .computeIfAbsent(subject, s -> new Measurement());
    }

    private void report(JsonTarget target) {
        List<PeerRow> rows = Stream.of(Operation.values())
                .map(operation -> PeerRow.of(operation, this::of, earlierOf(operation)))
                .toList();
        target.write(rows, PeerRow.table(rows), out);
    }
}
