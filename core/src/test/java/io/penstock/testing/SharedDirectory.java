package io.penstock.testing;

import io.penstock.core.Durability;
import io.penstock.core.UnavailableException;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A local cloud that processes of a test share: one is the owner, and the others attach to whoever is, for which they
 * wait. No machine dies, so nothing is forced to disk.
 */
public final class SharedDirectory {
    private static final Duration OWNER_MAX = Duration.ofMinutes(2);
    private static final Duration OWNER_POLL = Duration.ofMillis(50);

    private SharedDirectory() {}

    /**
     * Opens the directory, or attaches to its owner.
     *
     * @throws UnavailableException when there is no owner for two minutes
     */
    public static LocalCloud open(boolean owner, Path directory, Tasks tasks) {
        return owner ? LocalCloud.open(directory, tasks, Durability.OS_CACHE) : attach(directory, tasks);
    }

    private static LocalCloud attach(Path directory, Tasks tasks) {
        long deadline = tasks.nanoTime() + OWNER_MAX.toNanos();
        while (true) {
            try {
                return LocalCloud.attach(directory, tasks);
            } catch (UnavailableException nobody) {
                if (tasks.nanoTime() - deadline > 0) {
                    throw nobody;
                }
                tasks.sleep(OWNER_POLL);
            }
        }
    }
}
