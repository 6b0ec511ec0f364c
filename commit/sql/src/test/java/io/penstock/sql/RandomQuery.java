package io.penstock.sql;

import io.penstock.core.Bytes;
import io.penstock.query.FieldType;
import io.penstock.query.FieldType.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A random query in the SQL that Calcite and H2 have in common. */
final class RandomQuery {
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");

    private final RandomGenerator random;
    private final RandomTables tables;
    private final List<Object> parameters = new ArrayList<>();
    private final String sql;
    private boolean ordered;

    RandomQuery(RandomGenerator random, RandomTables tables) {
        this.random = random;
        this.tables = tables;
        this.sql = query();
    }

    String sql() {
        return sql;
    }

    List<Object> parameters() {
        return parameters;
    }

    /** Whether the order of rows counts. */
    boolean isOrdered() {
        return ordered;
    }

    private String query() {
        return switch (random.nextInt(9)) {
            case 0, 1 -> "select " + columns("p") + " from " + table() + " p" + where("p");
            case 2 -> "select " + aggregates("p") + " from " + table() + " p" + where("p");
            case 3 -> grouped();
            case 4 -> joined();
            case 5 -> limited();
            case 6 ->
                "select distinct " + name("p", any()) + ", " + name("p", any()) + " from " + table() + " p"
                        + where("p");
            case 7 -> subquery();
            default -> union();
        };
    }

    private String grouped() {
        String by = name("p", any());
        String having = random.nextInt(3) == 0 ? " having count(*) > 1" : "";
        String of =
                random.nextInt(3) == 0 ? "count(*)" : by + ", " + (random.nextBoolean() ? "count(*)" : aggregates("p"));
        return "select " + of + " from " + table() + " p" + where("p") + " group by " + by + having;
    }

    private String joined() {
        RandomTables.Column on = any();
        String kind = random.nextBoolean() ? " join " : " left join ";
        String condition = random.nextInt(4) == 0 ? "p.i = q.n" : name("p", on) + " = " + name("q", on);
        String from = table() + " p" + kind + table() + " q on " + condition;
        if (random.nextInt(3) == 0) {
            RandomTables.Column also = any();
            from += " join (select * from " + table() + " r" + where("r") + ") r on " + name("q", also) + " = "
                    + name("r", also);
        }
        String where = where(random.nextBoolean() ? "p" : "q");
        return "select p.k, q.k, " + name("q", any()) + " from " + from + where;
    }

    private String limited() {
        ordered = true;
        RandomTables.Column by = any();
        String nulls = random.nextBoolean() ? " nulls first" : " nulls last";
        String direction = random.nextBoolean() ? "" : " desc";
        if (random.nextInt(3) == 0) {
            // Which of equal rows come first is open, so they are seen by this column alone.
            return "select " + name("p", by) + " as c from " + table() + " p" + where("p") + " order by c" + direction
                    + nulls + " fetch next " + (1 + random.nextInt(6)) + " rows only";
        }
        return "select p.k, " + name("p", by) + " as c from " + table() + " p" + where("p") + " order by "
                + name("p", by) + direction + nulls + ", p.k offset " + random.nextInt(3) + " rows fetch next "
                + (1 + random.nextInt(6)) + " rows only";
    }

    private String subquery() {
        RandomTables.Column on = any();
        String from = "select p.k from " + table() + " p where ";
        if (random.nextBoolean()) {
            return from + name("p", on) + " in (select " + name("q", on) + " from " + table() + " q" + where("q") + ")";
        }
        String not = random.nextInt(3) == 0 ? "not " : "";
        return from + not + "exists (select 1 from " + table() + " q where " + name("q", on) + " = " + name("p", on)
                + ")";
    }

    private String union() {
        RandomTables.Column of = any();
        String kind =
                List.of(" union all ", " union ", " intersect ", " except ").get(random.nextInt(4));
        return "select " + name("p", of) + " from " + table() + " p" + where("p") + kind + "select " + name("q", of)
                + " from " + table() + " q" + where("q");
    }

    private String table() {
        return RandomTables.TABLES.get(random.nextInt(2));
    }

    private RandomTables.Column any() {
        return RandomTables.COLUMNS.get(random.nextInt(RandomTables.COLUMNS.size()));
    }

    private static String name(String table, RandomTables.Column column) {
        return table + "." + column.name();
    }

    private String columns(String table) {
        StringBuilder columns = new StringBuilder(table + ".k");
        for (int i = random.nextInt(4); i > 0; i--) {
            columns.append(", ").append(random.nextInt(3) == 0 ? computed(table) : name(table, any()));
        }
        return columns.toString();
    }

    private String computed(String t) {
        return switch (random.nextInt(8)) {
            case 0 -> t + ".n + " + t + ".m";
            case 1 -> t + ".n * 2";
            case 2 -> t + ".d * 2.0e0";
            case 3 -> "coalesce(" + t + ".s, 'none')";
            case 4 -> "upper(" + t + ".s)";
            case 5 -> "case when " + t + ".o then 'yes' when " + t + ".i > 1 then 'perhaps' else 'n' end";
            case 6 -> "char_length(" + t + ".s)";
            default -> "cast(" + t + ".i as bigint) + 1";
        };
    }

