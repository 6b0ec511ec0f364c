package io.penstock.bench.damage;

import io.penstock.core.CorruptDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/** What was seen of a damaged store. */
final class Findings {
    private final Predicate<String> damaged;
    private boolean met;
    private boolean verified;
    private final TreeSet<String> wrong = new TreeSet<>();
    private final List<String> collateral = new ArrayList<>();

    /** @param damaged whether the message of a failure tells of what was damaged */
    Findings(Predicate<String> damaged) {
        this.damaged = damaged;
    }

    /** A step that may meet the damage. What it tells of anything else is collateral. */
    void attempt(String step, Runnable body) {
        try {
            body.run();
        } catch (CorruptDataException found) {
            met = true;
            if (!damaged.test(String.valueOf(found.getMessage()))) {
                collateral.add(step + ": " + found.getMessage());
            }
        } catch (RuntimeException unexpected) {
            collateral.add(step + ": " + unexpected);
        }
    }

    /** As {@link #attempt}, for a step that may not fail at all, whatever is damaged. */
    void demand(String step, Runnable body) {
        try {
            body.run();
        } catch (RuntimeException failure) {
            met = true;
            collateral.add(step + ": " + failure);
        }
    }

    /** A report has told of damage. */
    void tell(boolean something) {
        met |= something;
    }

    void verify(boolean something) {
        verified |= something;
    }

    /** A record reads as something that it must not be. */
    void wrong(String path, String value) {
        wrong.add(path + "=" + value);
    }

    void collateral(String what) {
        collateral.add(what);
    }

    List<String> collateral() {
        return List.copyOf(collateral);
    }

    List<String> wrong() {
        return List.copyOf(wrong);
    }

    Verdict verdict() {
        if (met) {
            return Verdict.READ;
        }
        if (verified) {
            return Verdict.VERIFY;
        }
        return wrong.isEmpty() ? Verdict.HARMLESS : Verdict.SILENT;
    }
}
