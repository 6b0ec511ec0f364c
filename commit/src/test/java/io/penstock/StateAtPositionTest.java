package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import io.penstock.query.Query;
import io.penstock.query.Row;
import io.penstock.query.ValueField;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One state, read by several clients at a position that one of them took. */
class StateAtPositionTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int RECORDS = 2_000;

    private static final KeyField<Long> ID = Field.key("id", FieldType.LONG);
    private static final ValueField<Integer, Integer> VALUE = Field.of("value", FieldType.INT, value -> value);

    private static void run(Consumer<SimulatedStore> test) {
        new SimulatedStore(1, World.CALM).run(test);
    }

    private static Penstock open(SimulatedStore cloud, String machine, boolean readOnly) {
        return Penstock.open(cloud.settings(machine)
                .level(ConsistencyLevel.SERIALIZABLE)
                .pageBytes(1 << 10)
                .readOnly(readOnly)
                .checkpointing(false));
    }

    private static RecordCollection<Long, Integer> items(Penstock store) {
        return store.collection("items", Keys.longs(), Json.of(Integer.class)).declare(Fields.of(ID, VALUE));
    }

    private static void fill(Penstock store) {
        for (long first = 0; first < RECORDS; first += 500) {
            long from = first;
            store.transact(transaction -> {
                for (long id = from; id < from + 500; id++) {
                    transaction.put(items(store), id, 1);
                }
                return true;
            });
        }
        store.admin().checkpoint();
    }

    private static Map<Long, Integer> read(Penstock store, String position, List<Query> parts) {
        Map<Long, Integer> found = new TreeMap<>();
        for (Query part : parts) {
            try (Transaction state = store.at(position, Duration.ZERO);
                    Rows rows = state.query(items(store), part)) {
                while (rows.hasNext()) {
                    Row row = rows.next();
                    assertThat(found.put((Long) row.at(0), (Integer) row.at(1))).isNull();
                }
            }
        }
        return found;
    }

    @Test
    void clientsReadTheStateOfAnotherWhateverIsWrittenSince() {
        run(cloud -> {
            try (Penstock writer = open(cloud, "writer", false)) {
                fill(writer);
                SplittableRandom random = new SplittableRandom(5);
                Map<Long, Integer> expected = new TreeMap<>();
                items(writer).scan(KeySpan.all()).forEachRemaining(one -> expected.put(one.key(), one.value()));
                for (int i = 0; i < 50; i++) {
                    long id = random.nextLong(RECORDS * 2);
                    items(writer).put(id, i);
                    expected.put(id, i);
                }
                String position = items(writer).position();
                List<Query> parts = items(writer).parts(Query.all(), 4);
                assertThat(parts).hasSize(4);
                for (int i = 0; i < 50; i++) {
                    items(writer).put(random.nextLong(RECORDS * 2), -i);
                    items(writer).delete(random.nextLong(RECORDS));
                }
                try (Penstock reader = open(cloud, "reader", true);
                        Penstock other = open(cloud, "other", true)) {
                    assertThat(read(reader, position, parts)).isEqualTo(expected);
                    assertThat(read(other, position, List.of(Query.all()))).isEqualTo(expected);
                    assertThat(read(writer, position, parts)).isEqualTo(expected);
                }
            }
        });
    }

    @Test
    void aStateThatPagesHaveLostIsAnErrorAndNeverMixed() {
        run(cloud -> {
            try (Penstock writer = open(cloud, "writer", false);
                    Penstock reader = open(cloud, "reader", true)) {
                fill(writer);
                String position = items(writer).position();
                List<Query> parts = items(writer).parts(Query.all(), 4);
                items(writer).put(3L, 77);
                items(writer).delete(5L);
                writer.admin().checkpoint();
                // What was not written since is read, also by a client that never knew of the position.
                assertThat(read(reader, position, parts.subList(1, 4))).hasSizeGreaterThan(RECORDS / 2);
                assertThatThrownBy(() -> read(reader, position, parts))
                        .isInstanceOfSatisfying(
                                InvalidRequestException.class,
                                failure -> assertThat(failure.code()).isEqualTo(ErrorCode.POSITION_TOO_OLD));
                assertThat(read(reader, items(writer).position(), parts))
                        .hasSize(RECORDS - 1)
                        .containsEntry(3L, 77);
            }
        });
    }

    @Test
    void checkpointsWaitForAReaderThatAsksButNotForEver() {
        run(cloud -> {
            try (Penstock writer = open(cloud, "writer", false);
                    Penstock reader = open(cloud, "reader", true)) {
                fill(writer);
                String position = items(writer).position();
                try (Transaction held = writer.at(position, MINUTE)) {
                    assertThat(held.get(items(writer), 3L)).contains(1);
                }
                items(writer).put(3L, 77);
                writer.admin().checkpoint();
                assertThat(read(reader, position, List.of(Query.all())))
                        .hasSize(RECORDS)
                        .containsEntry(3L, 1);
                cloud.sleep(MINUTE.multipliedBy(2));
                items(writer).put(4L, 78);
                writer.admin().checkpoint();
                try (Penstock late = open(cloud, "late", true)) {
                    assertThatThrownBy(() -> read(late, position, List.of(Query.all())))
                            .isInstanceOf(InvalidRequestException.class);
                }
            }
        });
    }

    /** A fence waits until all is on pages, so it waits for the reader too. */
    @Test
    void dropsOfIndexesWaitForAReaderThatAsks() {
        run(cloud -> {
            try (Penstock writer = open(cloud, "writer", false)) {
                fill(writer);
                RecordCollection<Long, Integer> items = items(writer);
                var unused = items.index("by-value", Keys.longs(), value -> (long) value);
                items.build();
                try (Transaction held = writer.at(items.position(), MINUTE.multipliedBy(10))) {
                    assertThat(held.get(items, 3L)).contains(1);
                }
                writer.admin().dropIndex("items", "by-value");
                assertThat(items(writer).get(3L)).contains(1);
            }
        });
    }

    @Test
    void aStateOfThisMorningAndOneOfAnotherLogAreRefused() {
        run(cloud -> {
            try (Penstock writer = open(cloud, "writer", false)) {
                fill(writer);
                String position = items(writer).position();
                cloud.sleep(Duration.ofHours(1));
                List<ErrorCode> codes = new ArrayList<>();
                for (String text : List.of(position, position.substring(1), "")) {
                    assertThatThrownBy(() -> read(writer, text, List.of(Query.all())))
                            .isInstanceOfSatisfying(
                                    InvalidRequestException.class, failure -> codes.add(failure.code()));
                }
                assertThat(codes)
                        .containsExactly(ErrorCode.POSITION_TOO_OLD, ErrorCode.INVALID_TOKEN, ErrorCode.INVALID_TOKEN);
                RecordCollection<Long, Integer> elsewhere = writer.collection(
                                "elsewhere", Keys.longs(), Json.of(Integer.class))
                        .inDomain("other");
                elsewhere.put(1L, 1);
                try (Transaction state = writer.at(items(writer).position(), Duration.ZERO)) {
                    assertThatThrownBy(() -> state.get(elsewhere, 1L))
                            .isInstanceOfSatisfying(
                                    InvalidRequestException.class,
                                    failure -> assertThat(failure.code()).isEqualTo(ErrorCode.DOMAIN_MISMATCH));
                }
            }
        });
    }

    @Test
    void partsHaveEachRecordOnceWhateverTheirNumber() {
        run(cloud -> {
            try (Penstock writer = open(cloud, "writer", false)) {
                assertThat(items(writer).parts(Query.all(), 8)).hasSize(1);
                fill(writer);
                String position = items(writer).position();
                for (int most : List.of(1, 2, 3, 7, 64, 100_000)) {
                    List<Query> parts = items(writer).parts(Query.all(), most);
                    assertThat(parts).hasSizeBetween(Math.min(most, 20), most);
                    assertThat(read(writer, position, parts)).hasSize(RECORDS);
                }
                Query some = Query.where(ID.between(100L, 1_099L));
                List<Query> parts = items(writer).parts(some, 5);
                assertThat(parts).hasSize(5);
                assertThat(read(writer, position, parts)).hasSize(1_000);
            }
        });
    }

    /** Each read is of the state of its position, or an error, whatever clients, checkpoints and compaction do. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noReadMixesStates(long seed) {
        new SimulatedStore(seed, World.CALM).run(cloud -> {
            SplittableRandom random = new SplittableRandom(seed);
            List<Map.Entry<String, Map<Long, Integer>>> states = new ArrayList<>();
            Map<Long, Integer> now = new TreeMap<>();
            int read = 0;
            int gone = 0;
            try (Penstock writer = open(cloud, "writer", false);
                    Penstock reader = open(cloud, "reader", true)) {
                for (int step = 0; step < 300; step++) {
                    int chosen = random.nextInt(20);
                    if (chosen < 10) {
                        change(writer, random, now);
                    } else if (chosen < 12 || states.isEmpty()) {
                        states.add(Map.entry(items(writer).position(), new TreeMap<>(now)));
                    } else if (chosen == 12) {
                        writer.admin().checkpoint();
                    } else if (chosen == 13) {
                        cloud.sleep(Duration.ofSeconds(random.nextLong(60)));
                    } else if (chosen == 14) {
                        writer.admin().compact();
                    } else if (chosen == 15) {
                        hold(writer, items(writer).position(), random);
                    } else {
                        var state = states.get(Math.max(0, states.size() - 1 - random.nextInt(4)));
                        try (Penstock late = open(cloud, "late", true)) {
                            Penstock by = List.of(writer, reader, late).get(random.nextInt(3));
                            List<Query> parts = items(by).parts(Query.all(), random.nextInt(1, 6));
                            assertThat(read(by, state.getKey(), parts))
                                    .as("seed=%s step=%s", seed, step)
                                    .isEqualTo(state.getValue());
                            read++;
                        } catch (InvalidRequestException failure) {
                            assertThat(failure.code()).isEqualTo(ErrorCode.POSITION_TOO_OLD);
                            gone++;
                        }
                    }
                }
            }
            assertThat(read).as("seed=%s gone=%s", seed, gone).isGreaterThan(10);
        });
    }

    private static void change(Penstock writer, SplittableRandom random, Map<Long, Integer> now) {
        long id = random.nextLong(300);
        if (random.nextInt(3) == 0) {
            items(writer).delete(id);
            now.remove(id);
        } else {
            int value = random.nextInt();
            items(writer).put(id, value);
            now.put(id, value);
        }
    }

    private static void hold(Penstock writer, String position, SplittableRandom random) {
        try (Transaction held = writer.at(position, Duration.ofSeconds(random.nextLong(60)))) {
            var unused = held.get(items(writer), 0L);
        }
    }
}
