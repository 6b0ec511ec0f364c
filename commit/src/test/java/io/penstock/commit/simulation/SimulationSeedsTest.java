package io.penstock.commit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs seeds of the simulation; {@code scripts/simulate} runs more of them, or one. */
class SimulationSeedsTest {
    private static final int QUICK = 100;
    private static final int MANY = 10_000;

    /** Of the levels that isolate, and of those without queues. */
    private static final int MANY_ISOLATED = 3_000;

    @ParameterizedTest
    @ValueSource(longs = {0, Draw.ISOLATED_FROM, Draw.BUCKET_ALONE_FROM})
    void promisesHoldOverSeeds(long from) {
        List<String> failures = new ArrayList<>();
        for (long seed = from; seed < from + QUICK; seed++) {
            Scenario scenario = Scenario.of(seed);
            SimulatedRun.run(scenario).broken().stream()
                    .findFirst()
                    .ifPresent(broken -> failures.add(scenario.replay() + ": " + broken));
        }
        assertThat(failures).as("%d of %d seeds", failures.size(), QUICK).isEmpty();
    }

    /** In two processes, as by hand; what fails is told on their standard output. */
    @Test
    @Tag("long")
    void promisesHoldOverManySeeds() throws Exception {
        promisesHold(QUICK, MANY);
        promisesHold(Draw.ISOLATED_FROM + QUICK, MANY_ISOLATED);
        promisesHold(Draw.BUCKET_ALONE_FROM + QUICK, MANY_ISOLATED);
    }

    private static void promisesHold(long from, int seeds) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx1g",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Simulate.class.getName(),
                        "--from",
                        String.valueOf(from),
                        "--seeds",
                        String.valueOf(seeds),
                        "--jobs",
                        "2")
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(told).isZero();
        assertThat(told).contains(seeds / 2 + " seeds, 0 failed");
    }

    /**
     * Seeds that have found a defect of the store, each with what it was. A seed means another run when what is drawn
     * or called changes, so the worst have a test of their own as well.
     */
    @ParameterizedTest
    @CsvSource({
        // An explicit checkpoint that was overtaken by another client's was reported as a failure.
        "10817, ''",
        // A client that had left parts of a transaction in its queue signed off, and the queue was never removed.
        "53777, ''",
        "164247, ''",
        "254967, ''",
        // A session that had seen a page joined a read that had begun before there was one: PageManagerTest.
        "271084, ''",
        // Two recoveries at once took each other's parts for missing: RecoveryTest.aPartInTheHandsOf...
        "427, ''",
        // A clone whose first heartbeat met the other's on its way removed that one's object and queue at close.
        "4308, ''",
        "4655, ''",
        // A clone that had no queue removed the other's record: TwinsTest.whoWasTakenOverLeavesTheQueue...
        "22279, ''",
        "205562, ''",
        // Clones drew one tree for collections of two names: TreeIdTest.
        "213610, ''",
        // A client that slept before it had a queue was forgotten: RecoveryTest.aClientThatSlept...
        "40369, 'no-throttling,keys=1'",
        // A client that was taken for dead as it committed said committed: SilentClientTest.
        "227994, ''",
        "1164192, ''",
        // A machine that was suspended as it opened the store had waited for nothing.
        "1019418, ''",
        // A lost root above its leaves was reported without its name: RootLossCheckTest.
        "1005434, ''",
        // The clock stepped during a second heartbeat, after the first had told the servers' time.
        "2102240, ''",
        // A wall clock that stepped by a month between two calls purged tombstones at once: ClocksTest.
        "4136384, ''",
        // An answer that was late said that the clock was wrong, and no server was asked again: ClocksTest.
        "4022273, ''",
        // The answer to the request that retired a predecessor was lost: RestartTest.aClientWithANameReadsItThough...
        "9965, ''",
        // A reader shared the answer to a request that had begun longer than a TTL ago: SharedReadsTest.
        "4167088, ''",
        "6025700, ''",
        // A lost answer hid from a successor what its predecessor had committed: RestartTest.
        "4023949, ''",
        // A successor read pages from before another client had applied what it forwarded: RestartTest.
        "7161879, ''",
        // Who stood still over an answer took a client for dead by it, and passed over its numbers: ClientRegistryTest.
        "7289614, ''",
        // A clone signed off, and deleted with its queue what the other had sent, which was dead: TwinsTest.
        "8344912, ''",
        "8479820, ''",
        // Two clones had seen one stamp, and each drew the next one: ClocksTest.
        "8887207, ''",
        // What a client read before it knew the servers' time seemed to be from the future: ClocksTest.
        "9168559, ''",
        // The clock stepped while a commit was slowed down, after it had been checked: ClocksTest.
        "30766458, ''",
        // A segment was damaged before its lost answer was asked for, and the commit was reported as refused.
        "1003075613, ''",
        "1003087570, ''",
    })
    void seedsThatFailedOnceHold(long seed, String cuts) {
        Scenario drawn = Scenario.of(seed);
        Scenario scenario = cuts.isEmpty() ? drawn : Cut.parse(drawn, cuts);
        assertThat(SimulatedRun.run(scenario).broken()).as(scenario.replay()).isEmpty();
    }
}
