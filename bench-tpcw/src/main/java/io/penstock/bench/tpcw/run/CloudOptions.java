package io.penstock.bench.tpcw.run;

import io.penstock.bench.aws.AwsOptions;
import io.penstock.bench.program.TemporaryDirectory;
import io.penstock.cli.program.UsageException;
import io.penstock.testkit.Profile;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that choose the cloud on which a benchmark runs. Filled by picocli. */
public final class CloudOptions {
    private static final long SEED = 1;

    /** A place to run on. */
    public enum Cloud {
        SIMULATED,
        LOCAL,
        AWS
    }

    @Option(
            names = "--cloud",
            description = "${COMPLETION-CANDIDATES}; LOCAL is a directory; default: ${DEFAULT-VALUE}")
    private Cloud cloud = Cloud.SIMULATED;

    @Mixin
    private AwsOptions servers = new AwsOptions();

    /** Checks the options against each other. */
    public void check() {
        String given = servers.given();
        if (cloud != Cloud.AWS && given != null) {
            throw new UsageException(given + " is of --cloud aws only");
        }
    }

    /** Whether time is virtual, so that figures are the same each time. */
    public boolean isSimulated() {
        return cloud == Cloud.SIMULATED;
    }

    /**
     * Runs {@code work} on the cloud, and removes what it leaves there.
     *
     * @param name of the run: it begins the names of stores on servers that others may use
     * @param profile of the simulated cloud
     */
    public void use(String name, Profile profile, Consumer<Venue> work) {
        switch (cloud) {
            case SIMULATED -> work.accept(new SimulatedVenue(profile, SEED));
            case LOCAL -> {
                try (TemporaryDirectory directory = new TemporaryDirectory()) {
                    work.accept(new LocalVenue(directory.path(), 1));
                }
            }
            case AWS -> {
                AwsVenue venue = AwsVenue.fresh(servers.servers(), name, 1);
                try {
                    work.accept(venue);
                } finally {
                    venue.remove();
                }
            }
        }
    }
}
