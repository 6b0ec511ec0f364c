package io.penstock.sql;

import io.penstock.KeyCodec;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.core.Bytes;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Two tables of random rows with all types, in a store and in H2. Drawn from one source of chance. */
final class RandomTables {
    static final List<String> TABLES = List.of("a", "b");

    /** Names of columns, by a letter for their type. */
    static final List<Column> COLUMNS = List.of(
            new Column("k", FieldType.LONG, "BIGINT"),
            new Column("i", FieldType.INT, "INTEGER"),
            new Column("j", FieldType.INT, "INTEGER"),
            new Column("l", FieldType.LONG, "BIGINT"),
            new Column("d", FieldType.DOUBLE, "DOUBLE PRECISION"),
            new Column("n", FieldType.DECIMAL, "DECIMAL(60, 20)"),
            new Column("m", FieldType.DECIMAL, "DECIMAL(60, 20)"),
            new Column("s", FieldType.STRING, "VARCHAR"),
            new Column("t", FieldType.STRING, "VARCHAR"),
            new Column("o", FieldType.BOOLEAN, "BOOLEAN"),
            new Column("y", FieldType.DATE, "DATE"),
            new Column("z", FieldType.INSTANT, "TIMESTAMP(3)"),
            new Column("x", FieldType.BYTES, "VARBINARY"));

    private static final String[] TEXTS = {
        "",
        "a",
        "A",
        "ab",
        "abc",
        "b",
        "a b",
        "%",
        "_",
        "a%",
        "\u00e4",
        "\ue000",
        "\uffee",
        "\ud83d\ude00",
        "\ud83d\ude00x",
        "a\ud83d",
        "\ude00",
        "it's",
        " a",
        "a "
    };

    private final RandomGenerator random;
    private final Map<String, RecordCollection<Long, Object[]>> collections = new TreeMap<>();
    private final Connection h2;
    private final Fields fields = declared();

    record Column(String name, FieldType<?> type, String h2) {}

    /** @param h2 an empty database with names in lower case */
    RandomTables(RandomGenerator random, Penstock store, Connection h2) throws SQLException {
        this.random = random;
        this.h2 = h2;
        for (String table : TABLES) {
            RecordCollection<Long, Object[]> collection = store.collection(table, Keys.longs(), new Serialized());
            indexed(collection, "by-l", Keys.longs(), FieldType.LONG, 3);
            indexed(collection, "by-n", Keys.decimals(), FieldType.DECIMAL, 5);
            indexed(collection, "by-z", Keys.instants(), FieldType.INSTANT, 11);
            collections.put(table, collection.declare(fields));
            StringBuilder columns = new StringBuilder();
            COLUMNS.forEach(column -> columns.append(columns.isEmpty() ? "" : ", ")
                    .append(column.name)
                    .append(' ')
                    .append(column.h2));
            try (Statement statement = h2.createStatement()) {
                statement.execute("create table " + table + " (" + columns + ", primary key (k))");
            }
        }
    }

    private <T> void indexed(
            RecordCollection<Long, Object[]> collection, String name, KeyCodec<T> keys, FieldType<T> type, int at) {
        collection.index(name, keys, fields.get(COLUMNS.get(at).name, Object[].class, type));
    }

    private static Fields declared() {
        List<Field<?>> fields = new ArrayList<>();
        fields.add(Field.key("k", FieldType.LONG));
        for (int at = 1; at < COLUMNS.size(); at++) {
            fields.add(field(at));
        }
        return Fields.of(fields.toArray(new Field<?>[0]));
    }

    private static Field<?> field(int at) {
        return field(COLUMNS.get(at).name, COLUMNS.get(at).type, at);
    }

    private static <T> Field<T> field(String name, FieldType<T> type, int at) {
        return Field.<Object[], T>of(name, type, row -> type.javaType().cast(row[at]));
    }

    RecordCollection<?, ?>[] collections() {
        return collections.values().toArray(new RecordCollection<?, ?>[0]);
    }

