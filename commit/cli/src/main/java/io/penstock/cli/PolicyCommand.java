package io.penstock.cli;

import io.penstock.Provisioning;
import io.penstock.cli.access.AccessPolicy;
import io.penstock.cli.access.AccessRole;
import io.penstock.cli.access.StoreLocation;
import io.penstock.cli.program.Shell;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code penstock policy}. */
@Command(
        name = "policy",
        description = "Prints the least IAM policy of a role. A client that checkpoints, which is the default, needs"
                + " the policies client and checkpointer.",
        sortOptions = false)
final class PolicyCommand implements Callable<Integer> {
    /** Reads a role in the spelling of the command line. */
    private static final class RoleName implements ITypeConverter<AccessRole> {
        @Override
        public AccessRole convert(String text) {
            return Stream.of(AccessRole.values())
                    .filter(role -> role.name().replace('_', '-').equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no role; give one of: " + ROLES));
        }
    }

    private static final String ROLES = "client, checkpointer, read-only";

    @Option(names = "--role", required = true, converter = RoleName.class, description = "one of: " + ROLES)
    private AccessRole role = AccessRole.CLIENT;

    @Option(names = "--bucket", required = true, paramLabel = "B", description = "the store's bucket")
    private String bucket = "";

    @Option(
            names = "--log-bucket",
            paramLabel = "B",
            description = "the bucket of commit logs, as in Settings.commitLog; default: the store's bucket")
    private @Nullable String logBucket;

    @Option(names = "--prefix", paramLabel = "P", description = "the store's prefix; default: penstock")
    private String prefix = "penstock";

    @Option(names = "--region", paramLabel = "R", description = "region of the queues; default: any")
    private String region = "*";

    @Option(names = "--account", paramLabel = "A", description = "account of the queues, 12 digits; default: any")
    private String account = "*";

    @Option(names = "--partition", paramLabel = "P", description = "aws, aws-cn or aws-us-gov; default: aws")
    private String partition = "aws";

    @Option(names = "--existing", description = "for clients that create no shared queues (provisioning EXISTING)")
    private boolean existing;

    @Option(names = "--naive", description = "allows transactions at level NAIVE, which write pages")
    private boolean naive;

    private final PrintStream out;

    PolicyCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        StoreLocation store = new StoreLocation(partition, region, account, bucket, prefix, logBucket);
        Provisioning provisioning = existing ? Provisioning.EXISTING : Provisioning.CREATE;
        out.println(AccessPolicy.of(role, store, provisioning, naive).toJson());
        return Shell.DONE;
    }
}
