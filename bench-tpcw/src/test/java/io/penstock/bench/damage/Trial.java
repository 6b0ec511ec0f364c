package io.penstock.bench.damage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One damage, and what came of it.
 *
 * @param what happened to the target, in a word or two
 * @param wrong records that read as something else
 * @param collateral what should have gone on and did not
 */
record Trial(Target target, String what, Verdict verdict, List<String> wrong, List<String> collateral) {
    /** Tries damages of the simulated store. */
    static Trial of(Damage<Specimen> damage, Original original, Set<String> usual) {
        Findings findings = new Findings(damage::isNamedBy);
        original.use(specimen -> {
            damage.strike().accept(specimen);
            judge(specimen, findings, usual).judge();
        });
        return of(damage.target(), damage.what(), findings);
    }

    /** Tries damages of a local store's files. */
    static Trial ofFiles(Damage<Path> damage, LocalSpecimen specimen, Set<String> usual) {
        Findings findings = new Findings(message -> true);
        Path copy = specimen.copy();
        damage.strike().accept(copy);
        judge(specimen, findings, copy, usual).judge();
        LocalSpecimen.remove(copy);
        return of(damage.target(), damage.what(), findings);
    }

    private static Trial of(Target target, String what, Findings findings) {
        return new Trial(target, what, findings.verdict(), findings.wrong(), findings.collateral());
    }

    /** The lines that {@code verify} prints of the undamaged store, which must read as it should. */
    static Set<String> usual(Original original) {
        Set<String> told = new TreeSet<>();
        original.use(specimen -> {
            Findings findings = new Findings(message -> true);
            told.addAll(sound(findings, judge(specimen, findings, Set.of())));
        });
        return told;
    }

    /** As {@link #usual()}, of the local store. */
    static Set<String> usual(LocalSpecimen specimen) {
        Findings findings = new Findings(message -> true);
        Path copy = specimen.copy();
        return sound(findings, judge(specimen, findings, copy, Set.of()));
    }

    private static Set<String> sound(Findings findings, Judge judge) {
        judge.judge();
        if (!findings.wrong().isEmpty() || !findings.collateral().isEmpty()) {
            throw new IllegalStateException("the undamaged store does not read as it must; wrong=" + findings.wrong()
                    + " collateral=" + findings.collateral());
        }
        return judge.told();
    }

    private static Judge judge(Specimen specimen, Findings findings, Set<String> usual) {
        specimen.sleep(Specimen.DEAD_AFTER.multipliedBy(2).plus(Duration.ofMinutes(2)));
        return new Judge(
                findings,
                specimen.content(),
                specimen::settings,
                () -> specimen.sleep(Specimen.TOKEN_RENEWED_AFTER),
                usual);
    }

    private static Judge judge(LocalSpecimen specimen, Findings findings, Path copy, Set<String> usual) {
        return new Judge(findings, specimen.content(), () -> LocalSpecimen.settings(copy), () -> {}, usual);
    }

    /** Whether nobody noticed without an excuse, or something else suffered. */
    boolean isBad() {
        return Excuses.of(this).isEmpty() || !collateral.isEmpty();
    }

    String line() {
        return verdict + " " + what + " " + target + " wrong=" + wrong + " collateral=" + collateral;
    }
}