    /** Changes that are drawn, and made in the store first. */
    Runnable change(int count) {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String table = TABLES.get(random.nextInt(TABLES.size()));
            long key = random.nextInt(60) - 10;
            changes.add(new Change(table, key, random.nextInt(5) == 0 ? null : row(key)));
        }
        for (Change change : changes) {
            RecordCollection<Long, Object[]> collection = collections.get(change.table);
            if (change.row == null) {
                collection.delete(change.key);
            } else {
                collection.put(change.key, change.row);
            }
        }
        return () -> changes.forEach(this::inH2);
    }

    private record Change(String table, long key, Object[] row) {}

    private void inH2(Change change) {
        try (Statement statement = h2.createStatement()) {
            statement.execute("delete from " + change.table + " where k = " + change.key);
            if (change.row == null) {
                return;
            }
            String marks = "?, ".repeat(COLUMNS.size());
            try (PreparedStatement insert = h2.prepareStatement(
                    "insert into " + change.table + " values (" + marks.substring(0, marks.length() - 2) + ")")) {
                for (int i = 0; i < COLUMNS.size(); i++) {
                    insert.setObject(i + 1, plain(change.row[i]));
                }
                insert.execute();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The value as JDBC takes it. */
    static Object plain(Object value) {
        return switch (value) {
            case LocalDate date -> Date.valueOf(date);
            case Instant instant -> Timestamp.valueOf(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
            case Bytes bytes -> bytes.toArray();
            case null -> null;
            default -> value;
        };
    }

    private Object[] row(long key) {
        Object[] row = new Object[COLUMNS.size()];
        row[0] = key;
        for (int i = 1; i < row.length; i++) {
            row[i] = random.nextInt(6) == 0 ? null : value(COLUMNS.get(i).type);
        }
        return row;
    }

    Object value(FieldType<?> type) {
        return switch (type.kind()) {
            case BOOLEAN -> random.nextBoolean();
            case INT ->
                random.nextInt(12) == 0
                        ? (random.nextBoolean() ? Integer.MAX_VALUE : Integer.MIN_VALUE)
                        : random.nextInt(9) - 3;
            case LONG ->
                random.nextInt(12) == 0
                        ? (random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE)
                        : (Object) (long) (random.nextInt(9) - 3);
            case DOUBLE -> new double[] {0.0, -0.0, 1, -1, 0.1, 0.3, 1e300, -2.5, 3}[random.nextInt(9)];
            case DECIMAL ->
                new BigDecimal(new String[] {
                            "0",
                            "0.00",
                            "1.5",
                            "1.50",
                            "-1.5",
                            "3",
                            "100",
                            "1E+2",
                            "0.1",
                            "-0.001",
                            "12345678901234567890.25"
                        }
                        [random.nextInt(11)]);
            case STRING -> TEXTS[random.nextInt(TEXTS.length)];
            case BYTES -> Bytes.wrap(new byte[][] {{}, {0}, {1}, {-1}, {1, 2}}[random.nextInt(5)]);
            case DATE -> LocalDate.of(2020, 2, 27).plusDays(random.nextInt(6));
            case INSTANT -> Instant.ofEpochSecond(1_600_000_000L + random.nextInt(3), random.nextInt(3) * 1_000_000L);
        };
    }

    /** Rows as Java writes them: unlike JSON it takes halves of surrogate pairs. */
    private static final class Serialized implements PayloadCodec<Object[]> {
        @Override
        public Bytes encode(Object[] value) {
            Object[] copy = value.clone();
            copy[12] = copy[12] == null ? null : ((Bytes) copy[12]).toArray();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(copy);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Bytes.wrap(bytes.toByteArray());
        }

        @Override
        public Object[] decode(Bytes bytes) {
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toArray()))) {
                Object[] row = (Object[]) in.readObject();
                row[12] = row[12] == null ? null : Bytes.wrap((byte[]) row[12]);
                return row;
            } catch (IOException | ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
