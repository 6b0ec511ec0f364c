package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random changes against a sorted map, on small pages. */
class BLinkTreeFuzzTest {
    static LongStream seeds() {
        long one = Long.getLong("seed", -1);
        return one >= 0 ? LongStream.of(one) : LongStream.range(0, Long.getLong("seeds", 40));
    }

    /** A client's random work: keys with shared prefixes and of all lengths, stamps that arrive out of order. */
    static final class Load {
        private final SplittableRandom random;
        private final int keyBytesMax;
        private final int keySpace;

        Load(long seed, TreeSettings settings) {
            random = new SplittableRandom(seed);
            keyBytesMax = settings.keyBytesMax();
            keySpace = 1 + random.nextInt(3000);
        }

        Bytes key() {
            int number = random.nextInt(keySpace);
            SplittableRandom shape = new SplittableRandom(number);
            byte[] bytes = new byte[shape.nextInt(4) == 0 ? shape.nextInt(keyBytesMax + 1) : shape.nextInt(12)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (shape.nextInt(5) == 0 ? shape.nextInt(256) : shape.nextInt(3) * 127);
            }
            return Bytes.wrap(bytes);
        }

        List<RecordChange> batch(int sizeMax, int payloadMax) {
            List<RecordChange> batch = new ArrayList<>();
            int size = 1 + random.nextInt(sizeMax);
            for (int i = 0; i < size; i++) {
                var stamp = Client.stamp(1_700_000_000_000L + random.nextInt(100_000), 1 + random.nextInt(5));
                Bytes key = key();
                if (random.nextInt(4) == 0) {
                    batch.add(new RecordChange.Delete(key, stamp));
                } else {
                    byte[] payload = new byte[random.nextInt(payloadMax)];
                    random.nextBytes(payload);
                    batch.add(new RecordChange.Put(key, Bytes.wrap(payload), stamp));
                }
            }
            return batch;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void equalsASortedMap(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeSettings settings =
                TreeSettings.DEFAULT.withPageBytes(512 << random.nextInt(3)).withParallelWidth(1 + random.nextInt(4));
        MemoryObjectStore store = new MemoryObjectStore();
        InlineTasks tasks = new InlineTasks(seed);
        // From no pool at all to one that holds everything, for as long as a round or all.
        BufferPool pool =
                new BufferPool((1L << random.nextInt(25)) - 1, Duration.ofSeconds(random.nextBoolean() ? 1 : 1000));
        Client client = new Client(store, settings, tasks, pool);
        Load load = new Load(seed, settings);
        TreeMap<Bytes, RecordChange> oracle = new TreeMap<>();
        for (int round = 0; round < 25; round++) {
            List<RecordChange> batch = Client.sorted(load.batch(300, 60));
            dropTies(batch, oracle);
            ApplyResult result = client.writer.apply(batch);
            assertThat(result.applied() + result.superseded()).isEqualTo(batch.size());
            Client.merge(oracle, batch);
            tasks.advance(Duration.ofSeconds(random.nextInt(2)));
            compareRange(client, oracle, load, random, "seed=" + seed);
        }
        client.assertSound("seed=" + seed);
        assertThat(client.check().notes()).as("seed=" + seed).isEmpty();
        client.assertEquals(oracle, "seed=" + seed);
        Client stranger = new Client(store, settings, new InlineTasks(seed), Duration.ZERO);
        stranger.assertEquals(oracle, "seed=" + seed);
    }

    /** No two changes of a key ever have equal stamps; drop those that chance gave. */
    static void dropTies(List<RecordChange> batch, TreeMap<Bytes, RecordChange> oracle) {
        var seen = new java.util.HashSet<Object>();
        batch.removeIf(change -> !seen.add(List.of(change.key(), change.stamp()))
                || (oracle.containsKey(change.key())
                        && oracle.get(change.key()).stamp().equals(change.stamp())));
    }

    private static void compareRange(
            Client client, TreeMap<Bytes, RecordChange> oracle, Load load, SplittableRandom random, String what) {
        Bytes one = load.key();
        Bytes two = load.key();
        KeyRange range = switch (random.nextInt(4)) {
            case 0 -> Client.range(one, random.nextBoolean(), two, random.nextBoolean());
            case 1 -> KeyRange.prefix(one.slice(0, Math.min(2, one.length())));
            case 2 -> KeyRange.atLeast(one);
            default -> new KeyRange(Bytes.EMPTY, KeyRange.after(two));
        };
        List<Bytes> expected = oracle.keySet().stream().filter(range::contains).toList();
        List<Bytes> forward = Client.drainAll(client.records.cursor(range, Direction.ASCENDING)).stream()
                .map(found -> found.key())
                .toList();
        List<Bytes> backward = Client.drainAll(client.records.cursor(range, Direction.DESCENDING)).stream()
                .map(found -> found.key())
                .toList();
        assertThat(forward).as(what).isEqualTo(expected);
        assertThat(backward.reversed()).as(what).isEqualTo(expected);
    }

    @Test
    void smallPagesMakeAtLeastThreeLevels() {
        TreeSettings settings = TreeSettings.DEFAULT.withPageBytes(512);
        Client client = new Client(new MemoryObjectStore(), settings, new InlineTasks(1));
        List<RecordChange> batch = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            batch.add(new RecordChange.Put(
                    Client.key(i), Bytes.utf8("payload " + i), Client.stamp(1_700_000_000_000L + i, 1)));
        }
        client.apply(batch);
        assertThat(client.assertSound("load").levels()).hasSizeGreaterThanOrEqualTo(3);
    }
}
