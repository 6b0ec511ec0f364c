package io.penstock.commit.engine;

import io.penstock.commit.settings.Servers;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a store that was opened. Safe for use by many threads.
 *
 * @param owned the directory that was opened with it; null where the servers were given
 */
public record OpenServers(Services services, @Nullable LocalCloud owned) implements AutoCloseable {
    /**
     * Opens the directory of a local store; of others there is nothing to open.
     *
     * @param readOnly whether the store is only read, so that another process may have the directory open
     */
    public static OpenServers of(Servers servers, boolean readOnly) {
        return switch (servers) {
            case Servers.Local local -> local(local, readOnly);
            case Servers.Given on ->
                new OpenServers(new Services(on.objects(), on.queues(), on.tasks(), on.sharing()), null);
        };
    }

    private static OpenServers local(Servers.Local local, boolean readOnly) {
        Tasks tasks = new ThreadTasks();
        LocalCloud cloud = open(local, readOnly, tasks);
        Servers.Sharing sharing =
                local.shared() || cloud.isAttached() ? Servers.Sharing.THIS_MACHINE : Servers.Sharing.NOBODY;
        return new OpenServers(new Services(cloud.objects(), cloud.queues(), tasks, sharing), cloud);
    }

    private static LocalCloud open(Servers.Local local, boolean readOnly, Tasks tasks) {
        if (readOnly) {
            return LocalCloud.look(local.directory(), tasks, local.durability());
        }
        return local.shared()
                ? LocalCloud.openOrAttach(local.directory(), tasks, local.durability())
                : LocalCloud.open(local.directory(), tasks, local.durability());
    }

    /** The damage found in the servers themselves, a line each. */
    public List<String> damage() {
        return owned == null ? List.of() : owned.damage();
    }

    @Override
    public void close() {
        if (owned != null) {
            owned.close();
        }
    }
}
