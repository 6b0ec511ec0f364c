package io.penstock.bench.tpcw.comparison;

import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Directories of this machine in real time: each visit has one of its own below {@code base}, which it leaves there.
 * All clients of a visit share one opened directory, since it belongs to one opener at a time.
 */
public record LocalVenue(Path base) implements Venue {
    @Override
    public <T> T visit(String name, Function<Site, T> body) {
        Tasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(base.resolve(name), tasks)) {
            return body.apply(machine -> new Machine(
                    Settings.on(cloud.objects(), cloud.queues(), tasks).prefix(Machine.PREFIX), tasks));
        }
    }
}
