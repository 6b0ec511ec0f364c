package io.penstock;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.report.BackupReport;
import io.penstock.testing.MemoryObjectStore;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The moments that backups have: each is restored as it was, or refused. */
class BackupMomentsTest {
    private final MemoryObjectStore place = new MemoryObjectStore();
    private int restores;

    private static void run(Consumer<SimulatedStore> body) {
        new SimulatedStore(1, World.CALM).run(body);
    }

    private static Penstock strict(SimulatedStore cloud, String machine) {
        return Penstock.open(cloud.settings(machine).level(ConsistencyLevel.SERIALIZABLE));
    }

    private static RecordCollection<String, String> notes(Penstock store, String topic) {
        return store.collection("notes." + topic, Keys.string(), Json.of(String.class))
                .inDomain(topic);
    }

    private static Instant now(SimulatedStore cloud) {
        return Instant.ofEpochMilli(cloud.machine("main").nowMillis());
    }

    private BackupReport backup(Penstock store) {
        return store.admin().backup(place, "b", false);
    }

    private Penstock restored(SimulatedStore cloud, Optional<Instant> at) {
        String name = "restored" + restores++;
        Penstock store = Penstock.open(cloud.settings(name).prefix(name).level(ConsistencyLevel.SERIALIZABLE));
        store.admin().restore(place, "b", at);
        return store;
    }

    private String restoredNote(SimulatedStore cloud, Optional<Instant> at) {
        try (Penstock store = restored(cloud, at)) {
            return notes(store, "zoo").get("k").orElse("");
        }
    }

    private List<String> keys(String part) {
        return ObjectStores.listAll(place, "b/").stream()
                .map(entry -> entry.key())
                .filter(key -> key.contains(part))
                .toList();
    }

    /** The log of an idle domain does not tell when a collection of another one was dropped. */
    @Test
    void momentBeforeACollectionWasDroppedHasIt() {
        run(cloud -> {
            try (Penstock store = strict(cloud, "store")) {
                notes(store, "acme").put("k", "of acme");
                notes(store, "zoo").put("k", "of zoo");
                cloud.sleep(Duration.ofHours(1));
                backup(store);
                cloud.sleep(Duration.ofHours(1));
                Instant before = now(cloud);
                cloud.sleep(Duration.ofHours(1));
                backup(store);
                Instant unknown = now(cloud).plusSeconds(60);
                cloud.sleep(Duration.ofHours(1));
                store.admin().moveOut("notes.acme", progress -> {});
                store.admin().drop("notes.acme");
                assertThat(backup(store).full()).isTrue();
                cloud.sleep(Duration.ofHours(1));
                notes(store, "zoo").put("k", "later");
                backup(store);
                assertThat(store.admin().keepBackups(place, "b", 1, Duration.ofHours(4)))
                        .isZero();
                try (Penstock restored = restored(cloud, Optional.of(before))) {
                    assertThat(restored.collections()).containsExactly("notes.acme", "notes.zoo");
                    assertThat(notes(restored, "zoo").get("k")).contains("of zoo");
                }
                assertThatThrownBy(() -> restored(cloud, Optional.of(unknown))).is(code(ErrorCode.POSITION_TOO_OLD));
            }
        });
    }

    @Test
    void momentThatABackupReportsIsRestored() {
        run(cloud -> {
            SimulatedClient fast = cloud.machine("fast");
            fast.skewClock(Duration.ofSeconds(3));
            try (Penstock one = strict(cloud, "fast");
                    Penstock other = strict(cloud, "other")) {
                for (int i = 1; i < 4; i++) {
                    cloud.sleep(Duration.ofHours(1));
                    notes(one, "zoo").put("k", "first " + i);
                    Instant first = backup(one).takenAt();
                    notes(other, "zoo").put("k", "second " + i); // of the same millisecond
                    Instant second = one.admin().backup(place, "b", i == 2).takenAt();
                    assertThat(second).isEqualTo(first);
                    assertThat(restoredNote(cloud, Optional.of(second))).isEqualTo("second " + i);
                }
                cloud.sleep(Duration.ofHours(1));
                BackupReport idle = one.admin().backup(place, "b", true);
                assertThat(restoredNote(cloud, Optional.of(idle.takenAt()))).isEqualTo("second 3");
            }
        });
    }

