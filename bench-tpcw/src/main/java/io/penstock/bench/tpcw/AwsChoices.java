package io.penstock.bench.tpcw;

import io.penstock.bench.aws.AwsOptions;
import io.penstock.bench.tpcw.run.AwsVenue;
import io.penstock.cli.program.UsageException;
import java.io.PrintStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of {@code --cloud aws}, except those that name the servers. Filled by picocli. */
final class AwsChoices {
    /** The maximum number of client processes; more only fight for one machine. Threads write to a queue as well. */
    private static final int PROCESSES_MAX = 64;

    /** A store prefix has 30 characters, of which a run's own part and the longest level's name take 18. */
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9-]{0,11}");

    @Mixin
    private AwsOptions servers = new AwsOptions();

    @Option(
            names = "--processes",
            paramLabel = "N",
            description = "aws, local: client processes, each with --clients clients or its part of --servers; default:"
                    + " 1, and all are threads")
    private @Nullable Integer processes;

    @Option(names = "--prefix", paramLabel = "P", description = "aws: prefix of all names; default: tpcw")
    private @Nullable String prefix;

    @Option(names = "--keep", description = "aws: keeps the stores; default: removes them")
    private boolean keep;

    /** The first of these options that was given, if any. */
    @Nullable
    String given() {
        return processes != null ? "--processes" : givenOfServers();
    }

    /** The first of those that name servers, or what is on them. */
    @Nullable
    String givenOfServers() {
        if (prefix != null) {
            return "--prefix";
        }
        return keep ? "--keep" : servers.given();
    }

    int processes() {
        if (processes == null) {
            return 1;
        }
        UsageException.requireRange("--processes", processes, 1, PROCESSES_MAX);
        return processes;
    }

    String prefix() {
        String chosen = prefix == null ? "tpcw" : prefix;
        if (!PREFIX.matcher(chosen).matches()) {
            throw new UsageException("--prefix must have 1 to 12 of a-z 0-9 -; choose another");
        }
        return chosen;
    }

    /**
     * The resources of a run on AWS, from the first request to the removal of everything. An interrupted run prints
     * what it leaves on the servers: removal may take longer than a process is given to end.
     */
    static final class AwsRun implements AutoCloseable {
        private final AwsVenue venue;
        private final boolean keep;
        private final PrintStream err;
        private final Thread atExit;

        AwsRun(AwsChoices choices, PrintStream err) {
            this.venue = AwsVenue.fresh(choices.servers.servers(), choices.prefix(), choices.processes());
            this.keep = choices.keep;
            this.err = err;
            atExit = Thread.ofPlatform().name("say-what-is-left").unstarted(() -> sayLeft("interrupted"));
            Runtime.getRuntime().addShutdownHook(atExit);
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
}
