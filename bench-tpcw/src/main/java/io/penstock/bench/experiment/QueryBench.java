package io.penstock.bench.experiment;

import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.bench.experiment.QueryTables.Threshold;
import io.penstock.bench.program.Benchmark;
import io.penstock.bench.program.Figure;
import io.penstock.bench.program.Rows;
import io.penstock.bench.tpcw.bookstore.Scale;
import io.penstock.bench.tpcw.run.CloudOptions;
import io.penstock.bench.tpcw.run.Machine;
import io.penstock.bench.tpcw.run.Venue;
import io.penstock.cli.program.UsageException;
import io.penstock.query.Condition;
import io.penstock.query.Field;
import io.penstock.query.Query;
import io.penstock.sql.PenstockSql;
import io.penstock.testkit.Profile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The program of {@code scripts/bench query}. Figures of the simulated cloud are the same every time. */
@Command(
        name = "bench query",
        description = "Compares filter, projection, join, group-by and top-K near the data with a load of all pages,"
                + " over collections of TPC-W: seconds, requests, bytes, dollars (of AWS, whatever the cloud)."
                + " Each query is that of a client which has read one record before; the mean of nine clients."
                + " Exit code 1 when a limit is missed, which hold for the simulated cloud (aws-2026).",
        sortOptions = false)
public final class QueryBench extends Benchmark {
    private static final List<Double> SELECTIVITIES = List.of(1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0);
    private static final List<Integer> ROWS_OF_TOP = List.of(1, 10, 100, 1_000, 10_000);

    /** The share of customers that PushdownDB's Bloom join joins, and the K of its top-K. */
    private static final double PAPER_JOINED = 0.0045;

    private static final int PAPER_TOP = 100;
    private static final List<Double> FALSE_POSITIVES = List.of(1e-4, 1e-3, 1e-2, 1e-1, 0.5);
    private static final double MIDDLE = 0.5;
    private static final List<Double> JOINED = List.of(1e-4, PAPER_JOINED, 1e-2, 1e-1);

    /** The limits of the ratio of a load of all to a query, and where they hold. */
    private static final double NEAR_MIN = 20;

    private static final double NEAR_SELECTIVITY_MAX = 1e-2;
    private static final double COVERING_SELECTIVITY_MAX = 1e-4;
    private static final double PAPER_FASTER_MIN = 6.7;
    private static final double PAPER_CHEAPER_MIN = 1 / 0.7;
    private static final double EQUAL_MIN = 0.9;
    private static final double EQUAL_MAX = 1.1;

    /** The number of clients that ask a query, and the seconds after which no further one does. */
    private static final int CLIENTS = 9;

    private static final double LONG_SECONDS = 2;

    private static final double NANOS_PER_SECOND = 1e9;

    @Option(names = "--browsers", paramLabel = "N", description = "scale of the store; default: ${DEFAULT-VALUE}")
    private int browsers = 130;

