package io.penstock.bench.tpcw.comparison;

import io.penstock.commit.Settings;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.util.function.Function;

/** Directories of this machine in real time: each visit has one of its own below {@code base}, which it leaves there. */
public record LocalVenue(Path base) implements Venue {
    @Override
    public <T> T visit(String name, Function<Site, T> body) {
        Tasks tasks = new ThreadTasks();
        Path directory = base.resolve(name);
        return body.apply(machine -> new Machine(Settings.local(directory), tasks));
    }
}
