package io.penstock.cli;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place that an option names, of backups or of a copy: a directory, or a folder of a bucket, {@code
 * s3://bucket/folder}, {@code gs://bucket/folder} or {@code azblob://account/container/folder}.
 */
record NamedPlace(String text) {
    private static final Pattern FOLDER = Pattern.compile("(?:s3://(?<bucket>[a-z0-9][a-z0-9.-]{0,62})"
            + "|(?<other>gs://[a-z0-9][a-z0-9._-]{0,221}|azblob://[a-z0-9]+/[a-z0-9$][a-z0-9-]{0,62}))/(?<folder>.+)");

    /** The folder of the backups of the one store that a directory is for. */
    private static final String ONLY = "backup";

    /**
     * Opens the place, and runs {@code work} with its objects and the folder in them.
     *
     * @param makes whether a directory that is missing is made
     * @param remote the options that lead to a bucket
     */
    <T> T use(boolean makes, StoreOptions remote, BiFunction<ObjectStore, String, T> work) {
        if (isRemote()) {
            try (ObjectStore objects = remote.openBucket(bucket())) {
                return work.apply(objects, folder());
            }
        }
        Path directory = LocalCloud.directory(text);
        if (!makes && !Files.isDirectory(directory)) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND, "there is no such directory; check the place of the backup", "dir", text);
        }
        try (LocalCloud cloud = LocalCloud.open(directory, new ThreadTasks())) {
            return work.apply(cloud.objects(), ONLY);
        }
    }

    boolean isRemote() {
        return text.startsWith("s3:") || text.contains("://");
    }

    /** The bucket as options name it: without a scheme if it is of S3. */
    String bucket() {
        Matcher parts = parts();
        return Objects.requireNonNullElse(parts.group("bucket"), parts.group("other"));
    }

    String folder() {
        return parts().group("folder");
    }

    private Matcher parts() {
        Matcher parts = FOLDER.matcher(text);
        if (!parts.matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a place in a bucket is s3://bucket/folder, gs://bucket/folder or"
                            + " azblob://account/container/folder, with a folder for one store",
                    "place",
                    text);
        }
        return parts;
    }
}