    private String aggregates(String t) {
        List<String> all = new ArrayList<>(List.of(
                "count(*)",
                "count(" + name(t, any()) + ")",
                "count(distinct " + name(t, any()) + ")",
                "sum(" + t + ".i)",
                "sum(" + t + ".l)",
                "sum(" + t + ".n)",
                "min(" + t + ".n)",
                "max(" + t + ".s)",
                "min(" + t + ".y)",
                "max(" + t + ".z)",
                "min(" + t + ".d)",
                "max(" + t + ".i)"));
        if (random.nextInt(3) == 0) {
            return all.get(random.nextInt(all.size()));
        }
        StringBuilder some = new StringBuilder("count(*)");
        for (int i = random.nextInt(3); i >= 0; i--) {
            some.append(", ").append(all.remove(random.nextInt(all.size())));
        }
        return some.toString();
    }

    private String where(String table) {
        return switch (random.nextInt(6)) {
            case 0 -> "";
            case 1 -> {
                // Nulls that are taken for 0 are seen where nothing else chooses.
                RandomTables.Column number = RandomTables.COLUMNS.get(1 + random.nextInt(4));
                yield " where " + withoutNull(table, number) + operator() + literal(number.type());
            }
            default -> " where " + condition(table, 2);
        };
    }

    private String condition(String table, int depth) {
        if (depth > 0 && random.nextInt(2) == 0) {
            String kind = random.nextBoolean() ? " and " : " or ";
            return "(" + condition(table, depth - 1) + kind + condition(table, depth - 1) + ")";
        }
        if (depth > 0 && random.nextInt(6) == 0) {
            return "not (" + condition(table, depth - 1) + ")";
        }
        RandomTables.Column column = any();
        String name = name(table, column);
        return switch (random.nextInt(11)) {
            case 0 -> name + " is null";
            case 1 -> name + " is not null";
            case 2 -> column.type().kind() == Kind.BOOLEAN ? name : name + operator() + value(column.type());
            case 3 ->
                name + " in (" + literal(column.type()) + ", " + literal(column.type()) + ", " + literal(column.type())
                        + ")";
            case 4 -> name + " between " + literal(column.type()) + " and " + literal(column.type());
            case 5 ->
                List.of(
                                table + ".i < " + table + ".j",
                                table + ".n >= " + table + ".m",
                                table + ".i = " + table + ".n",
                                table + ".s = " + table + ".t",
                                table + ".l <> " + table + ".i")
                        .get(random.nextInt(5));
            case 6 ->
                table + ".s like "
                        + List.of("'a%'", "'%b'", "'%b%'", "'a%c'", "'\ud83d\ude00%'", "'%'")
                                .get(random.nextInt(6));
            case 7 -> value(column.type()) + operator() + name;
            case 8, 9 -> withoutNull(table, column) + operator() + value(column.type());
            default -> name + operator() + value(column.type());
        };
    }

    /** A column, or something else where it is null. */
    private String withoutNull(String table, RandomTables.Column column) {
        String name = name(table, column);
        String other = literal(column.type());
        return switch (random.nextInt(3)) {
            case 0 -> "coalesce(" + name + ", " + other + ")";
            case 1 -> "case when " + name + " is not null then " + name + " else " + other + " end";
            default -> "case when " + name + " is null then " + other + " else " + name + " end";
        };
    }

    private String operator() {
        return List.of(" = ", " <> ", " < ", " <= ", " > ", " >= ").get(random.nextInt(6));
    }

    private String value(FieldType<?> type) {
        if (random.nextInt(3) > 0) {
            return literal(type);
        }
        parameters.add(tables.value(type));
        return "?";
    }

    private String literal(FieldType<?> type) {
        Object value = tables.value(type);
        return switch (value) {
            case String text ->
                text.chars().anyMatch(unit -> Character.isSurrogate((char) unit))
                                && !text.equals("\ud83d\ude00")
                                && !text.equals("\ud83d\ude00x")
                        ? "'ab'"
                        : "'" + text.replace("'", "''") + "'";
            case Double number -> String.format("%e", number).replaceFirst("^-(.*)$", "(-$1)");
            case BigDecimal number -> number.toPlainString();
            case LocalDate date -> "date '" + date + "'";
            case Instant instant ->
                "timestamp '" + TIMESTAMP.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC)) + "'";
            case Bytes bytes -> "x'" + bytes.toHex() + "'";
            case Long number when number == Long.MIN_VALUE -> "(-9223372036854775807 - 1)";
            case Integer number when number == Integer.MIN_VALUE -> "(-2147483647 - 1)";
            default -> String.valueOf(value);
        };
    }

    @Override
    public String toString() {
        return sql + " " + parameters;
    }
}
