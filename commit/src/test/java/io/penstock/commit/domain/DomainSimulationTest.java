package io.penstock.commit.domain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients of one domain beside faults, crashes, lost answers, pauses beyond the retention, wrong clocks and trims: the
 * log has no gap, each acknowledged transaction is in it once and valid at its place, no refused one is, snapshots are
 * states of the log, and pages are never behind the horizon.
 */
class DomainSimulationTest {
    private static final int SEEDS = 100;

    @Test
    void logIsTheOrderOfWhatWasAcknowledged() {
        hunt(1, SEEDS);
    }

    @Test
    @Tag("long")
    void logIsTheOrderOfWhatWasAcknowledgedInManyRuns() {
        hunt(SEEDS + 1, 50 * SEEDS);
    }

    private static void hunt(long from, long to) {
        long commits = 0;
        long refusals = 0;
        long trimmed = 0;
        long lies = 0;
        long references = 0;
        for (long seed = from; seed <= to; seed++) {
            LogWatch watch = new DomainRun(seed).run();
            commits += watch.commits();
            refusals += watch.refusals();
            trimmed += watch.trimmed();
            lies += watch.lies();
            references += watch.references();
        }
        // That all of it was there to be judged:
        assertThat(commits).as("commits").isPositive();
        assertThat(refusals).as("refusals").isPositive();
        assertThat(trimmed).as("trimmed segments").isPositive();
        assertThat(references).as("transactions handed in by reference").isPositive();
        assertThat(lies).as("puts into trimmed slots").isPositive();
    }
}
