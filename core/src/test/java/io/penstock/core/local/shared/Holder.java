package io.penstock.core.local.shared;

import io.penstock.core.Durability;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;

/** The process that {@link OpenFilesTest} attaches to: owns a directory until it is ended. */
final class Holder {
    private Holder() {}

    public static void main(String[] arguments) {
        Tasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(Path.of(arguments[0]), tasks, Durability.OS_CACHE)) {
            System.out.println("open " + cloud.isAttached());
            tasks.promise().await();
        }
    }
}
