package io.penstock.cli;

import io.penstock.Provisioning;
import io.penstock.cli.access.AccessPolicy;
import io.penstock.cli.access.AccessRole;
import io.penstock.cli.access.StoreLocation;
import io.penstock.cli.access.StorePart;
import io.penstock.cli.doctor.Place;
import io.penstock.cli.program.Shell;
import io.penstock.cli.program.UsageException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code penstock policy}. */
@Command(
        name = "policy",
        description = "Prints the least IAM policy of a role. A client that checkpoints, which is the default, needs"
                + " the policies writer and checkpointer. Only --collection looks at the store.",
        sortOptions = false)
final class PolicyCommand implements Callable<Integer> {
    /** Reads a role in the spelling of the command line. */
    private static final class RoleName implements ITypeConverter<AccessRole> {
        @Override
        public AccessRole convert(String text) {
            return Stream.of(AccessRole.values())
                    .filter(role -> role.name().equalsIgnoreCase(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is no role; give one of: " + ROLES));
        }
    }

    private static final String ROLES = "reader, writer, checkpointer, operator, backup";

    @Option(names = "--role", required = true, converter = RoleName.class, description = "one of: " + ROLES)
    private AccessRole role = AccessRole.READER;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = "--collection",
            paramLabel = "C",
            description = "narrows a reader or a writer to this collection, may be repeated; a writer, to the domains"
                    + " of these")
    private List<String> collections = new ArrayList<>();

    @Option(names = "--to", paramLabel = "PLACE", description = "the place of backups, s3://bucket/folder")
    private @Nullable String to;

    @Option(
            names = "--log-bucket",
            paramLabel = "B",
            description = "the bucket of commit logs, as in Settings.commitLog; default: the store's bucket")
    private @Nullable String logBucket;

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
        StoreLocation location = store.location(partition, account, logBucket, to);
        boolean part = !collections.isEmpty();
        if (part && role != AccessRole.READER && role != AccessRole.WRITER) {
            throw new UsageException("only the roles reader and writer are narrowed to collections; others work on all"
                    + " of a store, leave --collection out");
        }
        // The collections are there, so who is narrowed to them need not make any.
        Provisioning provisioning = existing || part ? Provisioning.EXISTING : Provisioning.CREATE;
        AccessPolicy policy = AccessPolicy.of(role, location, provisioning, naive);
        if (!store.isQueued()) {
            policy = policy.withoutQueues();
        }
        out.println((part ? policy.narrowedTo(store.visit(this::part), location) : policy).toJson());
        return Shell.DONE;
    }

    private StorePart part(Place place) {
        StorePart part = StorePart.empty();
        for (String name : collections) {
            part.add(
                    name,
                    place.objects()
                            .get(place.prefix() + "/catalog/" + name + ".json")
                            .orElseThrow(() -> new InvalidRequestException(
                                    ErrorCode.NOT_FOUND,
                                    "the store has no such collection; check its name",
                                    "collection",
                                    name))
                            .body());
        }
        return part;
    }
}
