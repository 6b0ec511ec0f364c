package io.penstock.testkit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.core.meter.RequestMeters;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.QueueServices;
import io.penstock.core.retry.RetryPolicy;
import io.penstock.core.task.Tasks;
import io.penstock.testing.MessageQueueContract;
import io.penstock.testing.SimulatedRuns;
import org.junit.jupiter.api.Nested;

/**
 * The contract over the simulated queues, in calm and bad weather. Not over PAPER_2008, whose calls carry one message,
 * where the contract sends ten: {@link ProfileTest} has its limits.
 */
class SimulatedQueueServiceTest {
    private static final int SEEDS = 5;

    @Nested
    class Instant extends Contract {
        Instant() {
            super(Profile.INSTANT, World.CALM);
        }
    }

    @Nested
    class Aws2026 extends Contract {
        Aws2026() {
            super(Profile.AWS_2026, World.CALM);
        }
    }

    /** Throttled and slow, late, twice and missed; no answer is lost. */
    @Nested
    class RoughButAnswered extends Contract {
        RoughButAnswered() {
            super(Profile.AWS_2026, WorldsForTests.ROUGH_BUT_ANSWERED);
        }
    }

    private abstract static class Contract extends MessageQueueContract {
        private final World world;
        private final SimulatedRuns runs;
        private QueueService service;

        Contract(Profile profile, World world) {
            this.world = world;
            this.runs = new SimulatedRuns(profile, world, SEEDS);
        }

        @Override
        protected void run(Runnable body) {
            runs.run(
                    (cloud, client) -> service = QueueServices.retrying(
                            cloud.queues(client),
                            RetryPolicy.STANDARD,
                            client,
                            new RequestMeters(new SimpleMeterRegistry(), "test")),
                    body);
        }

        @Override
        protected QueueService service() {
            return service;
        }

        @Override
        protected Tasks tasks() {
            return runs.client();
        }

        @Override
        protected boolean deliversOnce() {
            return world.duplicate() == 0;
        }

        @Override
        protected boolean findsAll() {
            return world.missed() == 0;
        }

        @Override
        protected boolean refusesSendsOnceDeleted() {
            return world.missed() == 0;
        }
    }
}
