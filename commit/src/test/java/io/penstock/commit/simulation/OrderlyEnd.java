package io.penstock.commit.simulation;

import io.penstock.Penstock;
import io.penstock.StoreProbe;
import io.penstock.core.ClosedException;
import io.penstock.core.StoreException;
import io.penstock.report.CheckpointReport;
import io.penstock.testkit.SimulatedClient;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/**
 * The end of a machine's work, in some seeds: before it closes its store, nothing may be left in the PU queues, long
 * before order is given up. A death heals what a living client would wait for in vain. Drawn apart from all else.
 */
final class OrderlyEnd {
    static final String NAME = "the backlog drains beside living clients";

    /** How long nothing may be applied of what waits: below the hour after which order is given up. */
    private static final Duration PATIENCE = Duration.ofMinutes(25);

    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(2);

    /** Where receives miss more than this, it is a matter of luck when a lock token shows. */
    private static final double MISSED_MAX = 0.9;

    private final boolean isThere;
    private final BiConsumer<String, String> alarm;

    OrderlyEnd(Scenario scenario, BiConsumer<String, String> alarm) {
        LongRunFaults perils = scenario.perils();
        boolean isLoss = perils.losses() > 0 || perils.foreign() > 0 || scenario.clocksStep();
        boolean isLuck = scenario.faults().world().missed() > MISSED_MAX;
        boolean drawn = new SplittableRandom(scenario.seed() * 67_867_979 + 13).nextInt(4) == 0;
        // For those that a ledger begun anew does not know, order is given up after an hour.
        this.isThere = drawn && !isLoss && !isLuck && !Damage.isIn(scenario) && !perils.leisurely() && !perils.fleet();
        this.alarm = alarm;
    }

    /** Checkpoints until nothing is left that the users of this machine, or of others, have committed. */
    void await(Penstock store, SimulatedClient machine) {
        if (!isThere) {
            return;
        }
        long deadline = machine.nanoTime() + PATIENCE.toNanos();
        Duration pause = PAUSE;
        CheckpointReport report = CheckpointReport.NONE;
        long pending = 1;
        while (machine.nanoTime() - deadline < 0) {
            try {
                report = store.admin().checkpoint();
                if (report.messages() > 0) {
                    // Where a put takes longer than a lease, a checkpoint applies a message or two.
                    deadline = machine.nanoTime() + PATIENCE.toNanos();
                    pause = PAUSE;
                }
                pending =
                        StoreProbe.unforwarded(store) + store.admin().backlog().pendingMessages();
                if (pending == 0 && report.heldBack() == 0) {
                    return;
                }
            } catch (ClosedException closed) {
                return; // by another thread: see EarlyClose
            } catch (StoreException busy) {
                // The weather is bad; it is tried again.
            }
            machine.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
        }
        alarm.accept(NAME, pending + " messages are left beside " + machine.name() + ", the last " + report);
    }
}
