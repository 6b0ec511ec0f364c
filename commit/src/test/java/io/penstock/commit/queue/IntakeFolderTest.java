package io.penstock.commit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.seal.KeyRing;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.seal.Seals;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testing.ShiftedTasks;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that are objects in a folder. */
class IntakeFolderTest {
    private final ShiftedTasks tasks = new ShiftedTasks();
    private final ObjectStore bare = new MemoryObjectStore();
    private final KeyRing ring = KeyRing.open(
                    tasks, bare, "s/", MasterKeys.given(Base64.getEncoder().encodeToString(new byte[32])), true)
            .orElseThrow();

    /** Who can write to the bucket cannot hold up the messages of others. */
    @Test
    void anObjectThatDoesNotOpenIsDeliveredAndDeleted() {
        MessageQueue folder = new IntakeFolder(tasks, new Seals(tasks, ring).objects(bare, "s/"), "s/in/");
        folder.send(List.of(Bytes.utf8("message")));
        bare.put("s/in/0", Bytes.utf8("forged"), WriteCondition.ALWAYS);
        List<Delivery> found = folder.receive(10, Duration.ofSeconds(1), Duration.ZERO);
        assertThat(found).extracting(Delivery::body).containsExactly(Bytes.EMPTY, Bytes.utf8("message"));
        folder.delete(found.stream().map(Delivery::receipt).toList());
        assertThat(bare.list("s/in/", "", 10).entries()).isEmpty();
    }
}