    @Option(names = "--items", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int items = 10_000;

    @Mixin
    private CloudOptions cloud = new CloudOptions();

    private final Rows rows = columns();

    /** Runs a command line. */
    public static void main(String[] arguments) {
        runAndExit(new QueryBench(), arguments);
    }

    private static Rows columns() {
        return new Rows()
                .column("operator", "operator", "%s")
                .column("regime", "regime", "%s")
                .column("parameter", "parameter", "%s")
                .column("rows", "rows", "%,d")
                .column("way", "way", "%s")
                .column("seconds", "s", "%.3f")
                .column("requests", "requests", "%,d")
                .column("bytes", "bytes", "%,d")
                .column("dollars", "$", "%.7f")
                .column("allSeconds", "all: s", "%.3f")
                .column("allRequests", "requests", "%,d")
                .column("allBytes", "bytes", "%,d")
                .column("allDollars", "$", "%.7f")
                .column("faster", "faster", "%.2f")
                .column("cheaper", "cheaper", "%.2f")
                .column("limit", "limit", "%s");
    }

    @Override
    protected void check() {
        UsageException.requireRange("--browsers", browsers, 1, Scale.BROWSERS_MAX);
        UsageException.requireRange("--items", items, Scale.ITEMS_MIN, Scale.ITEMS_MAX);
        cloud.check();
    }

    @Override
    protected Object report() {
        return rows;
    }

    @Override
    protected void measure() {
        QueryTables tables = new QueryTables(new Scale(browsers, items), progress);
        cloud.use("query", Profile.AWS_2026, venue -> {
            boolean unused = venue.visit("query", site -> {
                Clients clients = new Clients(site, tables, new AtomicInteger());
                clients.fill();
                filters(clients, tables);
                aggregates(clients, tables);
                groups(clients, tables);
                tops(clients, tables);
                joins(clients, tables);
                equalities(clients, tables);
                return true;
            });
        });
    }

    /** The cost of a query, or of a load of all. */
    private record Cost(long rows, String way, double seconds, long requests, long bytes, double dollars) {
        Cost plus(Cost other) {
            return new Cost(
                    rows + other.rows,
                    way,
                    seconds + other.seconds,
                    requests + other.requests,
                    bytes + other.bytes,
                    dollars + other.dollars);
        }

        Cost dividedBy(int count) {
            return new Cost(
                    rows / count,
                    way,
                    seconds / count,
                    Math.round((double) requests / count),
                    bytes / count,
                    dollars / count);
        }
    }

    /** The bounds of a ratio, of seconds and of dollars. */
    private record Limit(
            double faster, double cheaper, @Nullable Double most) {
        static final Limit NEAR = new Limit(NEAR_MIN, NEAR_MIN, null);
        static final Limit PAPER = new Limit(PAPER_FASTER_MIN, PAPER_CHEAPER_MIN, null);
        static final Limit EQUAL = new Limit(EQUAL_MIN, EQUAL_MIN, EQUAL_MAX);
    }

    private void add(String operator, String regime, String parameter, Cost cost, Cost all, @Nullable Limit limit) {
        double faster = all.seconds / cost.seconds;
        double cheaper = all.dollars / cost.dollars;
        String name = operator + ", " + regime + ", " + parameter;
        List<Figure> figures = new ArrayList<>();
        if (limit != null && cloud.isSimulated()) {
            figures.add(Figure.atLeast(limit.faster, name + ", faster", faster, "times"));
            figures.add(Figure.atLeast(limit.cheaper, name + ", cheaper", cheaper, "times"));
            if (limit.most != null) {
                figures.add(Figure.atMost(limit.most, name + ", faster", faster, "times"));
                figures.add(Figure.atMost(limit.most, name + ", cheaper", cheaper, "times"));
            }
        }
        figures.forEach(this::add);
        rows.add(
                operator,
                regime,
                parameter,
                cost.rows,
                cost.way,
                Rows.rounded(cost.seconds, 1e3),
                cost.requests,
                cost.bytes,
                Rows.rounded(cost.dollars, 1e7),
                Rows.rounded(all.seconds, 1e3),
                all.requests,
                all.bytes,
                Rows.rounded(all.dollars, 1e7),
                Rows.rounded(faster, 1e2),
                Rows.rounded(cheaper, 1e2),
                limit == null || figures.isEmpty()
                        ? ""
                        : said(limit, figures.stream().allMatch(Figure::isMet)));
    }

    private static String said(Limit limit, boolean isMet) {
        String bounds = limit.most == null
                ? String.format(Locale.ROOT, "faster >= %.1f, cheaper >= %.2f", limit.faster, limit.cheaper)
                : String.format(Locale.ROOT, "both %.1f to %.1f", limit.faster, limit.most);
        return bounds + (isMet ? ": holds" : ": missed");
    }

    /** Filters and projections of order lines. */
    private void filters(Clients clients, QueryTables tables) {
        Cost all = clients.all(tables::lines);
        for (Threshold at : tables.thresholds(SELECTIVITIES)) {
            double share = at.selectivity();
            Limit near = share <= NEAR_SELECTIVITY_MAX ? Limit.NEAR : null;
            Limit covering = share <= COVERING_SELECTIVITY_MAX ? Limit.NEAR : null;
            Limit equal = share > NEAR_SELECTIVITY_MAX ? Limit.EQUAL : null;
            String parameter = "selectivity " + share;
            Condition byKey = QueryTables.ORDER.le(at.order());
            Condition clustered = QueryTables.ORDER_ID.le(at.order());
            Condition indexed = QueryTables.TAG.le(at.tag());
            Condition scattered = QueryTables.DRAW.le(at.tag());
            Field<?>[] some = {QueryTables.QUANTITY};
            Field<?>[] more = {QueryTables.QUANTITY, QueryTables.COMMENTS};
            add("filter", "key order", parameter, clients.lines(byKey, at.ofOrder(), more), all, near);
            add("filter", "clustered, summaries", parameter, clients.lines(clustered, at.ofOrder(), more), all, near);
            add("filter", "the same, known", parameter, clients.lines(clustered, at.ofOrder(), true, more), all, near);
            add("projection", "covering index", parameter, clients.lines(indexed, at.ofTag(), some), all, covering);
            add("filter", "index", parameter, clients.lines(indexed, at.ofTag(), more), all, null);
            add("filter", "unclustered", parameter, clients.lines(scattered, at.ofTag(), more), all, equal);
        }
        add("projection", "one field, no filter", "1 of 6", clients.lines(Condition.all(), all.rows), all, Limit.EQUAL);
    }

    private void aggregates(Clients clients, QueryTables tables) {
        Cost all = clients.all(tables::lines);
        for (Map.Entry<String, String> regime : QueryTables.ORDERINGS.entrySet()) {
            String sql = "select count(*), min(\"%1$s\"), max(\"%1$s\") from \"lines\"".formatted(regime.getValue());
            add("count, min, max", regime.getKey(), "all rows", clients.sql(sql, 1), all, null);
        }
    }

    private void groups(Clients clients, QueryTables tables) {
        Cost all = clients.all(tables::orders);
        for (int groups : QueryTables.GROUPS) {
            for (String regime : List.of("clustered", "scattered")) {
                String sql =
                        "select \"%1$s%2$d\", count(*) from \"orders\" group by \"%1$s%2$d\"".formatted(regime, groups);
                add("group-by", regime, groups + " groups", clients.sql(sql, Math.min(groups, all.rows)), all, null);
            }
        }
    }

    private void tops(Clients clients, QueryTables tables) {
        Cost all = clients.all(tables::lines);
        for (int top : ROWS_OF_TOP) {
            for (Map.Entry<String, String> regime : QueryTables.ORDERINGS.entrySet()) {
                String sql =
                        "select \"%1$s\", \"quantity\" from \"lines\" order by \"%1$s\" desc fetch next %2$d rows only"
                                .formatted(regime.getValue(), top);
                boolean papers = top == PAPER_TOP && !regime.getKey().equals("unclustered");
                Cost cost = clients.sql(sql, Math.min(top, all.rows));
                add("top-K", regime.getKey(), "K " + top, cost, all, papers ? Limit.PAPER : null);
            }
        }
    }

    /** Joins of the orders of some customers: by SQL, and by their keys as a condition. */
    private void joins(Clients clients, QueryTables tables) {
        Cost all = clients.all(tables::customers).plus(clients.all(tables::orders));
        for (double share : JOINED) {
            long spent = tables.spent(share);
            String sql =
                    "select c.\"id\", o.\"total\" from \"customers\" c join \"orders\" o on o.\"customer\" = c.\"id\""
                            + " where c.\"spent\" < " + spent;
            Limit limit = share == PAPER_JOINED ? Limit.PAPER : null;
            Cost keys = clients.joined(spent);
            add("join", "keys into an index", share + " of customers", keys, all, limit);
            add("join", "SQL", share + " of customers", clients.sql(sql, keys.rows), all, limit);
        }
    }

    /** Looks for one value of a scattered field, by Bloom filters of some rates of false positives. */
    private void equalities(Clients clients, QueryTables tables) {
        Cost all = clients.all(tables::lines);
        Threshold middle = tables.thresholds(List.of(MIDDLE)).getFirst();
        for (double rate : FALSE_POSITIVES) {
            clients.summarize(rate);
            Cost cost = clients.lines(QueryTables.DRAW.eq(middle.tag()), tables.tagged(middle.tag()));
            add("filter", "equality, Bloom filters", "false positives " + rate, cost, all, null);
        }
    }

    /** Clients of the store that ask one question each, after they have read a record of each collection. */
    private record Clients(Venue.Site site, QueryTables tables, AtomicInteger machines) {
        /** Prepares a question; what it returns asks it and returns the number of rows. */
        private interface Question {
            LongSupplier prepare(Penstock store, StringBuilder way);
        }

        private Machine machine() {
            return site.machine("m" + machines.getAndIncrement());
        }

        private static Settings settings(Machine machine) {
            return machine.settings().poolBytes(QueryTables.POOL_BYTES);
        }

        void fill() {
            try (Penstock store = Penstock.open(settings(machine()))) {
                tables.fill(store);
            }
        }

        Cost all(Function<Penstock, RecordCollection<?, ?>> table) {
            return ask((store, way) -> () -> count(table.apply(store), Query.all(), way));
        }

        void summarize(double falsePositives) {
            try (Penstock store = Penstock.open(settings(machine()))) {
                store.admin().summarize(tables.lines(store), falsePositives, QueryTables.DRAW);
            }
        }

        Cost lines(Condition where, long expected, Field<?>... fields) {
            return lines(where, expected, false, fields);
        }

        /** @param summarized whether the client has looked at the summaries before, for another record */
        Cost lines(Condition where, long expected, boolean summarized, Field<?>... fields) {
            Query query = Query.where(where).select(fields);
            return require(expected, ask((store, way) -> {
                if (summarized) {
                    var unused = count(tables.lines(store), Query.where(QueryTables.ORDER_ID.lt(0L)), way);
                    way.setLength(0);
                }
                return () -> count(tables.lines(store), query, way);
            }));
        }

        Cost joined(long spent) {
            Query build = Query.where(QueryTables.SPENT.lt(spent)).select(QueryTables.CUSTOMER_ID);
            return ask((store, way) -> () -> {
                List<Long> keys = new ArrayList<>();
                io.penstock.Rows found = tables.customers(store).query(build);
                found.toEnd().forEachRemaining(row -> keys.add(row.get(QueryTables.CUSTOMER_ID)));
                way.append(found.plan().access()).append(", ");
                Query probe =
                        Query.where(QueryTables.CUSTOMER.in(keys)).select(QueryTables.CUSTOMER, QueryTables.TOTAL);
                return count(tables.orders(store), probe, way);
            });
        }

        private static long count(RecordCollection<?, ?> collection, Query query, StringBuilder way) {
            long[] count = {0};
            io.penstock.Rows found = collection.query(query);
            found.toEnd().forEachRemaining(row -> count[0]++);
            way.append(found.plan().access());
            return count[0];
        }

        Cost sql(String text, long expected) {
            return require(expected, ask((store, way) -> {
                PenstockSql sql =
                        PenstockSql.of(store, tables.lines(store), tables.orders(store), tables.customers(store));
                way.append("SQL");
                return () -> count(sql, text);
            }));
        }

        private static long count(PenstockSql sql, String text) {
            try (Connection connection = sql.connect();
                    PreparedStatement statement = connection.prepareStatement(text);
                    ResultSet found = statement.executeQuery()) {
                long count = 0;
                while (found.next()) {
                    count++;
                }
                return count;
            } catch (SQLException e) {
                throw new IllegalStateException("a statement failed", e);
            }
        }

        private static Cost require(long expected, Cost cost) {
            if (cost.rows != expected) {
                throw new IllegalStateException(cost.rows + " rows and not " + expected);
            }
            return cost;
        }

        /** The mean of several clients; of one where a query takes long, so that chance matters little. */
        private Cost ask(Question question) {
            Cost sum = askOnce(question);
            int clients = 1;
            for (; clients < CLIENTS && sum.seconds < LONG_SECONDS; clients++) {
                sum = sum.plus(require(sum.rows / clients, askOnce(question)));
            }
            return sum.dividedBy(clients);
        }

        private Cost askOnce(Question question) {
            Meter meter = new Meter();
            Machine machine = machine();
            Settings settings = settings(machine).readOnly(true).meters(meter.registry());
            try (Penstock store = Penstock.open(settings)) {
                tables.touch(store);
                StringBuilder way = new StringBuilder();
                LongSupplier asked = question.prepare(store, way);
                meter.start();
                long begun = machine.tasks().nanoTime();
                long found = asked.getAsLong();
                return new Cost(
                        found,
                        way.toString(),
                        (machine.tasks().nanoTime() - begun) / NANOS_PER_SECOND,
                        Math.round(meter.requests()),
                        Math.round(meter.bytes()),
                        meter.dollars());
            }
        }
    }
}
