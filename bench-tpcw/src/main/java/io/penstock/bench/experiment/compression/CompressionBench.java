package io.penstock.bench.experiment.compression;

import io.penstock.bench.program.Json;
import io.penstock.bench.program.JsonOption;
import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.testkit.Profile;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench compression}. Virtual time for reads, processor time for pages. */
@Command(
        name = "bench compression",
        description = "Compares compressed with plain pages for several kinds of payloads: stored"
                + " bytes, processor time for each page, and cold reads in the simulated cloud (in which"
                + " processor time does not count).",
        sortOptions = false)
public final class CompressionBench extends Program {
    private static final int MIB_MAX = 512;
    private static final int PAGE_KIB_MAX = 16 << 10;

    @Option(names = "--mib", paramLabel = "N", description = "MiB of payloads, about; default: ${DEFAULT-VALUE}")
    private int mib = 64;

    @Option(names = "--page-kib", split = ",", description = "sizes of pages; default: ${DEFAULT-VALUE}")
    private List<Integer> pageKib = List.of(64, 1 << 10);

    @Option(names = "--profiles", split = ",", description = "default: ${DEFAULT-VALUE}")
    private List<String> profiles = List.of(Profile.AWS_2026.name());

    @Mixin
    private JsonOption json = new JsonOption();

    CompressionBench(PrintStream out, PrintStream err) {
        super(out, err);
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(CompressionBench::new, arguments);
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--mib", mib, 1, MIB_MAX);
        pageKib.forEach(kib -> UsageException.requireRange("--page-kib", kib, 1, PAGE_KIB_MAX));
        JsonTarget target = json.target();
        boolean tables = !target.isAlone();
        List<Profile> clouds = profiles.stream().map(Profile::named).toList();
        out.print(tables ? CompressionRow.heading() : "");
        List<CompressionRow> rows = new ArrayList<>();
        for (Profile cloud : clouds) {
            for (int kib : pageKib) {
                for (Payloads payloads : Payloads.values()) {
                    CompressionRow row = CompressionRow.measure(cloud, payloads, kib << 10, records(payloads));
                    rows.add(row);
                    out.print(tables ? row.line() : "");
                }
            }
        }
        target.write(Json.of(rows), out);
        return Shell.DONE;
    }

    private long records(Payloads payloads) {
        return Math.max(1, ((long) mib << 20) / payloads.payload(1).length());
    }
}
