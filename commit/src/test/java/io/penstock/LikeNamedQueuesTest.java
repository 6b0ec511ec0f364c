package io.penstock;

import static io.penstock.SimulatedStore.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.testkit.World;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues that only begin like those of a store, because of a typo or of a store with a like name, are left alone. */
class LikeNamedQueuesTest {
    private static final String SIXTEEN = "0123456789abcdef";

    /** Names that begin like those of the store {@code shop} and are none of its. */
    private static final List<String> FOREIGN = List.of(
            "shop-pu-typo",
            "shop-pu-" + SIXTEEN + "-x",
            "shop-pu-pu-" + SIXTEEN + "-p0000",
            "shop-pu-at-" + SIXTEEN,
            "shop-at-pu-" + SIXTEEN + "-p0000",
            "shop-at-at-" + SIXTEEN,
            "shop-at-" + SIXTEEN + "0",
            "shop-lk-typo");

    @Test
    void sweepsBacklogAndProvisioningGoOn() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            for (String name : FOREIGN) {
                MessageQueue queue = cloud.queues().create(name, QueueAttributes.STANDARD);
                queue.send(List.of(Bytes.utf8("none of yours")));
            }
            Settings settings = cloud.settings("a").prefix("shop");
            try (Penstock store = Penstock.open(settings.checkpointing(false))) {
                words(store).put("a", "1");
                assertThat(store.admin().backlog().pendingMessages()).isZero();
                assertThat(store.admin().backlog().atomicMessages()).isEqualTo(1);
                store.admin().provision(words(store));
                store.admin().recover();
                assertThat(store.admin().checkpoint().queues()).isEqualTo(1);
                assertThat(store.admin().backlog().total()).isZero();
                assertThat(store.admin().verify().violations()).isEmpty();
                store.admin().removeGarbage(java.time.Duration.ZERO);
            }
            for (String name : FOREIGN) {
                assertThat(cloud.queues().find(name).orElseThrow().depth().total())
                        .as(name)
                        .isEqualTo(1);
            }
        });
    }
}
