package io.penstock.cli;

import io.penstock.Provisioning;
import io.penstock.cli.access.AccessPolicy;
import io.penstock.cli.access.AccessRole;
import io.penstock.cli.access.StoreLocation;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock policy}. */
@Command(
        name = "policy",
        description = "Prints the least IAM policy of a role. A client that checkpoints, as it does by default, needs"
                + " those of client and checkpointer.",
        sortOptions = false)
final class PolicyCommand implements Callable<Integer> {
    /** The roles as the command line has them: picocli compares with {@code toString}. */
    private enum Role {
        CLIENT(AccessRole.CLIENT),
        CHECKPOINTER(AccessRole.CHECKPOINTER),
        READ_ONLY(AccessRole.READ_ONLY);

        private final AccessRole role;

        Role(AccessRole role) {
            this.role = role;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Option(names = "--role", required = true, description = "one of: ${COMPLETION-CANDIDATES}")
    private Role role = Role.CLIENT;

    @Option(names = "--bucket", required = true, paramLabel = "B", description = "the store's bucket")
    private String bucket = "";

    @Option(names = "--prefix", paramLabel = "P", description = "the store's prefix; default: penstock")
    private String prefix = "penstock";

    @Option(names = "--region", paramLabel = "R", description = "of the queues; default: any")
    private String region = "*";

    @Option(names = "--account", paramLabel = "A", description = "of the queues, 12 digits; default: any")
    private String account = "*";

    @Option(names = "--partition", paramLabel = "P", description = "aws, aws-cn or aws-us-gov; default: aws")
    private String partition = "aws";

    @Option(names = "--existing", description = "for clients with provisioning EXISTING, which create nothing shared")
    private boolean existing;

    @Option(names = "--naive", description = "allows transactions at NAIVE, which write pages themselves")
    private boolean naive;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "says this")
    private boolean help;

    private final PrintStream out;

    PolicyCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        StoreLocation store = new StoreLocation(partition, region, account, bucket, prefix);
        Provisioning provisioning = existing ? Provisioning.EXISTING : Provisioning.CREATE;
        out.println(AccessPolicy.of(role.role, store, provisioning, naive).toJson());
        return PenstockCommand.DONE;
    }
}
