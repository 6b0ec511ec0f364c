package io.penstock.bench.tpcw.comparison;

import io.penstock.Settings;
import io.penstock.core.task.Tasks;

/**
 * One machine with a client on it.
 *
 * @param settings that lead to the servers
 * @param tasks its concurrency and its clock
 */
public record Machine(Settings settings, Tasks tasks) {
    /** The machine that a visit runs on. */
    public static final String MAIN = "main";

    /** The prefix of a store that has its servers for itself. */
    static final String PREFIX = "tpcw";
}
