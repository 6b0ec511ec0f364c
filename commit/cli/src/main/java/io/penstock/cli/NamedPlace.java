package io.penstock.cli;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.task.ThreadTasks;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** A place that an option names, of backups or of a copy: a directory, or {@code s3://bucket/folder}. */
record NamedPlace(String text) {
    private static final Pattern S3 = Pattern.compile("s3://[a-z0-9][a-z0-9.-]{0,62}/.+");

    /** The folder of the backups of the one store that a directory is for. */
    private static final String ONLY = "backup";

    /**
     * Opens the place, and runs {@code work} with its objects and the folder in them.
     *
     * @param makes whether a directory that is missing is made
     * @param remote the options that lead to S3
     */
    <T> T use(boolean makes, StoreOptions remote, BiFunction<ObjectStore, String, T> work) {
        if (isRemote()) {
            try (ObjectStore objects = remote.openBucket(bucket())) {
                return work.apply(objects, folder());
            }
        }
        Path directory = Path.of(text);
        if (!makes && !Files.isDirectory(directory)) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND, "there is no such directory; check the place of the backup", "dir", text);
        }
        try (LocalCloud cloud = LocalCloud.open(directory, new ThreadTasks())) {
            return work.apply(cloud.objects(), ONLY);
        }
    }

    boolean isRemote() {
        return text.startsWith("s3:");
    }

    String bucket() {
        return uri().getAuthority();
    }

    String folder() {
        return uri().getPath().substring(1);
    }

    private URI uri() {
        if (!S3.matcher(text).matches()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING,
                    "a place on S3 is s3://bucket/folder, with a folder for one store",
                    "place",
                    text);
        }
        return URI.create(text);
    }
}
