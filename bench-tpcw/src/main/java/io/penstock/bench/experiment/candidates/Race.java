package io.penstock.bench.experiment.candidates;

import io.penstock.testkit.SimulatedClient;
import java.util.List;

/** The plain race: put the next number; who loses reads what was put, validates again, and tries the next one. */
final class Race extends Committer {
    /** Doublings of the back-off. */
    private static final int DOUBLINGS_MAX = 6;

    private final double backOffMillis;

    /** @param backOffMillis the mean pause after a first lost race, which doubles from loss to loss; 0: no pause */
    Race(SimulatedClient machine, CommitLog log, int id, double backOffMillis) {
        super(machine, log, id);
        this.backOffMillis = backOffMillis;
    }

    @Override
    void decide(List<Waiting> group) {
        List<Waiting> open = refuse(group);
        for (int losses = 0; !open.isEmpty(); losses++) {
            if (!append(intents(open))) {
                if (backOffMillis > 0) {
                    double most = 2 * backOffMillis * (1 << Math.min(losses, DOUBLINGS_MAX));
                    pause(machine.random().nextDouble() * most);
                }
                log.follow(tail);
            }
            open = refuse(settle(open));
        }
    }
}
