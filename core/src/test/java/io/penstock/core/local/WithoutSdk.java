package io.penstock.core.local;

import io.penstock.core.Bytes;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The process of {@link WithoutSdkTest}: uses a local cloud, and checks that the AWS SDK is missing. */
final class WithoutSdk {
    private WithoutSdk() {}

    public static void main(String[] arguments) {
        try {
            Class.forName("software.amazon.awssdk.core.exception.SdkException");
            System.out.println("the SDK is there");
            return;
        } catch (ClassNotFoundException e) {
            // As it should be.
        }
        try (LocalCloud cloud = LocalCloud.open(Path.of(arguments[0]), new ThreadTasks())) {
            cloud.objects().put("a", Bytes.utf8("object"), WriteCondition.IF_ABSENT);
            MessageQueue queue = cloud.queues().create("q", QueueAttributes.STANDARD);
            queue.send(List.of(Bytes.utf8("message")));
            System.out.println(cloud.objects().get("a").orElseThrow().body().toUtf8() + " and "
                    + queue.receive(1, Duration.ofSeconds(30), Duration.ZERO)
                            .getFirst()
                            .body()
                            .toUtf8());
        }
    }
}
