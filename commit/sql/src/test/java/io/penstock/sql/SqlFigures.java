package io.penstock.sql;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

/** A program that prints the figures of docs/SQL.md. */
final class SqlFigures {
    private static final int ROWS = Integer.getInteger("rows", 1_000_000);
    private static final int WARM_UPS = 15;
    private static final int RUNS = 11;
    private static final int POINTS = 20_000;
    private static final String[] STATES = {"OPEN", "PAID", "SENT", "DONE"};

    record Order(int customer, String state, double total) {}

    private static final PayloadCodec<Order> CODEC = new PayloadCodec<>() {
        @Override
        public Bytes encode(Order order) {
            return Bytes.wrap(ByteBuffer.allocate(16)
                    .putInt(order.customer)
                    .putDouble(order.total)
                    .put(order.state.getBytes(StandardCharsets.ISO_8859_1))
                    .array());
        }

        @Override
        public Order decode(Bytes bytes) {
            ByteBuffer in = ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length());
            int customer = in.getInt();
            double total = in.getDouble();
            String state = new String(bytes.array(), bytes.offset() + 12, 4, StandardCharsets.ISO_8859_1);
            return new Order(customer, state, total);
        }
    };

    private interface Work {
        Object run() throws SQLException;
    }

    private SqlFigures() {}

    public static void main(String[] arguments) throws SQLException {
        try (Penstock store = Penstock.open(Settings.inMemory()
                .level(ConsistencyLevel.valueOf(System.getProperty("level", "ATOMIC")))
                .advanced(advanced -> advanced.memoryBytes(1L << 30)))) {
            RecordCollection<Long, Order> orders = store.collection("orders", Keys.longs(), CODEC)
                    .declare(Fields.of(
                            Field.key("id", FieldType.LONG),
                            Field.<Order, Integer>of("customer", FieldType.INT, Order::customer),
                            Field.<Order, String>of("state", FieldType.STRING, Order::state),
                            Field.<Order, Double>of("total", FieldType.DOUBLE, Order::total)));
            Random random = new Random(1);
            Iterator<Entry<Long, Order>> rows = LongStream.range(0, ROWS)
                    .mapToObj(id -> new Entry<>(
                            id, new Order(random.nextInt(10_000), STATES[random.nextInt(4)], random.nextInt(1000))))
                    .iterator();
            orders.load(rows, count -> {});
            PenstockSql sql = PenstockSql.of(store, orders);
            try (Connection connection = sql.connect()) {
                firstQuery(connection);
                filter(connection, orders);
                groups(connection, orders);
                points(connection, store, orders);
            }
        }
    }

    private static void firstQuery(Connection connection) throws SQLException {
        long begun = System.nanoTime();
        read(connection.prepareStatement("select total from orders where id = 7"));
        long first = System.nanoTime() - begun;
        begun = System.nanoTime();
        read(connection.prepareStatement("select state from orders where id = 8"));
        long second = System.nanoTime() - begun;
        System.out.printf("first query %.2f s, second %.0f ms%n", first / 1e9, second / 1e6);
    }

    private static void filter(Connection connection, RecordCollection<Long, Order> orders) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(
                "select count(*), sum(total) from orders where state = 'OPEN' and customer < 5000");
        compare("filter", () -> read(statement), () -> {
            long count = 0;
            double sum = 0;
            try (Scan<Entry<Long, Order>> scan = orders.scan(KeySpan.all()).toEnd()) {
                while (scan.hasNext()) {
                    Order order = scan.next().value();
                    if (order.state.equals("OPEN") && order.customer < 5000) {
                        count++;
                        sum += order.total;
                    }
                }
            }
            return count + " " + sum;
        });
    }

    private static void groups(Connection connection, RecordCollection<Long, Order> orders) throws SQLException {
        PreparedStatement statement = connection.prepareStatement("select customer, sum(total) as s from orders"
                + " where state = 'OPEN' group by customer order by s desc fetch next 5 rows only");
        compare("groups", () -> read(statement), () -> {
            Map<Integer, Double> sums = new HashMap<>();
            try (Scan<Entry<Long, Order>> scan = orders.scan(KeySpan.all()).toEnd()) {
                while (scan.hasNext()) {
                    Order order = scan.next().value();
                    if (order.state.equals("OPEN")) {
                        sums.merge(order.customer, order.total, Double::sum);
                    }
                }
            }
            return sums.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .sorted()
                    .sum();
        });
    }

    private static void points(Connection connection, Penstock store, RecordCollection<Long, Order> orders)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement("select total from orders where id = ?");
        Random random = new Random(2);
        compare(
                "point",
                () -> {
                    Object last = null;
                    for (int i = 0; i < POINTS; i++) {
                        statement.setLong(1, random.nextInt(ROWS));
                        last = read(statement);
                    }
                    return last;
                },
                () -> {
                    Object last = null;
                    for (int i = 0; i < POINTS; i++) {
                        last = orders.get((long) random.nextInt(ROWS));
                    }
                    return last;
                });
    }

    private static void compare(String name, Work sql, Work hand) throws SQLException {
        double[] ofSql = new double[RUNS];
        double[] byHand = new double[RUNS];
        for (int i = 0; i < WARM_UPS; i++) {
            seconds(sql);
            seconds(hand);
        }
        for (int i = 0; i < RUNS; i++) {
            ofSql[i] = seconds(sql);
            byHand[i] = seconds(hand);
        }
        Arrays.sort(ofSql);
        Arrays.sort(byHand);
        System.out.printf(
                "%s: sql %.3f s, by hand %.3f s, ratio %.2f (medians); %s, %s%n",
                name, ofSql[RUNS / 2], byHand[RUNS / 2], ofSql[RUNS / 2] / byHand[RUNS / 2], sql.run(), hand.run());
    }

    private static double seconds(Work work) throws SQLException {
        long begun = System.nanoTime();
        work.run();
        return (System.nanoTime() - begun) / 1e9;
    }

    private static String read(PreparedStatement statement) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    text.append(rows.getObject(i)).append(' ');
                }
            }
        }
        return text.toString();
    }
}
