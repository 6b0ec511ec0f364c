package io.penstock.core.local;

import io.penstock.core.Bytes;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.util.List;

/** The process that {@link LocalCloudKillTest} kills: writes without end, and prints what was acknowledged. */
final class Writer {
    private Writer() {}

    public static void main(String[] arguments) {
        Tasks tasks = new ThreadTasks();
        LocalCloud cloud = LocalCloud.open(Path.of(arguments[0]), tasks);
        MessageQueue queue = cloud.queues().create("q", QueueAttributes.STANDARD);
        for (int thread = 0; thread < 4; thread++) {
            String name = "t" + thread;
            tasks.start(name, () -> {
                for (int i = 0; ; i++) {
                    String item = name + "-" + i;
                    queue.send(List.of(Bytes.utf8(item), Bytes.utf8(item + "b")));
                    System.out.println("sent " + item);
                    cloud.objects().put("o/" + item, Bytes.utf8(item), WriteCondition.IF_ABSENT);
                    System.out.println("put " + item);
                }
            });
        }
        tasks.promise().await();
    }
}
