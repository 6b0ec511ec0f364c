package io.penstock.bench.tpcw.run;

import java.util.Optional;
import java.util.function.Function;

/** A place to run on: provides fresh, empty servers for each visit. */
public interface Venue {
    /**
     * Runs {@code body} on fresh servers and returns its result. Inside, time and tasks are those of the machines
     * alone.
     *
     * @param name of the visit: 1 to 30 of a-z 0-9 -
     */
    <T> T visit(String name, Function<Site, T> body);

    /** The servers of one visit. */
    @FunctionalInterface
    interface Site {
        /** The machine of that name; "main" is the one that the visit runs on. */
        Machine machine(String name);

        /**
         * Kills a machine with all that runs on it.
         *
         * @throws UnsupportedOperationException if machines here are not simulated
         */
        default void crash(String name) {
            throw new UnsupportedOperationException("only a simulated machine can be killed alone: " + name);
        }

        /**
         * Returns the way in which separate processes reach these servers; empty if all clients are to be threads of
         * this process.
         */
        default Optional<Remote> remote() {
            return Optional.empty();
        }
    }
}
