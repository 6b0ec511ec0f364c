package io.penstock.bench.experiment.candidates;

import io.penstock.core.queue.MessageQueue;
import io.penstock.testkit.SimulatedClient;

/** A way to order commits. */
enum Candidate {
    RACE {
        @Override
        Committer committer(Parts parts) {
            return new Race(parts.machine, parts.log, parts.id, 0);
        }
    },
    BACK_OFF {
        @Override
        Committer committer(Parts parts) {
            return new Race(parts.machine, parts.log, parts.id, parts.putMillis);
        }
    },
    COMBINE {
        @Override
        Committer committer(Parts parts) {
            return new Combine(parts.machine, parts.log, parts.id, parts.intake, parts.requests, parts.putMillis);
        }
    },
    LANES {
        @Override
        Committer committer(Parts parts) {
            return new Lanes(parts.machine, parts.log, parts.id, parts.putMillis);
        }
    };

    abstract Committer committer(Parts parts);

    /** What a client of a trial is made of. */
    record Parts(
            SimulatedClient machine, CommitLog log, int id, MessageQueue intake, Requests requests, double putMillis) {}
}
