package io.penstock.report;

import java.util.List;

/**
 * The findings of a verification of a store, in lines for people.
 *
 * @param violations violations, which must never be: something is lost or damaged
 * @param notes findings that cost something and lose nothing: a backlog, orphans, messages in quarantine, left-over
 *     entries
 * @param trees the number of trees walked
 * @param pages of these
 * @param records live ones, of all collections
 * @param payloads large ones that records name
 */
public record VerifyReport(
        List<String> violations, List<String> notes, long trees, long pages, long records, long payloads) {
    public VerifyReport {
        violations = List.copyOf(violations);
        notes = List.copyOf(notes);
    }

    /** Whether there are no violations. */
    public boolean isSound() {
        return violations.isEmpty();
    }
}
