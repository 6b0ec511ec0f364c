package io.penstock.testkit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Tasks;
import io.penstock.testing.ObjectStoreContract;
import io.penstock.testing.SimulatedRuns;
import org.junit.jupiter.api.Nested;

/** The contract over the simulated object store, in calm and bad weather and in every latency profile. */
class SimulatedObjectStoreTest {
    private static final int SEEDS = 5;

    @Nested
    class Instant extends Contract {
        Instant() {
            super(Profile.INSTANT, World.CALM);
        }
    }

    @Nested
    class Paper2008 extends Contract {
        Paper2008() {
            super(Profile.PAPER_2008, World.CALM);
        }
    }

    @Nested
    class Aws2026 extends Contract {
        Aws2026() {
            super(Profile.AWS_2026, World.CALM);
        }
    }

    @Nested
    class Express2026 extends Contract {
        Express2026() {
            super(Profile.EXPRESS_2026, World.CALM);
        }
    }

    /** Throttled, slow, and concurrent conditional puts answered with 409; no answer is lost. */
    @Nested
    class RoughButAnswered extends Contract {
        RoughButAnswered() {
            super(Profile.AWS_2026, WorldsForTests.ROUGH_BUT_ANSWERED);
        }
    }

    /** As the stores of production see it. A lost answer of a conditional put is for the layers above. */
    private abstract static class Contract extends ObjectStoreContract {
        private final SimulatedRuns runs;
        private ObjectStore store;

        Contract(Profile profile, World world) {
            this.runs = new SimulatedRuns(profile, world, SEEDS);
        }

        @Override
        protected void run(Runnable body) {
            runs.run(
                    (cloud, client) -> store = ObjectStores.retrying(
                            cloud.objects(client),
                            RetryPolicy.STANDARD,
                            client,
                            new RequestMeters(new SimpleMeterRegistry(), "test")),
                    body);
        }

        @Override
        protected ObjectStore store() {
            return store;
        }

        @Override
        protected Tasks tasks() {
            return runs.client();
        }
    }
}
