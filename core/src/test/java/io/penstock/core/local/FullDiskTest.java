package io.penstock.core.local;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.RefusedException;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.task.Tasks;
import io.penstock.testing.FullDisk;
import io.penstock.testing.InlineTasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full or read-only: said as such, nothing acknowledged is lost, and over when it is over. */
class FullDiskTest {
    private static final long PLENTY = 1L << 40;

    @TempDir
    Path directory;

    private final Tasks tasks = new InlineTasks(1);
    private final FullDisk disk = new FullDisk(PLENTY);

    private LocalCloud open() {
        return LocalCloud.open(directory, tasks, Durability.FLUSHED, disk);
    }

    private static List<String> receiveAll(MessageQueue queue) {
        List<String> bodies = new ArrayList<>();
        List<Delivery> found = queue.receive(10, Duration.ofHours(1), Duration.ZERO);
        while (!found.isEmpty()) {
            found.forEach(delivery -> bodies.add(delivery.body().toUtf8()));
            found = queue.receive(10, Duration.ofHours(1), Duration.ZERO);
        }
        return bodies;
    }

    @Test
    void queuesGoOnWhenThereIsSpaceAgainAndLoseNothing() {
        List<String> acknowledged = new ArrayList<>();
        try (LocalCloud cloud = open()) {
            MessageQueue queue = cloud.queues().create("q", QueueAttributes.STANDARD);
            for (int round = 0; round < 5; round++) {
                disk.setFree(1_000 + 77 * round);
                int before = acknowledged.size();
                sendUntilRefused(queue, acknowledged, "r" + round);
                assertThat(acknowledged.size()).isGreaterThan(before);
                assertThatThrownBy(() -> queue.send(List.of(Bytes.utf8("x".repeat(100)))))
                        .isInstanceOf(RefusedException.class);
            }
            disk.setFree(PLENTY);
            queue.send(List.of(Bytes.utf8("after")));
            acknowledged.add("after");
            assertThat(receiveAll(queue)).containsExactlyElementsOf(acknowledged);
        }
        try (LocalCloud cloud = open()) {
            assertThat(cloud.damage()).isEmpty();
            assertThat(receiveAll(cloud.queues().find("q").orElseThrow())).containsExactlyElementsOf(acknowledged);
        }
    }

    private static void sendUntilRefused(MessageQueue queue, List<String> acknowledged, String name) {
        for (int i = 0; ; i++) {
            String body = name + "-" + i + "y".repeat(i % 90);
            try {
                queue.send(List.of(Bytes.utf8(body)));
            } catch (RefusedException full) {
                assertThat(full).is(code(ErrorCode.DISK_FULL)).is(code(ErrorCode.DISK_FULL));
                return;
            }
            acknowledged.add(body);
        }
    }

    @Test
    void deletionsOnAFullDiskAreMadeUpForLater() {
        try (LocalCloud cloud = open()) {
            MessageQueue queue = cloud.queues().create("q", QueueAttributes.STANDARD);
            queue.send(List.of(Bytes.utf8("a"), Bytes.utf8("b")));
            disk.setFree(0);
            Delivery first =
                    queue.receive(1, Duration.ofHours(1), Duration.ZERO).getFirst();
            assertThat(queue.delete(List.of(first.receipt()))).isEmpty();
            disk.setFree(PLENTY);
            queue.send(List.of(Bytes.utf8("c")));
        }
        try (LocalCloud cloud = open()) {
            assertThat(receiveAll(cloud.queues().find("q").orElseThrow())).containsExactly("b", "c");
        }
    }

    @Test
    void queueWhoseDeletionDidNotFitIsStillThere() {
        try (LocalCloud cloud = open()) {
            MessageQueue queue = cloud.queues().create("q", QueueAttributes.STANDARD);
            disk.setFree(0);
            assertThatThrownBy(() -> cloud.queues().delete("q")).isInstanceOf(RefusedException.class);
            assertThatThrownBy(() -> cloud.queues().create("other", QueueAttributes.STANDARD))
                    .isInstanceOf(RefusedException.class);
            disk.setFree(PLENTY);
            queue.send(List.of(Bytes.utf8("a")));
            assertThat(cloud.queues().list("")).containsExactly("q");
            assertThat(receiveAll(queue)).containsExactly("a");
        }
    }

    @Test
    void closingOnAFullDiskEndsAndKeepsEverything() {
        LocalCloud cloud = open();
        MessageQueue queue = cloud.queues().create("q", QueueAttributes.STANDARD);
        queue.send(List.of(Bytes.utf8("a")));
        disk.setFree(0);
        assertThatThrownBy(() -> queue.send(List.of(Bytes.utf8("b")))).isInstanceOf(RefusedException.class);
        cloud.close();
        try (LocalCloud again = open()) {
            assertThat(receiveAll(again.queues().find("q").orElseThrow())).containsExactly("a");
        }
    }

    @Test
    void objectsSayThatTheDiskIsFull() {
        try (LocalCloud cloud = open()) {
            cloud.objects().put("a", Bytes.utf8("old"), WriteCondition.ALWAYS);
            disk.setFree(10);
            assertThatThrownBy(() -> cloud.objects().put("a", Bytes.utf8("new"), WriteCondition.ALWAYS))
                    .isInstanceOf(RefusedException.class)
                    .is(code(ErrorCode.DISK_FULL));
            ObjectUpload upload = cloud.objects().upload("b", 5 << 20);
            assertThatThrownBy(() -> upload.part(1, Bytes.wrap(new byte[100])))
                    .isInstanceOf(RefusedException.class)
                    .is(code(ErrorCode.DISK_FULL));
            upload.abort();
            assertThat(cloud.objects().get("a").orElseThrow().body().toUtf8()).isEqualTo("old");
            disk.setFree(PLENTY);
            cloud.objects().put("a", Bytes.utf8("new"), WriteCondition.ALWAYS);
        }
    }

    @Test
    void readOnlyDirectoryIsRefusedAndLeavesNothingLocked() {
        open().close();
        disk.setReadOnly(true);
        assertThatThrownBy(this::open).isInstanceOf(RefusedException.class).is(code(ErrorCode.DISK_UNUSABLE));
        disk.setReadOnly(false);
        LocalCloud cloud = open();
        disk.setReadOnly(true);
        assertThatThrownBy(() -> cloud.objects().put("a", Bytes.EMPTY, WriteCondition.ALWAYS))
                .isInstanceOf(RefusedException.class)
                .is(code(ErrorCode.DISK_UNUSABLE));
        assertThatThrownBy(() -> cloud.queues().create("q", QueueAttributes.STANDARD))
                .isInstanceOf(RefusedException.class);
        disk.setReadOnly(false);
        cloud.queues().create("q", QueueAttributes.STANDARD);
        cloud.close();
    }

    @Test
    void openOnAFullDiskLeavesNothingLocked() {
        disk.setFree(0);
        assertThatThrownBy(this::open).isInstanceOf(RefusedException.class);
        disk.setFree(PLENTY);
        open().close();
    }
}
