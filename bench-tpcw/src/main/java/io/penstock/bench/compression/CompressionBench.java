package io.penstock.bench.compression;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.bench.cli.JsonTarget;
import io.penstock.bench.cli.Shell;
import io.penstock.bench.cli.UsageException;
import io.penstock.core.sim.Profile;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench compression}. Virtual time for reads, processor time for pages. */
@Command(
        name = "compression",
        description =
                "Collections of compressed pages beside plain ones, for payloads of some kinds: how many bytes are"
                        + " stored, processor time for each page, and cold reads in the simulated cloud, of which"
                        + " processor time is no part.",
        sortOptions = false)
public final class CompressionBench implements Callable<Integer> {
    private static final int MIB_MAX = 512;
    private static final int PAGE_KIB_MAX = 16 << 10;

    @Option(names = "--mib", paramLabel = "N", description = "of payloads, about; default: ${DEFAULT-VALUE}")
    private int mib = 64;

    @Option(names = "--page-kib", split = ",", description = "sizes of pages; default: ${DEFAULT-VALUE}")
    private List<Integer> pageKib = List.of(64, 1 << 10);

    @Option(names = "--profiles", split = ",", description = "default: ${DEFAULT-VALUE}")
    private List<String> profiles = List.of(Profile.AWS_2026.name());

    @Option(names = "--json", paramLabel = "FILE", description = "also as JSON; - for JSON alone, on standard output")
    private @Nullable String json;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "says this")
    private boolean help;

    private final PrintStream out;

    private CompressionBench(PrintStream out) {
        this.out = out;
    }

    /** Runs a command line. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, arguments));
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        Shell shell = new Shell("bench compression", "scripts/bench compression --help", out, err);
        return shell.run(new CommandLine(new CompressionBench(out)), () -> {}, arguments);
    }

    @Override
    public Integer call() {
        if (mib < 1 || mib > MIB_MAX) {
            throw new UsageException("--mib is 1 to " + MIB_MAX);
        }
        if (pageKib.stream().anyMatch(kib -> kib < 1 || kib > PAGE_KIB_MAX)) {
            throw new UsageException("--page-kib is 1 to " + PAGE_KIB_MAX);
        }
        JsonTarget target = json == null ? null : JsonTarget.of(json);
        boolean tables = target == null || !target.standardOutput();
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
        if (target != null) {
            target.write(json(rows), out);
        }
        return Shell.CLEAN;
    }

    private long records(Payloads payloads) {
        return Math.max(1, ((long) mib << 20) / payloads.payload(1).length());
    }

    private static String json(List<CompressionRow> rows) {
        try {
            return JsonMapper.builder()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .build()
                            .writeValueAsString(rows)
                    + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("plain records cannot be written as JSON", e);
        }
    }
}
