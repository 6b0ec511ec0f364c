package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.annotation.Indexed;
import io.penstock.annotation.Key;
import io.penstock.annotation.Stored;
import io.penstock.commit.index.CompositeKey;
import io.penstock.commit.query.KeyRanges;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.record.KeyRange;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Query;
import io.penstock.query.QueryPlan;
import io.penstock.query.ValueField;
import io.penstock.testkit.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Indexes of several fields: the newest records of one user, and what else they answer. */
class FieldIndexTest {
    private static final int ORDERS = 6000;

    @Stored("orders")
    record Order(
            @Key String number,
            @Indexed(with = "at") UUID user,
            @Nullable Instant at,
            String note) {}

    @Stored("orders")
    record PlainOrder(
            @Key String number, UUID user, @Nullable Instant at, String note) {}

    private static final ValueField<Order, String> USER = Field.of(
            "user",
            FieldType.STRING,
            order -> order.user() == null ? null : order.user().toString());
    private static final ValueField<Order, Instant> AT = Field.of("at", FieldType.INSTANT, Order::at);
    private static final ValueField<Order, String> NOTE = Field.of("note", FieldType.STRING, Order::note);

    private static UUID user(int number) {
        return new UUID(7, number);
    }

    /** One of three hundred users, some without a time. */
    private static Order order(int number) {
        Instant at = number % 11 == 0 ? null : Instant.ofEpochSecond(number * 7919L % 1000);
        return new Order("%05d".formatted(number), user(number % 300), at, "note");
    }

    private static void inStore(BiConsumer<SimulatedStore, Penstock> test) {
        new SimulatedStore(1, World.CALM).run(cloud -> {
            try (Penstock store = Penstock.open(cloud.settings("a").level(ConsistencyLevel.SERIALIZABLE))) {
                test.accept(cloud, store);
            }
        });
    }

    private static void fill(SimulatedStore cloud, Penstock store, RecordCollection<String, Order> orders) {
        for (int from = 0; from < ORDERS; from += 1000) {
            int first = from;
            store.transact(transaction -> {
                for (int i = first; i < first + 1000; i++) {
                    transaction.put(orders, order(i));
                }
                return true;
            });
        }
        var unused = store.admin().checkpoint();
        cloud.sleep(Duration.ofMinutes(1));
    }

    private static List<String> newest(int user, int most) {
        return Stream.iterate(user, number -> number < ORDERS, number -> number + 300)
                .map(FieldIndexTest::order)
                .filter(order -> order.at() != null)
                .sorted(Comparator.comparing(Order::at).reversed())
                .limit(most)
                .map(order -> order.at().toString())
                .toList();
    }

    @Test
    void theNewestOfAUserAreReadAlone() {
        inStore((cloud, store) -> {
            RecordCollection<String, Order> orders = store.collection(Order.class);
            fill(cloud, store, orders);
            var user = orders.fields().get("user", Order.class, FieldType.STRING);
            var at = orders.fields().get("at", Order.class, FieldType.INSTANT);
            Condition ofUser = user.eq(user(42).toString());
            Query first = Query.where(Condition.and(ofUser, Condition.not(at.isNull())))
                    .select(at)
                    .orderByDescending(at)
                    .limit(5);
            assertThat(orders.plan(first)).satisfies(plan -> {
                assertThat(plan.access()).isEqualTo(QueryPlan.Access.INDEX);
                assertThat(plan.by()).isEqualTo("user-at");
                assertThat(plan.requests()).isLessThan(10);
            });
            assertThat(orders.query(first).stream().map(row -> row.get(at).toString()))
                    .isEqualTo(newest(42, 5));
            assertThat(orders.find(ofUser).stream())
                    .as("those without a time, too")
                    .hasSize(ORDERS / 300);
            assertThat(orders.plan(Query.where(ofUser)).by()).isEqualTo("user-at");
            Query before = Query.where(Condition.and(ofUser, at.lt(Instant.ofEpochSecond(300))));
            assertThat(orders.plan(before).by()).isEqualTo("user-at");
            assertThat(orders.query(before).stream())
                    .hasSameSizeAs(newest(42, 100).stream()
                            .filter(time -> Instant.parse(time).getEpochSecond() < 300)
                            .toList());
            Index<List<Object>, String, Order> index = orders.index("user-at");
            KeySpan<List<Object>> some = KeySpan.startingWith(List.of(user(42).toString()));
            assertThat(index.scan(some).stream()).hasSize(ORDERS / 300);
        });
    }

    /** An index that is added later says nothing until it is built; by then all clients use it. */
    @Test
    void anIndexIsAddedToWhatIsThere() {
        inStore((cloud, store) -> {
            RecordCollection<String, PlainOrder> plain = store.collection(PlainOrder.class);
            for (int i = 0; i < 10; i++) {
                Order made = order(i);
                plain.put(new PlainOrder(made.number(), made.user(), made.at(), made.note()));
            }
            RecordCollection<String, Order> orders = store.collection(Order.class);
            var user = orders.fields().get("user", Order.class, FieldType.STRING);
            assertThat(orders.find(user.eq(user(3).toString())).stream()).hasSize(1);
            orders.build();
            Index<List<Object>, String, Order> index = orders.index("user-at");
            assertThat(index.scan(KeySpan.all()).stream()).hasSize(10);
        });
    }

