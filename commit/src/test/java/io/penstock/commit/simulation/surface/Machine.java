package io.penstock.commit.simulation.surface;

import io.penstock.testkit.SimulatedClient;
import java.time.Duration;

/** The machine of a handle's programs: its clocks, its pauses, and the interrupts of their threads. */
interface Machine {
    String name();

    long nanoTime();

    long nowMillis();

    /** A pause of a program, which may be shorter than is asked for. */
    void sleep(Duration pause);

    /** Whether the calling thread was interrupted; it is not any more. */
    boolean clearInterrupt();

    /** A machine in virtual time. */
    record Simulated(SimulatedClient client) implements Machine {
        @Override
        public String name() {
            return client.name();
        }

        @Override
        public long nanoTime() {
            return client.nanoTime();
        }

        @Override
        public long nowMillis() {
            return client.nowMillis();
        }

        @Override
        public void sleep(Duration pause) {
            client.sleep(pause);
        }

        @Override
        public boolean clearInterrupt() {
            return client.clearInterrupt();
        }
    }
}
