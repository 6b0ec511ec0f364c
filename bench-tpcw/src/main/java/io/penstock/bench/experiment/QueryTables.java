package io.penstock.bench.experiment;

import io.penstock.Entry;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.bench.program.Progress;
import io.penstock.bench.tpcw.bookstore.Bookstore;
import io.penstock.bench.tpcw.bookstore.Customer;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.bench.tpcw.bookstore.Order;
import io.penstock.bench.tpcw.bookstore.OrderLine;
import io.penstock.bench.tpcw.bookstore.Population;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.query.KeyField;
import io.penstock.query.ValueField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Collections of TPC-W with fields that follow the key, that are indexed, and that are neither. All are made in a
 * domain, so that covering indexes answer alone.
 */
final class QueryTables {
    /** So much that a client keeps all pages that it reads. */
    static final long POOL_BYTES = 1L << 30;

    static final List<Integer> GROUPS = List.of(2, 16, 100, 1_000, 10_000);

    /** The fields by which order lines are put in order, by the regime that they stand for. */
    static final Map<String, String> ORDERINGS = orderings();

    /** The first part of the key. */
    static final KeyField<Long> ORDER = Field.keyPart("order", FieldType.LONG, 0);

    /** A field of the value that follows the key, which the store does not know. */
    static final ValueField<OrderLine, Long> ORDER_ID = Field.of("orderId", FieldType.LONG, OrderLine::orderId);

    /** Random text, by which there is an index. */
    static final ValueField<OrderLine, String> TAG =
            Field.of("tag", FieldType.STRING, QueryTables::tag).required();

    /** A text without an index. */
    static final ValueField<OrderLine, String> DRAW = Field.of("draw", FieldType.STRING, QueryTables::tag);

    static final ValueField<OrderLine, Integer> QUANTITY = Field.of("quantity", FieldType.INT, OrderLine::quantity);
    static final ValueField<OrderLine, String> COMMENTS = Field.of("comments", FieldType.STRING, OrderLine::comments);

    static final KeyField<Long> CUSTOMER_ID = Field.key("id", FieldType.LONG);

    /** Uniform from 0 to 99,999; by it there is an index. */
    static final ValueField<Customer, Long> SPENT = Field.of("spent", FieldType.LONG, Customer::yearToDatePaymentCents);

    static final ValueField<Order, Long> CUSTOMER = Field.of("customer", FieldType.LONG, Order::customerId);
    static final ValueField<Order, Long> TOTAL = Field.of("total", FieldType.LONG, Order::totalCents);

    private static final long SEED = 1;
    private static final int SPENT_MAX = 100_000;
    private static final int TAG_LENGTH = 8;
    private static final int BATCHES_PER_CHECKPOINT = 16;

    private final Population population;
    private final Progress progress;
    private final String[] tags;
    private final long[] orders;

    QueryTables(Scale scale, Progress progress) {
        this.population = new Population(SEED, scale);
        this.progress = progress;
        List<String> drawn = new ArrayList<>();
        LongStream.Builder of = LongStream.builder();
        lines().forEachOrdered(line -> {
            drawn.add(tag(line.value()));
            of.add(line.key().first());
        });
        this.tags = drawn.stream().sorted().toArray(String[]::new);
        this.orders = of.build().toArray();
    }

    private static Map<String, String> orderings() {
        Map<String, String> orderings = new LinkedHashMap<>();
        orderings.put("key order", "order");
        orderings.put("clustered, summaries", "orderId");
        orderings.put("covering index", "tag");
        orderings.put("unclustered", "draw");
        return orderings;
    }

    private static String tag(OrderLine line) {
        return line.comments().substring(0, TAG_LENGTH);
    }

    /**
     * The greatest values that a share of the order lines has.
     *
     * @param ofOrder the number of lines up to the order
     * @param ofTag the number of lines up to the tag
     */
    record Threshold(double selectivity, long order, long ofOrder, String tag, long ofTag) {}

    List<Threshold> thresholds(List<Double> selectivities) {
        return selectivities.stream().map(this::threshold).toList();
    }

