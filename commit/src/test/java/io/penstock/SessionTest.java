package io.penstock;

import static io.penstock.SimulatedStore.words;
import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ClosedException;
import io.penstock.core.ErrorCode;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Client-side consistency: a session sees its own commits, whatever pages and ledgers do meanwhile. */
class SessionTest {
    /**
     * Section 5 of the paper keeps a session's log records until their page is read again; a page that was read again
     * before the checkpoint then shows an older state than the session has written.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void aPageThatIsRefreshedBeforeItsCheckpointHidesNoOwnWrites(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock writer =
                            Penstock.open(cloud.settings("a").level(level).checkpointing(false));
                    Penstock other = Penstock.open(cloud.settings("b").checkpointing(false))) {
                words(other).put("x", "old");
                other.admin().checkpoint();
                assertThat(words(writer).get("x")).hasValue("old");
                words(writer).put("x", "new");
                words(writer).delete("y");
                for (int i = 0; i < 10; i++) {
                    // Beyond the time to live: each read asks the object store, which has the old page.
                    cloud.sleep(Duration.ofSeconds(11));
                    assertThat(words(writer).get("x")).hasValue("new");
                    assertThat(SimulatedStore.content(writer)).containsEntry("x", "new");
                    assertThat(words(other).get("x")).hasValue("old");
                }
                // Forwards what is ATOMIC, and applies it.
                writer.admin().checkpoint();
                for (int i = 0; i < 10; i++) {
                    assertThat(words(writer).get("x")).hasValue("new");
                    cloud.sleep(Duration.ofSeconds(3));
                }
                assertThat(words(other).get("x")).hasValue("new");
            }
        });
    }

    /** Random reads, writes, pauses and checkpoints by two clients: no session reads backwards or misses its own. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void sessionsNeverReadBackwards(ConsistencyLevel level) {
        for (long seed = 1; seed <= 12; seed++) {
            String run = "seed=" + seed + " level=" + level;
            SimulatedStore simulated = new SimulatedStore(seed, seed % 2 == 0 ? World.ROUGH : World.CALM);
            Random random = new Random(seed);
            simulated.run(cloud -> {
                Settings settings = cloud.settings("w").level(level).checkpointInterval(Duration.ofSeconds(4));
                try (Penstock writer = Penstock.open(settings);
                        Penstock reader = cloud.open("r")) {
                    Map<String, Integer> own = new HashMap<>();
                    Map<String, Integer> seen = new HashMap<>();
                    for (int i = 1; i <= 120; i++) {
                        String key = "k" + random.nextInt(6);
                        step(writer, reader, random, key, i, own, seen, run);
                        cloud.sleep(Duration.ofMillis(random.nextInt(2000)));
                    }
                }
                cloud.cloud.setWorld(World.CALM);
            });
        }
    }

    private static void step(
            Penstock writer,
            Penstock reader,
            Random random,
            String key,
            int round,
            Map<String, Integer> own,
            Map<String, Integer> seen,
            String run) {
        switch (random.nextInt(4)) {
            case 0 -> {
                words(writer).put(key, String.valueOf(round));
                own.put(key, round);
            }
            case 1 -> assertThat(value(writer, key)).as(run).isEqualTo(own.getOrDefault(key, 0));
            case 2 -> {
                int value = value(reader, key);
                assertThat(value).as(run).isGreaterThanOrEqualTo(seen.getOrDefault(key, 0));
                seen.put(key, value);
            }
            default -> {
                if (random.nextInt(4) == 0) {
                    try {
                        reader.admin().checkpoint();
                    } catch (io.penstock.core.StoreException rough) {
                        assertThat(rough.getMessage()).isNotEmpty();
                    }
                }
            }
        }
    }

    private static int value(Penstock store, String key) {
        return words(store).get(key).map(Integer::parseInt).orElse(0);
    }

    /** A scan that outlives the overlay's entries: by then they are on pages that the scan has passed or holds. */
    @Test
    void aLongScanMissesNoOwnWrites() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").pageBytes(16 << 10))) {
                words(store).put("a", "1");
                store.admin().checkpoint();
                for (String key : List.of("b", "c", "d", "e")) {
                    words(store).put(key, "2");
                }
                try (Scan<Entry<String, String>> scan = words(store).scan(KeySpan.all())) {
                    assertThat(scan.next().key()).isEqualTo("a");
                    cloud.sleep(Duration.ofMinutes(3));
                    words(store).put("z", "3");
                    List<String> rest = scan.stream().map(Entry::key).toList();
                    assertThat(rest).startsWith("b", "c", "d", "e");
                }
            }
        });
    }

    @Test
    void sessionsOfOneHandleAreApart() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").checkpointing(false));
                    Session other = store.newSession()) {
                RecordCollection<String, String> words = words(store);
                other.transact(tx -> {
                    tx.put(words, "a", "1");
                    return true;
                });
                assertThat(other.begin().get(words, "a")).hasValue("1");
                assertThat(words.get("a")).as("another session's, not applied").isEmpty();
                store.admin().checkpoint();
                assertThat(words.get("a")).hasValue("1");
            }
        });
    }

    @Test
    void aSessionThatWasClosedBeginsNothing() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                Session session = store.newSession();
                session.close();
                session.close();
                assertThatThrownBy(session::begin)
                        .isInstanceOf(ClosedException.class)
                        .is(code(ErrorCode.CLOSED));
            }
        });
    }

    /** The overlay drops records once pages show them: memory stays bounded. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NAIVE", "BASIC", "SNAPSHOT", "SERIALIZABLE"})
    void theOverlayIsEmptiedWhoeverCheckpoints(ConsistencyLevel level) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            for (boolean own : List.of(true, false)) {
                var meters = new io.micrometer.core.instrument.simple.SimpleMeterRegistry();
                Settings settings = cloud.settings("a" + own)
                        .level(level)
                        .checkpointing(own)
                        .meters(meters);
                try (Penstock writer = Penstock.open(settings);
                        Penstock other = cloud.open("b" + own)) {
                    for (int i = 0; i < 20; i++) {
                        words(writer).put("k" + i, "v");
                    }
                    assertThat(meters.get("penstock.pending.unapplied").gauge().value())
                            .isEqualTo(20);
                    cloud.sleep(Duration.ofSeconds(5));
                    if (!own) {
                        other.admin().checkpoint();
                    }
                    cloud.sleep(Duration.ofSeconds(60));
                    assertThat(meters.get("penstock.pending.unapplied").gauge().value())
                            .isZero();
                }
            }
        });
    }

    /** What a body has decided is not decided again: its own commit counts, and so does its own abort. */
    @Test
    void aBodyMayCommitOrAbortItself() {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = cloud.open("a")) {
                assertThat(store.<String>transact(tx -> {
                            tx.put(words(store), "kept", "1");
                            tx.commit();
                            return "committed";
                        }))
                        .isEqualTo("committed");
                assertThat(store.<String>transact(tx -> {
                            tx.put(words(store), "dropped", "1");
                            tx.abort();
                            return "aborted";
                        }))
                        .isEqualTo("aborted");
                assertThat(SimulatedStore.content(store)).containsOnlyKeys("kept");
            }
        });
    }
}
