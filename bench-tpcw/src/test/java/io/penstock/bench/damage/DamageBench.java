package io.penstock.bench.damage;

import io.penstock.bench.program.JsonTarget;
import io.penstock.bench.program.Program;
import io.penstock.bench.program.Progress;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program behind {@code scripts/bench damage}. Virtual time: the same findings on every machine, every time. */
@Command(
        name = "bench damage",
        description = "Damages a small store in every way, one at a time: bits of every object and message turned,"
                + " objects removed, cut, lengthened, swapped and replaced by their older versions. Tells who noticed:"
                + " a read, verify, or nobody. Exit code 1 when a damage was silent, or spread.",
        sortOptions = false)
public final class DamageBench extends Program {
    private static final int EVERY_MAX = 1_000_000;
    private static final int EXAMPLES = 20;

    /** Trials at a time. */
    private static final int WIDTH = 2;

    @Option(names = "--every", paramLabel = "N", description = "turns one bit of N; default: ${DEFAULT-VALUE}")
    private int every = 20;

    @Option(names = "--only", split = ",", paramLabel = "KIND", description = "damages only objects of these kinds")
    private List<String> only = List.of();

    @Mixin
    private JsonTarget json = new JsonTarget();

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new DamageBench(), arguments);
    }

    @Override
    public Integer call() {
        UsageException.requireRange("--every", every, 1, EVERY_MAX);
        json.check();
        List<Trial> trials = trials();
        List<Row> rows = Row.of(trials);
        json.write(rows, table(rows), out);
        List<Trial> bad = trials.stream().filter(Trial::isBad).toList();
        bad.stream().limit(EXAMPLES).forEach(trial -> err.println(trial.line()));
        return bad.isEmpty() ? Shell.DONE : failed(bad.size() + " damages were silent, or spread");
    }

    private List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        List<Damage<Specimen>> damages = new ArrayList<>();
        Original original = new Original();
        original.use(specimen -> damages.addAll(Damages.of(specimen, every)));
        Set<String> usual = Trial.usual(original);
        trials.addAll(attempt("objects and messages", damages, damage -> Trial.of(damage, original, usual)));
        try (LocalSpecimen specimen = new LocalSpecimen()) {
            Set<String> usualHere = Trial.usual(specimen);
            List<Damage<Path>> ofFiles = FileDamages.of(specimen, every);
            trials.addAll(attempt("files", ofFiles, damage -> Trial.ofFiles(damage, specimen, usualHere)));
        }
        return trials;
    }

    private <S> List<Trial> attempt(String title, List<Damage<S>> damages, Function<Damage<S>, Trial> trial) {
        List<Damage<S>> chosen = damages.stream()
                .filter(damage ->
                        only.isEmpty() || only.contains(damage.target().kind()))
                .toList();
        Progress progress = Progress.on(err);
        progress.begin(title, chosen.size());
        List<Trial> trials = Parallel.map(new ThreadTasks(), WIDTH, chosen, damage -> {
            Trial result = trial.apply(damage);
            progress.advance(1);
            return result;
        });
        progress.end();
        return trials;
    }

    private static String table(List<Row> rows) {
        StringBuilder text = new StringBuilder("""
                | object | damage | tried | by read | by verify | harmless | silent | spread | why not noticed |
                |---|---|---|---|---|---|---|---|---|
                """);
        rows.forEach(row -> text.append(String.format(
                Locale.ROOT,
                "| %s | %s | %,d | %,d | %,d | %,d | %,d | %,d | %s |%n",
                row.object(),
                row.damage(),
                row.tried(),
                row.byRead(),
                row.byVerify(),
                row.harmless(),
                row.silent(),
                row.spread(),
                row.reason())));
        return text.toString();
    }
}