    private Threshold threshold(double selectivity) {
        int at = (int) Math.max(0, Math.round(selectivity * tags.length) - 1);
        long order = orders[at];
        String tag = tags[at];
        return new Threshold(
                selectivity,
                order,
                Arrays.stream(orders).filter(one -> one <= order).count(),
                tag,
                Arrays.stream(tags).filter(one -> one.compareTo(tag) <= 0).count());
    }

    /** The number of order lines with a tag. */
    long tagged(String tag) {
        return Arrays.stream(tags).filter(tag::equals).count();
    }

    /** Returns the value of {@link #SPENT} below which a share of the customers are. */
    static long spent(double share) {
        return Math.round(share * SPENT_MAX);
    }

    RecordCollection<Pair<Long, Long>, OrderLine> lines(Penstock store) {
        RecordCollection<Pair<Long, Long>, OrderLine> lines =
                store.collection("lines", Keys.pair(Keys.longs(), Keys.longs()), Json.of(OrderLine.class));
        var unused = lines.index("by-tag", Keys.string(), TAG).including("quantity", TAG, QUANTITY);
        return lines.declare(Fields.of(ORDER, ORDER_ID, TAG, DRAW, QUANTITY, COMMENTS));
    }

    RecordCollection<Long, Order> orders(Penstock store) {
        RecordCollection<Long, Order> found = store.collection("orders", Keys.longs(), Json.of(Order.class));
        var unused = found.index("by-customer", Keys.longs(), CUSTOMER).including("total", CUSTOMER, TOTAL);
        long count = population.scale().orders();
        List<Field<?>> fields = new ArrayList<>(List.of(Field.key("id", FieldType.LONG), CUSTOMER, TOTAL));
        for (int groups : GROUPS) {
            fields.add(group("clustered" + groups, order -> (order.id() - 1) * groups / count));
            fields.add(group("scattered" + groups, order -> order.id() % groups));
        }
        return found.declare(Fields.of(fields.toArray(Field<?>[]::new)));
    }

    private static Field<Long> group(String name, Function<Order, Long> of) {
        return Field.of(name, FieldType.LONG, of);
    }

    RecordCollection<Long, Customer> customers(Penstock store) {
        RecordCollection<Long, Customer> found = store.collection("customers", Keys.longs(), Json.of(Customer.class));
        var unused = found.index("by-spent", Keys.longs(), SPENT).including("spent", SPENT);
        return found.declare(Fields.of(CUSTOMER_ID, SPENT));
    }

    /** Fills the store, and builds the summaries. */
    void fill(Penstock store) {
        Scale scale = population.scale();
        progress.begin("loading", tags.length + scale.orders() + scale.customers());
        LongConsumer paced = paced(store);
        Loader.put(store, lines(store), lines(), paced);
        Loader.put(store, orders(store), rows(scale.orders(), population::order), paced);
        Loader.put(store, customers(store), rows(scale.customers(), population::customer), paced);
        store.admin().checkpoint();
        for (RecordCollection<?, ?> collection : List.of(lines(store), orders(store), customers(store))) {
            store.admin().summarize(collection);
        }
    }

    /** Applies what is loaded from time to time: commits that come faster than pages are put are refused in the end. */
    private LongConsumer paced(Penstock store) {
        AtomicInteger batches = new AtomicInteger();
        return rows -> {
            progress.advance(rows);
            if (batches.incrementAndGet() % BATCHES_PER_CHECKPOINT == 0) {
                store.admin().checkpoint();
            }
        };
    }

    private Stream<Entry<Pair<Long, Long>, OrderLine>> lines() {
        return LongStream.rangeClosed(1, population.scale().orders())
                .boxed()
                .flatMap(order -> population.orderLines(order).stream())
                .map(line -> new Entry<>(Bookstore.keyOf(line), line));
    }

    private static <V> Stream<Entry<Long, V>> rows(long count, Function<Long, V> row) {
        return LongStream.rangeClosed(1, count).mapToObj(id -> new Entry<>(id, row.apply(id)));
    }

    /** Reads a record of each collection, from its middle. */
    void touch(Penstock store) {
        long order = population.scale().orders() / 2;
        boolean found = lines(store).get(new Pair<>(order, 1L)).isPresent()
                && orders(store).get(order).isPresent()
                && customers(store).get(population.scale().customers() / 2).isPresent();
        if (!found) {
            throw new IllegalStateException("the store is not filled");
        }
    }
}
