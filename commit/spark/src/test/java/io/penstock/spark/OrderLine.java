package io.penstock.spark;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A line of an order, as in TPC-W, with a field of each type besides. */
public record OrderLine(
        long item,
        int quantity,
        @Nullable Double discount,
        @Nullable BigDecimal price,
        @Nullable String comment,
        @Nullable Boolean gift,
        @Nullable LocalDate due,
        @Nullable Instant changed) {
    static final String NAME = "orderLines";

    /** The collection as driver and executors open it. */
    public static final class Declared implements DeclaredCollections {
        @Override
        public RecordCollection<?, ?> open(Penstock store, String name) {
            return lines(store, name);
        }
    }

    /** The collection with an index. */
    public static final class Indexed implements DeclaredCollections {
        @Override
        public RecordCollection<?, ?> open(Penstock store, String name) {
            return indexed(store, name);
        }
    }

    /** A collection that declares no fields. */
    public static final class Undeclared implements DeclaredCollections {
        @Override
        public RecordCollection<?, ?> open(Penstock store, String name) {
            return lines(store, name).declare(Fields.NONE);
        }
    }

    static RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines(Penstock store, String name) {
        return store.collection(name, Keys.pair(Keys.longs(), Keys.longs()), Json.of(OrderLine.class))
                .declare(Fields.ofClass(OrderLine.class)
                        .and(Field.keyPart("orderId", FieldType.LONG, 0), Field.keyPart("line", FieldType.LONG, 1)));
    }

    static RecordCollection<Keys.Pair<Long, Long>, OrderLine> indexed(Penstock store, String name) {
        RecordCollection<Keys.Pair<Long, Long>, OrderLine> lines = lines(store, name);
        Fields fields = lines.fields();
        var unused = lines.index(
                "by-quantity",
                fields.get("quantity", OrderLine.class, FieldType.INT),
                fields.get("item", OrderLine.class, FieldType.LONG));
        return lines;
    }

    static OrderLine random(SplittableRandom random) {
        String[] comments = {"", "a", "ab", "abc", "\u00e9t\u00e9", "\uffee", "\ud83d\ude00"};
        double[] discounts = {0.0, -0.0, 0.25, -1.5, Double.NaN, Double.POSITIVE_INFINITY};
        return new OrderLine(
                random.nextLong(10),
                random.nextInt(1, 300),
                nullable(random, discounts[random.nextInt(discounts.length)]),
                nullable(random, BigDecimal.valueOf(random.nextLong(-500, 500), random.nextInt(3))),
                nullable(random, comments[random.nextInt(comments.length)]),
                nullable(random, random.nextBoolean()),
                nullable(random, LocalDate.ofEpochDay(random.nextLong(-10, 10))),
                nullable(random, Instant.ofEpochSecond(random.nextLong(-2, 2), random.nextLong(5) * 500)));
    }

    OrderLine with(int other) {
        return new OrderLine(item, other, discount, price, comment, gift, due, changed);
    }

    private static <T> @Nullable T nullable(SplittableRandom random, T value) {
        return random.nextInt(6) == 0 ? null : value;
    }
}