    @Test
    void inCodeItIsDeclaredByFields() {
        inStore((cloud, store) -> {
            RecordCollection<String, Order> orders = store.collection("orders", Keys.string(), Json.of(Order.class))
                    .keyedBy(Order::number);
            var index = orders.index("mine", USER, AT, NOTE);
            orders.put(order(1));
            orders.put(new Order("none", null, Instant.EPOCH, ""));
            assertThat(index.scan(KeySpan.all()).stream().map(Entry::key)).containsExactly("00001");
            assertThatThrownBy(() -> index.scan(List.of("a", Instant.EPOCH, "b", "c")))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(() -> index.scan(List.of(1, 2, 3))).isInstanceOf(InvalidRequestException.class);
        });
    }

    record Wrong(@Key String number, @Indexed(with = "when") String user, Instant at) {}

    @Test
    void anIndexOfNoPropertyIsRefused() {
        inStore((cloud, store) -> assertThatThrownBy(() -> store.collection(Wrong.class))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("property=when"));
    }

    private static @Nullable Order random(Random random) {
        return new Order(
                "1",
                random.nextInt(5) == 0 ? null : user(random.nextInt(3)),
                random.nextInt(4) == 0 ? null : Instant.ofEpochSecond(random.nextInt(4) - 2),
                Arrays.asList("", "a", "a\u0000", "a\u0000b", "b", null).get(random.nextInt(6)));
    }

    private static Condition condition(Random random) {
        Order sample = random(random);
        List<Condition> parts = new ArrayList<>();
        Condition.Operator[] all = Condition.Operator.values();
        for (Field<?> field : List.of(USER, AT, NOTE)) {
            Object value = field == USER ? USER.apply(sample) : field == AT ? sample.at() : sample.note();
            if (random.nextInt(3) > 0) {
                parts.add(
                        value == null
                                ? random.nextBoolean() ? field.isNull() : Condition.not(field.isNull())
                                : compare(field, all[random.nextInt(all.length)], value));
            }
        }
        return random.nextBoolean() ? new Condition.And(parts) : new Condition.Or(parts);
    }

    private static <T> Condition compare(Field<T> field, Condition.Operator operator, Object value) {
        return field.compare(operator, field.type().javaType().cast(value));
    }

    /** A record that fulfils a condition is in its ranges, and the order of entries is that of fields, nulls last. */
    @Test
    void entriesAreWhereConditionsLookForThem() {
        long seed = Long.getLong("seed", 1);
        Random random = new Random(seed);
        FieldKeys<Order> keys = FieldKeys.of(USER, AT, NOTE);
        Comparator<Order> inOrder = Comparator.comparing(USER::apply, Comparator.<String>naturalOrder())
                .thenComparing(Order::at, Comparator.nullsLast(Comparator.naturalOrder()))
                .thenComparing(Order::note, Comparator.nullsLast(Comparator.naturalOrder()));
        int found = 0;
        for (int i = 0; i < 20_000; i++) {
            Order one = Objects.requireNonNull(random(random));
            Order other = Objects.requireNonNull(random(random));
            List<@Nullable Object> values = keys.values(one);
            Condition condition = condition(random);
            boolean matches = matches(condition, one);
            if (values == null) {
                assertThat(matches
                                && KeyRanges.ofEntries(keys.fields(), condition).isPresent())
                        .as("seed %d: %s of %s", seed, condition, one)
                        .isFalse();
                continue;
            }
            assertThat(keys.decode(keys.encode(values))).as("seed %d", seed).isEqualTo(values);
            if (other.user() != null) {
                assertThat(Integer.signum(keys.encode(values).compareTo(keys.encode(keys.values(other)))))
                        .as("seed %d: %s and %s", seed, one, other)
                        .isEqualTo(Integer.signum(inOrder.compare(one, other)));
            }
            Bytes entry = CompositeKey.join(keys.encode(values), Bytes.utf8("1"));
            var ranges = KeyRanges.ofEntries(keys.fields(), condition);
            if (matches && ranges.isPresent()) {
                found++;
                assertThat(ranges.get().stream().filter(range -> range.contains(entry)))
                        .as("seed %d: %s of %s", seed, condition, one)
                        .hasSize(1);
            }
            assertThat(ranges.orElse(List.of()))
                    .as("seed %d", seed)
                    .isSortedAccordingTo(Comparator.comparing(KeyRange::from));
        }
        assertThat(found).as("seed %d: ranges that a record had to be in", seed).isGreaterThan(500);
    }

    private static boolean matches(Condition condition, Order order) {
        return switch (condition) {
            case Condition.And and -> and.parts().stream().allMatch(part -> matches(part, order));
            case Condition.Or or -> or.parts().stream().anyMatch(part -> matches(part, order));
            case Condition.Not not -> !matches(not.part(), order);
            case Condition.IsNull asked -> value(asked.field(), order) == null;
            case Condition.Compare compare -> {
                Object value = value(compare.field(), order);
                yield value != null && holds(compare.operator(), compared(value, compare.value()));
            }
            default -> throw new IllegalArgumentException(condition.toString());
        };
    }

    private static @Nullable Object value(Field<?> field, Order order) {
        return field == USER ? USER.apply(order) : field == AT ? order.at() : order.note();
    }

    @SuppressWarnings("unchecked")
    private static int compared(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static boolean holds(Condition.Operator operator, int compared) {
        return switch (operator) {
            case EQ -> compared == 0;
            case NE -> compared != 0;
            case LT -> compared < 0;
            case LE -> compared <= 0;
            case GT -> compared > 0;
            case GE -> compared >= 0;
        };
    }
}
