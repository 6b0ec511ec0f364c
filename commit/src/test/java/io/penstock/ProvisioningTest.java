package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.RefusedException;
import io.penstock.testkit.World;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores whose queues and collections were created in advance by another program. */
class ProvisioningTest {
    private static Settings existing(SimulatedStore cloud, String machine) {
        return cloud.settings(machine).provisioning(Provisioning.EXISTING);
    }

    @Test
    void aProvisionedStoreNeedsNothingMore() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock admin = Penstock.open(
                    cloud.settings("admin").advanced(advanced -> advanced.layout(Layout.partitioned(3))))) {
                admin.admin().provision(words(admin));
                admin.admin().provision(words(admin));
            }
            List<String> made = cloud.queues().list("penstock-");
            assertThat(made).hasSize(6);
            try (Penstock store =
                    Penstock.open(existing(cloud, "a").advanced(advanced -> advanced.layout(Layout.partitioned(3))))) {
                for (int i = 0; i < 200; i++) {
                    words(store).put("k" + i, "v");
                }
                store.admin().checkpoint();
                assertThat(SimulatedStore.content(store)).hasSize(200);
            }
            assertThat(cloud.queues().list("penstock-")).isEqualTo(made);
        });
    }

    @Test
    void openingTellsAllThatIsMissing() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock admin = cloud.open("admin")) {
                admin.admin().provision(words(admin));
            }
            cloud.queues().list("penstock-").forEach(cloud.queues()::delete);
            String id = "[0-9a-f]{10}-[0-9a-f]{16}-p000";
            assertThatThrownBy(() -> Penstock.open(
                            existing(cloud, "a").advanced(advanced -> advanced.layout(Layout.partitioned(2)))))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageMatching("queues are missing .*; create them with Admin.provision missing="
                            + "penstock-pu-" + id + "0,penstock-lk-" + id + "0,penstock-pu-" + id
                            + "1,penstock-lk-" + id + "1");
        });
    }

    @Test
    void aDomainNeedsItsIntakeQueueAlone() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock admin = cloud.open("admin")) {
                admin.admin().provision(words(admin).inDomain("shop"));
            }
            assertThat(cloud.queues().list("penstock-")).containsExactly(intake(cloud));
            try (Penstock store = Penstock.open(existing(cloud, "a").level(ConsistencyLevel.SERIALIZABLE))) {
                words(store).put("a", "1");
                store.admin().checkpoint();
                assertThat(words(store).get("a")).contains("1");
            }
            assertThat(cloud.queues().list("penstock-")).containsExactly(intake(cloud));
            String intake = intake(cloud);
            cloud.queues().delete(intake);
            assertThatThrownBy(() -> Penstock.open(existing(cloud, "a"))).hasMessageEndingWith("missing=" + intake);
        });
    }

    private static String intake(SimulatedStore cloud) {
        String identity = cloud.object("penstock/store").toUtf8().replaceAll("(?s).*\"store\":\"(.{10}).*", "$1");
        return "penstock-in-" + identity + "-shop";
    }

    @Test
    void longListsAreCut() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock admin = cloud.open("admin")) {
                admin.admin().provision(words(admin));
            }
            assertThatThrownBy(() -> Penstock.open(
                            existing(cloud, "a").advanced(advanced -> advanced.layout(Layout.partitioned(50)))))
                    .hasMessageEndingWith(" and 78 more");
        });
    }

    @Test
    void anUnknownCollectionIsRefused() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            cloud.open("admin").close();
            try (Penstock store = Penstock.open(existing(cloud, "a"))) {
                assertThatThrownBy(() -> words(store).put("a", "1"))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("collection=words");
                assertThatThrownBy(() -> store.admin().provision(words(store))).is(code(ErrorCode.NOT_PROVISIONED));
            }
            assertThat(cloud.keys("catalog/")).isEmpty();
        });
    }

    @Test
    void aQueueThatGoesMissingLaterIsNotMade() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock admin = cloud.open("admin")) {
                admin.admin().provision(words(admin));
            }
            try (Penstock store = Penstock.open(existing(cloud, "a"))) {
                cloud.queues().list("penstock-pu-").forEach(cloud.queues()::delete);
                assertThatThrownBy(() -> store.transact(ConsistencyLevel.BASIC, tx -> {
                            tx.put(words(store), "a", "1");
                            return true;
                        }))
                        // The call is right: it is the servers that lack something.
                        .isInstanceOf(RefusedException.class)
                        .hasMessageContaining("queue=penstock-pu-");
            }
        });
    }

    @Test
    void thePerLeafLayoutCannotBeProvisioned() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            cloud.open("admin").close();
            assertThatThrownBy(() ->
                            Penstock.open(existing(cloud, "a").advanced(advanced -> advanced.layout(Layout.perLeaf()))))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING));
        });
    }

    @Test
    void aLocalDirectoryIsFreeAgainAfterARefusal(@TempDir Path directory) {
        Settings settings = Settings.local(directory);
        Penstock.open(settings).close();
        assertThatThrownBy(() -> Penstock.open(settings.provisioning(Provisioning.EXISTING)
                        .advanced(advanced -> advanced.layout(Layout.perLeaf()))))
                .isInstanceOf(InvalidRequestException.class);
        Penstock.open(settings).close();
    }

    @Test
    void aReaderChangesNothing(@TempDir Path directory) {
        try (Penstock store = Penstock.open(Settings.local(directory))) {
            words(store).put("a", "1");
        }
        try (Penstock reader = Penstock.open(Settings.local(directory).readOnly(true))) {
            assertThat(words(reader).get("a")).contains("1");
            assertThatThrownBy(() -> words(reader).put("a", "2")).is(code(ErrorCode.READ_ONLY));
            assertThatThrownBy(reader.admin()::checkpoint).is(code(ErrorCode.READ_ONLY));
            assertThatThrownBy(reader.admin()::recover).is(code(ErrorCode.READ_ONLY));
            assertThatThrownBy(reader.admin()::provision).is(code(ErrorCode.READ_ONLY));
            RecordCollection<String, String> other = reader.collection("other", Keys.string(), Json.of(String.class));
            assertThatThrownBy(() -> other.get("a")).hasMessageContaining("collection=other");
        }
    }
}
