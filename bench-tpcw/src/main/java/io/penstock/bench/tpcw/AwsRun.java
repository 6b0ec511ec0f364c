package io.penstock.bench.tpcw;

import io.penstock.bench.tpcw.run.AwsVenue;
import io.penstock.core.task.ThreadTasks;
import java.io.PrintStream;

/**
 * The resources of a run on AWS, from the first request to the removal of everything. An interrupted run prints what it
 * leaves on the servers: removal may take longer than a process is given to end.
 */
final class AwsRun implements AutoCloseable {
    /** The number of base-36 digits that distinguish runs: some 78 billion. */
    private static final int DIGITS = 7;

    private final AwsVenue venue;
    private final boolean keep;
    private final PrintStream err;
    private final Thread atExit;

    AwsRun(AwsChoices choices, PrintStream err) {
        this.venue = new AwsVenue(choices.servers(), choices.prefix() + "-" + name(), choices.processes());
        this.keep = choices.keep();
        this.err = err;
        venue.requireReachable();
        atExit = Thread.ofPlatform().name("say-what-is-left").unstarted(() -> sayLeft("interrupted"));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    private static String name() {
        long bound = (long) Math.pow(Character.MAX_RADIX, DIGITS);
        String digits = Long.toString(new ThreadTasks().random().nextLong(bound), Character.MAX_RADIX);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    AwsVenue venue() {
        return venue;
    }

    private void sayLeft(String why) {
        err.println("tpcw: " + why + "; left behind: objects of bucket "
                + venue.servers().bucket() + " and queues whose names start with " + venue.run() + "-");
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // The process is ending: the hook runs.
            return;
        }
        if (keep) {
            sayLeft("--keep");
        } else {
            venue.remove();
        }
    }
}
