package io.penstock.bench.experiment.candidates;

import io.penstock.testkit.Profile;
import java.util.List;

/**
 * The stores of a trial.
 *
 * @param log latencies and prices of the store that holds the log
 * @param pages of the store that holds the pages
 */
record Setup(String name, Profile log, Profile pages) {
    static final List<Setup> ALL = List.of(
            new Setup("aws-2026", Profile.AWS_2026, Profile.AWS_2026),
            new Setup("express-2026", Profile.EXPRESS_2026, Profile.EXPRESS_2026),
            new Setup("log on express", Profile.EXPRESS_2026, Profile.AWS_2026));
}
