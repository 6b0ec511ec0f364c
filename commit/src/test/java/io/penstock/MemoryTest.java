package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.engine.Engine;
import io.penstock.commit.upkeep.GarbageCollection;
import io.penstock.commit.upkeep.StoreContents;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.memory.Workspace;
import io.penstock.report.GcReport;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The memory of a client: operations get a part of it, need no more, and say so before they begin. */
class MemoryTest {
    private static final long LITTLE = 32 << 20;

    private static Settings little(Settings settings) {
        return settings.poolBytes(1 << 20)
                .advanced(advanced -> advanced.sessionBytes(1 << 20).memoryBytes(LITTLE));
    }

    @Test
    void tooLittleIsRefusedWhenTheStoreIsOpened() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            Settings settings = cloud.settings("a").advanced(advanced -> advanced.memoryBytes(100 << 20));
            assertThatThrownBy(() -> Penstock.open(settings))
                    .isInstanceOf(InvalidRequestException.class)
                    .is(code(ErrorCode.INVALID_SETTING))
                    .hasMessageContaining("needed=");
            assertThatThrownBy(() -> Penstock.open(little(cloud.settings("b")).pageBytes(16 << 20)))
                    .isInstanceOf(InvalidRequestException.class);
        });
    }

    @Test
    void anOperationThatFindsNoMemoryIsRefusedBeforeItBegins() {
        new SimulatedStore(2, World.CALM).run(cloud -> {
            Penstock store = Penstock.open(little(cloud.settings("a")));
            RecordCollection<String, String> words = SimulatedStore.words(store);
            words.put("a", "1");
            store.admin().checkpoint();
            var unused = store.engine()
                    .memory()
                    .lend(first -> store.engine().memory().lend(second -> {
                        assertThatThrownBy(store.admin()::verify)
                                .isInstanceOf(UnavailableException.class)
                                .is(code(ErrorCode.OUT_OF_MEMORY));
                        assertThatThrownBy(() -> store.admin().removeGarbage(Duration.ZERO))
                                .isInstanceOf(UnavailableException.class);
                        assertThatThrownBy(store.admin()::compact).isInstanceOf(UnavailableException.class);
                        words.put("b", "2");
                        assertThat(store.admin().checkpoint().records())
                                .as("what is short goes on")
                                .isPositive();
                        return true;
                    }));
            assertThat(store.admin().verify().violations()).isEmpty();
            assertThat(store.engine().memory().budget().used()).isZero();
            store.close();
        });
    }

    /** Sets that outgrow their part go to files, and suspects are judged in parts: with the same result. */
    @Test
    void aCollectionInLittleMemoryFindsTheSame() {
        Set<GcReport> reports = new HashSet<>();
        for (long bytes : List.of(32L << 10, Workspace.STANDARD_BYTES)) {
            new SimulatedStore(3, World.CALM).run(cloud -> {
                Penstock store = cloud.open("a");
                RecordCollection<String, String> words = SimulatedStore.words(store);
                for (int i = 0; i < 300; i++) {
                    words.put("word " + i, "of some length, to have pages");
                }
                words.put("large", "x".repeat(2_000));
                store.admin().checkpoint();
                for (int i = 0; i < 40; i++) {
                    GarbageCollectionTest.plantOrphan(
                            cloud.objects(), GarbageCollectionTest.anyTree(cloud.objects()), 1000 + i);
                }
                Engine engine = store.engine();
                StoreContents contents = StoreContents.of(
                        engine.trees(), engine.background(), engine.membership(), engine.checkpoints());
                Workspace room = new Workspace(cloud.machine("a"), bytes);
                GcReport report = new GarbageCollection(contents, room, Duration.ZERO, true).run();
                assertThat(report.deleted()).as("bytes=" + bytes).isEqualTo(40);
                reports.add(report);
                assertThat(SimulatedStore.content(store)).as("bytes=" + bytes).hasSize(301);
                assertThat(new GarbageCollection(contents, room, Duration.ZERO, true)
                                .run()
                                .deleted())
                        .isZero();
                store.close();
            });
        }
        assertThat(reports).hasSize(1);
    }
}
