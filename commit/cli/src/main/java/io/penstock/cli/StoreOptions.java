package io.penstock.cli;

import io.penstock.Layout;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.cli.access.StoreLocation;
import io.penstock.cli.doctor.Place;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.BucketAddress;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.queue.sqs.SqsSettings;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select a store: one in a directory, or one in a bucket, with queues on SQS or without. */
final class StoreOptions {
    private static final String USUAL_PREFIX = "penstock";

    @Option(names = "--dir", paramLabel = "D", description = "the directory of a local store")
    private @Nullable String directory;

    @Option(
            names = "--bucket",
            paramLabel = "B",
            description = "the bucket of a store: B of S3, gs://B, azblob://ACCOUNT/B")
    private @Nullable String bucket;

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "region of bucket and queues; default: that of the AWS SDK")
    private @Nullable String region;

    @Option(
            names = {"--endpoint", "--endpoint-s3"},
            paramLabel = "URI",
            description = "the bucket's server, if not the cloud's own")
    private @Nullable URI s3;

    @Option(names = "--sqs", description = "the store has queues, on SQS")
    private boolean queued;

    @Option(names = "--endpoint-sqs", paramLabel = "URI", description = "as --sqs, on a server other than AWS's")
    private @Nullable URI sqs;

    @Option(names = "--path-style", description = "puts the bucket's name into the path, not the host name")
    private boolean pathStyle;

    @Option(names = "--prefix", paramLabel = "P", description = "the store's prefix; default: penstock")
    private String prefix = USUAL_PREFIX;

    @Option(
            names = "--encryption",
            paramLabel = "KEYS",
            defaultValue = "${env:PENSTOCK_ENCRYPTION}",
            description = "the master keys of an encrypted store: file:PATH, env:VARIABLE or kms:KEY; default: those of"
                    + " the variable PENSTOCK_ENCRYPTION")
    private @Nullable String encryption;

    @Option(names = "--partitions", paramLabel = "N", description = "number of PU queues for each tree; default: 1")
    private int partitions = 1;

    /** The use that a command makes of a store. */
    enum Use {
        /** The command changes nothing. */
        READ,
        /** The command changes a store that is there. */
        CHANGE,
        /** The command makes the store where there is none. */
        MAKE
    }

    /**
     * Opens the selected store, runs {@code body} on it, and returns what that says: whether the store is as it should
     * be.
     *
     * @throws io.penstock.core.RefusedException when there is no store, unless it is to be made
     */
    boolean open(Use use, BiPredicate<Penstock, Settings> body) {
        return choose(
                local -> openLocal(local, use, body),
                remote -> inBucket(remote, place -> openRemote(place, use, body)));
    }

    /** Opens the place of the selected store, whether or not there is one, and returns what {@code body} returns. */
    <T> T visit(Function<Place, T> body) {
        return choose(local -> inDirectory(local, body), remote -> inBucket(remote, body));
    }

    /** The name of the selected store, for people: its place, and its prefix where that is not the usual one. */
    String name() {
        String place = choose(Path::toString, remote -> remote);
        return prefix.equals(USUAL_PREFIX) ? place : place + " " + prefix;
    }

    /** Returns the options of a store at another place, with the same keys, and the same servers in the same cloud. */
    StoreOptions at(NamedPlace place) {
        StoreOptions other = new StoreOptions();
        other.region = region;
        other.queued = queued;
        other.sqs = sqs;
        other.pathStyle = pathStyle;
        other.encryption = encryption;
        other.partitions = partitions;
        if (place.isRemote()) {
            other.bucket = place.bucket();
            other.s3 = server(place.bucket()).orElse(null);
            other.prefix = place.folder();
        } else {
            other.directory = place.text();
        }
        return other;
    }

    /** Whether the store has queues on SQS. */
    boolean isQueued() {
        return queued || sqs != null;
    }

    /**
     * Returns the place of a store on S3, as resource names give it.
     *
     * @param backups the place of backups; null when there is none
     */
    StoreLocation location(String partition, String account, @Nullable String logBucket, @Nullable String backups) {
        if (bucket == null || directory != null) {
            throw new InvalidRequestException(
                    ErrorCode.NO_PLACE, "policies are for stores on S3; give --bucket, and no --dir");
        }
        return new StoreLocation(partition, region == null ? "*" : region, account, bucket, prefix, logBucket, backups);
    }

    private <T> T choose(Function<Path, T> inDirectory, Function<String, T> inBucket) {
        String local = directory;
        String remote = bucket;
        if (local != null && remote == null) {
            return inDirectory.apply(LocalCloud.directory(local));
        } else if (local == null && remote != null) {
            return inBucket.apply(remote);
        } else if (local == null) {
            throw new InvalidRequestException(ErrorCode.NO_PLACE, "no store given; give either --dir or --bucket");
        } else {
            throw new InvalidRequestException(
                    ErrorCode.TWO_PLACES, "two stores given; give either --dir or --bucket, not both");
        }
    }

    private boolean openLocal(Path local, Use use, BiPredicate<Penstock, Settings> body) {
        if (use == Use.MAKE && !Files.isDirectory(local)) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND, "there is no such directory; make it, or check its name", "dir", local);
        }
        return use(Settings.local(local), use, body);
    }

    private <T> T inDirectory(Path local, Function<Place, T> body) {
        Tasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.look(local, tasks, Durability.FLUSHED)) {
            return body.apply(new Place(tasks, cloud.objects(), Optional.of(cloud.queues()), prefix, cloud.damage()));
        }
    }

    private <T> T inBucket(String remote, Function<Place, T> body) {
        Tasks tasks = new ThreadTasks();
        try (ObjectStore objects = openBucket(remote)) {
            if (!isQueued()) {
                return body.apply(new Place(tasks, objects, Optional.empty(), prefix, List.of()));
            }
            try (QueueService queues = SqsQueueService.open(queueSettings(), tasks)) {
                return body.apply(new Place(tasks, objects, Optional.of(queues), prefix, List.of()));
            }
        }
    }

    private boolean openRemote(Place place, Use use, BiPredicate<Penstock, Settings> body) {
        return use(place.settings().advanced(advanced -> advanced.sweeping(false)), use, body);
    }

    /** Opens a bucket as the options say. */
    ObjectStore openBucket(String name) {
        return address(name, server(name)).open();
    }

    private BucketAddress address(String name, Optional<URI> server) {
        return new BucketAddress(name, Optional.ofNullable(region), server, pathStyle, false);
    }

    /** The server that is named for a bucket: not for one in another cloud than the store's own. */
    private Optional<URI> server(String name) {
        boolean isOther = bucket != null
                && !address(bucket, Optional.empty())
                        .scheme()
                        .equals(address(name, Optional.empty()).scheme());
        return isOther ? Optional.empty() : Optional.ofNullable(s3);
    }

    private SqsSettings queueSettings() {
        SqsSettings standard = SqsSettings.standard();
        SqsSettings settings = region == null ? standard : standard.region(region);
        return sqs == null ? settings : settings.endpoint(sqs);
    }

    private boolean use(Settings where, Use use, BiPredicate<Penstock, Settings> body) {
        Settings settings = complete(where);
        if (use == Use.CHANGE) {
            // A look makes nothing where there is no store.
            Penstock.open(settings.readOnly(true)).close();
        }
        try (Penstock store = Penstock.open(settings.readOnly(use == Use.READ))) {
            return body.test(store, settings);
        }
    }

    /** The settings of a store at a place, with what the options say of it. */
    Settings complete(Settings where) {
        Settings keyed = encryption == null ? where : where.encryption(MasterKeys.of(encryption));
        return keyed.prefix(prefix).advanced(advanced -> advanced.layout(Layout.partitioned(partitions)));
    }
}
