package io.penstock.bench.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DamageBenchTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return new DamageBench()
                .run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        arguments);
    }

    @Test
    void damagedDefinitionsAreNoticed() {
        assertThat(run("--every", "200", "--only", "catalog,file of catalog"))
                .as("%s%s", out, err)
                .isEqualTo(Shell.DONE);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("| catalog | a bit turned |", "| file of catalog |");
    }

    /** The small version of the whole bench: of all that is done to objects and messages of a kind, the first. */
    @Test
    void eachDamageToEachKindIsNoticedOrExcused() {
        Original original = new Original();
        Map<String, Damage<Specimen>> first = new TreeMap<>();
        Set<String> queues = new TreeSet<>();
        original.use(specimen -> {
            Damages.of(specimen, 1000)
                    .forEach(damage -> first.putIfAbsent(damage.target().kind() + ", " + damage.what(), damage));
            specimen.tamper((queue, body, receives) -> {
                queues.add(queue.substring(0, "penstock-pu".length()));
                return Optional.of(body);
            });
        });
        assertThat(queues).containsExactly("penstock-at", "penstock-in", "penstock-lk", "penstock-pu");
        for (String kind : List.of(
                "catalog",
                "client",
                "horizon of a log",
                "leaf",
                "ledger",
                "mark",
                "overflow",
                "parked",
                "quarantine",
                "reason",
                "root inner page",
                "root leaf",
                "roots",
                "segment of a log",
                "trees")) {
            assertThat(first).containsKey(kind + ", " + Damage.TOO_LONG);
        }
        Set<String> usual = Trial.usual(original);
        first.forEach((what, damage) -> {
            Trial trial = Trial.of(damage, original, usual);
            assertThat(trial.isBad()).as("%s: %s", what, trial.line()).isFalse();
        });
    }

    /** The judge is no judge if it lets this pass: a record is gone, and nobody noticed. */
    @Test
    void whatReadsWronglyAndIsNotNoticedIsSilent() {
        List<Damage<Specimen>> older = new ArrayList<>();
        Original original = new Original();
        original.use(specimen -> Damages.of(specimen, 100_000).stream()
                .filter(damage -> damage.what().equals(Damage.OLDER)
                        && damage.target().kind().equals("leaf"))
                .forEach(older::add));
        Set<String> usual = Trial.usual(original);
        assertThat(older.stream().limit(8).map(damage -> Trial.of(damage, original, usual)))
                .anySatisfy(trial -> {
                    assertThat(trial.verdict()).isEqualTo(Verdict.SILENT);
                    assertThat(trial.wrong()).isNotEmpty();
                });
    }

    @Test
    void aWrongOptionIsRefused() {
        assertThat(run("--every", "0")).isEqualTo(Shell.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--every");
    }
}
