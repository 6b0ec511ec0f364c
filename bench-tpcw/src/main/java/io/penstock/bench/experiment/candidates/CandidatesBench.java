package io.penstock.bench.experiment.candidates;

import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench candidates}. Virtual time: the same figures on every machine, every time. */
@Command(
        name = "bench candidates",
        description = "Compares ways to order the commits of many clients in one log of objects, by models in the"
                + " simulated cloud: throughput, latency, dollars, and the slowest client.",
        sortOptions = false)
public final class CandidatesBench extends Program {
    private static final int CLIENTS_MAX = 1_000;
    private static final int SECONDS_MAX = 3_600;

    @Option(names = "--clients", split = ",", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private List<Integer> clients = List.of(1, 4, 16, 64);

    @Option(names = "--threads", paramLabel = "N", description = "of each client; default: ${DEFAULT-VALUE}")
    private int threads = 4;

    @Option(names = "--seconds", paramLabel = "N", description = "of virtual time; default: ${DEFAULT-VALUE}")
    private int seconds = 20;

    @Option(names = "--candidates", split = ",", description = "default: ${DEFAULT-VALUE}")
    private List<Candidate> candidates = List.of(Candidate.values());

    @Mixin
    private JsonOption json = new JsonOption();

    CandidatesBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(CandidatesBench::new, arguments);
    }

    @Override
    public Integer call() {
        clients.forEach(count -> UsageException.requireRange("--clients", count, 1, CLIENTS_MAX));
        UsageException.requireRange("--threads", threads, 1, CLIENTS_MAX);
        UsageException.requireRange("--seconds", seconds, 1, SECONDS_MAX);
        JsonTarget target = json.target();
        List<Row> rows = new ArrayList<>();
        for (KeyDraw keys : KeyDraw.values()) {
            for (Setup setup : Setup.ALL) {
                for (int count : clients) {
                    for (Candidate candidate : candidates) {
                        rows.add(new Trial(candidate, setup, count, threads, keys, seconds).run());
                    }
                }
            }
        }
        target.write(rows, Row.table(rows), out);
        return Shell.DONE;
    }
}