    @Test
    void clockOfTheMachineThatTakesBackupsDoesNotCount() {
        run(cloud -> {
            cloud.machine("fast").skewClock(Duration.ofSeconds(30));
            try (Penstock fast = strict(cloud, "fast");
                    Penstock store = strict(cloud, "store")) {
                notes(store, "zoo").put("k", "1");
                backup(fast);
                fast.admin().backup(place, "b", true);
                cloud.sleep(Duration.ofSeconds(5));
                notes(store, "zoo").put("k", "2");
                cloud.sleep(Duration.ofSeconds(5));
                Instant moment = now(cloud);
                cloud.sleep(Duration.ofHours(1));
                notes(store, "zoo").put("k", "3");
                backup(fast);
                assertThat(restoredNote(cloud, Optional.of(moment))).isEqualTo("2");
            }
        });
    }

    @Test
    void gapsBetweenMomentsAreTold() {
        run(cloud -> {
            try (Penstock store = strict(cloud, "store")) {
                notes(store, "zoo").put("k", "1");
                backup(store);
                cloud.sleep(Duration.ofHours(1));
                notes(store, "zoo").put("k", "2");
                Instant between = now(cloud);
                cloud.sleep(Duration.ofHours(1));
                notes(store, "acme").put("k", "1");
                backup(store);
                store.admin().backup(place, "b", true);
                assertThatThrownBy(() -> restored(cloud, Optional.of(between)))
                        .is(code(ErrorCode.POSITION_TOO_OLD))
                        .hasMessageMatching("(?s).*moments=\\S+Z\\.\\.\\S+Z, \\S+Z\\.\\.\\S+Z");
                for (Instant never : List.of(Instant.MIN, Instant.MAX)) {
                    assertThatThrownBy(() -> restored(cloud, Optional.of(never)))
                            .is(code(ErrorCode.POSITION_TOO_OLD));
                }
            }
        });
    }

    private void damaged(String key, Runnable meanwhile) {
        StoredObject whole = place.get(key).orElseThrow();
        place.put(key, Bytes.utf8("nonsense"), WriteCondition.ALWAYS);
        meanwhile.run();
        place.put(key, whole.body(), WriteCondition.ALWAYS);
    }

    @Test
    void damagedCutCostsItsOwnMomentsOnly() {
        run(cloud -> {
            try (Penstock store = strict(cloud, "store")) {
                notes(store, "zoo").put("k", "1");
                Instant first = backup(store).takenAt();
                cloud.sleep(Duration.ofHours(1));
                notes(store, "zoo").put("k", "2");
                Instant second = store.admin().backup(place, "b", true).takenAt();
                List<String> cuts = keys("/cut/");
                damaged(cuts.getFirst(), () -> {
                    assertThat(restoredNote(cloud, Optional.of(first))).isEqualTo("1"); // of a later cut
                    assertThat(restoredNote(cloud, Optional.empty())).isEqualTo("2");
                    assertThat(store.admin().keepBackups(place, "b", 2, Duration.ZERO))
                            .isZero();
                });
                damaged(cuts.getLast(), () -> {
                    assertThat(restoredNote(cloud, Optional.of(first))).isEqualTo("1");
                    assertThatThrownBy(() -> restored(cloud, Optional.empty())).is(code(ErrorCode.BACKUP_DAMAGED));
                    notes(store, "zoo").put("k", "3");
                    backup(store);
                    assertThat(restoredNote(cloud, Optional.empty())).isEqualTo("3");
                    assertThat(restoredNote(cloud, Optional.of(second))).isEqualTo("2");
                });
            }
        });
    }

    @Test
    void backupOfALostDefinitionIsNotContinued() {
        run(cloud -> {
            try (Penstock store = strict(cloud, "store")) {
                notes(store, "zoo").put("k", "1");
                backup(store);
                place.delete(keys("/catalog/").getLast());
                notes(store, "zoo").put("k", "2");
                assertThat(backup(store).full()).isTrue();
                assertThat(restoredNote(cloud, Optional.empty())).isEqualTo("2");
            }
        });
    }
}
