package io.penstock.bench.tpcw.run;

import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Directories of this machine in real time: each visit has one of its own below {@code base}, which it leaves there.
 * This process owns it, and all of its clients share it; other processes attach to this one.
 *
 * @param processes 1: all clients are threads of this process; more: that number of separate processes
 */
public record LocalVenue(Path base, int processes) implements Venue {
    @Override
    public <T> T visit(String name, Function<Site, T> body) {
        Tasks tasks = new ThreadTasks();
        Path directory = base.resolve(name);
        try (LocalCloud cloud = LocalCloud.open(directory, tasks)) {
            return body.apply(
                    processes == 1 ? site(cloud, tasks) : new Shared(site(cloud, tasks), directory, processes));
        }
    }

    static Site site(LocalCloud cloud, Tasks tasks) {
        Settings settings = Settings.on(cloud.objects(), cloud.queues(), tasks).prefix(Machine.PREFIX);
        return machine -> new Machine(settings, cloud.objects(), tasks);
    }

    private record Shared(Site own, Path directory, int processes) implements Site {
        @Override
        public Machine machine(String name) {
            return own.machine(name);
        }

        @Override
        public Optional<Venue.Remote> remote() {
            return Optional.of(new Venue.Remote.Directory(directory.toString(), processes));
        }
    }
}
