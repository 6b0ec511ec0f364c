package io.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.ConsistencyLevel;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.Transaction;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQL over a small collection: what it answers, what it refuses, and how. */
class SqlTest {
    record Book(String title, BigDecimal price, int stock, LocalDate published, Boolean rare) {}

    private Penstock store;
    private RecordCollection<String, Book> books;
    private PenstockSql sql;

    @BeforeEach
    void open() {
        open(Settings.inMemory());
    }

    private void open(Settings settings) {
        store = Penstock.open(settings.level(ConsistencyLevel.SERIALIZABLE));
        books = store.collection("books", Keys.string(), Json.of(Book.class))
                .declare(Fields.ofClass(Book.class).and(Field.key("isbn", FieldType.STRING)));
        books.put("1", new Book("Dams", new BigDecimal("10.50"), 3, LocalDate.of(2020, 1, 2), true));
        books.put("2", new Book("Weirs", new BigDecimal("7"), 0, LocalDate.of(2021, 5, 6), null));
        books.put("3", new Book("Locks \ud83d\ude00", new BigDecimal("-1.125"), 9, null, false));
        sql = PenstockSql.of(store, books);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private List<String> rows(String query, Object... parameters) throws SQLException {
        try (Connection connection = sql.connect()) {
            return rows(connection, query, parameters);
        }
    }

    private static List<String> rows(Connection connection, String query, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    StringBuilder row = new StringBuilder();
                    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                        row.append(i == 1 ? "" : "|").append(rows.getString(i));
                    }
                    found.add(row.toString());
                }
            }
            return found;
        }
    }

    private static String failure(ThrowingCallable call) {
        SQLException failure = catchThrowableOfType(SQLException.class, call);
        assertThat((Throwable) failure).isNotNull();
        assertThat(failure.getMessage()).doesNotContain("\n");
        return failure.getSQLState() + " " + failure.getMessage();
    }

    private String failure(String query, Object... parameters) {
        return failure(() -> rows(query, parameters));
    }

    @Test
    void selectsWhatItIsAsked() throws SQLException {
        assertThat(rows("select isbn, title, price, stock, published, rare from books where price > 5 order by title"))
                .containsExactly("1|Dams|10.5|3|2020-01-02|true", "2|Weirs|7|0|2021-05-06|null");
        assertThat(rows("select sum(price), avg(stock), count(*), count(rare) from books"))
                .containsExactly("16.375|4|3|2");
        assertThat(rows("select title from books where title like '%\ud83d\ude00'"))
                .hasSize(1);
        assertThat(rows(
                        "select title from books where price > ? and published = ? and isbn = ?",
                        new BigDecimal("5"),
                        LocalDate.of(2020, 1, 2),
                        "1"))
                .containsExactly("Dams");
    }

    @Test
    void pushesFiltersColumnsAndLimits() throws SQLException {
        assertThat(rows("explain plan for select title from books where isbn = '1' and stock + 1 > 2")
                        .toString())
                .contains(
                        "columns=[[title, stock, isbn]]",
                        "filters=[[=($5, _UTF-8'1'",
                        "plan=[KEYS",
                        "requests=",
                        "dollars=");
        assertThat(rows("explain plan for select title from books where isbn = '1' and price > 2")
                        .toString())
                .contains("columns=[[title]]", "filters=[[=($5, _UTF-8'1'), >($1, 2.");
        assertThat(rows("explain plan for select title from books fetch next 2 rows only")
                        .toString())
                .contains("limit=[2]");
        // One that is not exact still filters above, so that a limit must not be below.
        assertThat(rows("explain plan for select title from books where title like 'D%' fetch next 2 rows only")
                        .toString())
                .contains("LIKE($0", "EnumerableLimit")
                .doesNotContain("limit=[2]");
    }

    @Test
    void pushesCountsAndOrders() throws SQLException {
        for (String counted :
                List.of("count(*) from books", "count(rare) from books", "count(*) from books where price > 2")) {
            assertThat(rows("explain plan for select " + counted).toString())
                    .as(counted)
                    .contains("CollectionScan")
                    .doesNotContain("Aggregate");
        }
        for (String first : List.of(
                "select price from books order by price fetch next 2 rows only",
                "select price from books order by price fetch next 1000 rows only",
                "select title, published from books where stock > 0 order by published desc fetch next 1 rows only",
                "select title from books order by title desc fetch next 2 rows only",
                "select max(price) from books",
                "select max(title) from books",
                "select min(published) from books where stock >= 0")) {
            assertThat(rows("explain plan for " + first).toString())
                    .as(first)
                    .contains("order=[", "limit=[", "seconds=");
        }
        for (String not : List.of(
                "select title from books order by title nulls first fetch next 2 rows only",
                "select price from books order by price nulls first fetch next 2 rows only",
                "select price from books where title like 'D%' order by price fetch next 2 rows only")) {
            assertThat(rows("explain plan for " + not).toString()).as(not).doesNotContain("order=[");
        }
        assertThat(rows("select count(rare) from books")).containsExactly("2");
        assertThat(rows("select max(price) from books where stock < 9")).containsExactly("10.5");
        assertThat(rows("select min(published) from books where stock > 100")).containsExactly("null");
        assertThat(rows("select isbn from books order by published desc fetch next 2 rows only"))
                .containsExactly("3", "2");
    }

    @Test
    void asksForSeveralValuesOneByOneWherePagesAreMany() throws SQLException {
        store.close();
        open(Settings.inMemory().pageBytes(4096));
        for (int stock = 0; stock < 3000; stock++) {
            books.put("b" + stock, new Book("Title " + stock, BigDecimal.ONE, stock, LocalDate.of(2022, 1, 1), null));
        }
        String values = "select count(*), max(title) from books";
        assertThat(rows("explain plan for " + values).toString()).doesNotContain("limit=[1]");
        store.admin().checkpoint();
        store.admin().summarize(books);
        assertThat(rows(values + " where stock >= 0").toString()).isEqualTo("[3003|Weirs]");
        assertThat(rows("explain plan for " + values + " where stock >= 0").toString())
                .contains("columns=[[count]]", "order=[0 DESC]", "SUMMARIES");
        assertThat(rows("select count(*), min(published), max(stock), max(title) from books"))
                .containsExactly("3003|2020-01-02|2999|Weirs");
        assertThat(rows("select min(title), count(rare) from books where stock > 5000"))
                .containsExactly("null|0");
    }

    @Test
    void countsByTheValuesOfAColumn() throws SQLException {
        assertThat(rows("select rare, count(*) from books group by rare order by 2, 1"))
                .containsExactly("false|1", "true|1", "null|1");
        assertThat(rows("select count(*) from books group by stock")).containsExactly("1", "1", "1");
        assertThat(rows("select distinct stock from books where stock > 0 order by 1"))
                .containsExactly("3", "9");
        assertThat(rows("explain plan for select stock, count(*), count(isbn) from books group by stock")
                        .toString())
                .contains("columns=[[stock, count]]")
                .doesNotContain("Aggregate");
        assertThat(rows("explain plan for select stock, count(rare) from books group by stock")
                        .toString())
                .contains("Aggregate");
    }

    @Test
    void readsAllWhereTextIsInAnotherOrder() throws SQLException {
        books.put("4", new Book("\uffee", BigDecimal.ONE, 1, null, null));
        books.put("5", new Book("\ud83d\ude00", BigDecimal.ONE, 1, null, null));
        assertThat(rows("select isbn from books order by title desc fetch next 1 rows only"))
                .containsExactly("4");
        assertThat(rows("select isbn from books where title > 'Z' order by title fetch next 1 rows only"))
                .containsExactly("5");
        assertThat(rows("select max(title) from books")).containsExactly("\uffee");
    }

    @Test
    void readsOneSideOfAJoinFirstAndTellsItsKeys() throws SQLException {
        AtomicInteger decoded = new AtomicInteger();
        RecordCollection<Long, String> prints = texts("prints", 3000, 1, decoded);
        RecordCollection<Long, String> sales = texts("sales", 10, 100, new AtomicInteger());
        store.admin().checkpoint();
        sql = PenstockSql.of(store, prints, sales);
        for (String join : List.of(
                "select p.twin from prints p join sales s on s.twin = p.number where s.number > 7",
                "select p.twin from sales s join prints p on s.twin = p.number where s.number > 7",
                "select p.twin from sales s left join prints p on s.twin = p.number where s.number > 7",
                "select p.twin from prints p where number in (select twin from sales s where s.number > 7)",
                "select p.twin from prints p join sales s on s.twin = p.number join sales t on t.number = s.number"
                        + " where s.number > 7")) {
            assertThat(rows("explain plan for " + join).toString()).as(join).contains("read first", "keys=[{$");
            decoded.set(0);
            assertThat(rows(join)).as(join).containsExactlyInAnyOrder("800", "900");
            assertThat(decoded).as(join).hasValueLessThan(10);
        }
        // No key is told where rows without a partner are wanted.
        assertThat(rows("select count(*) from prints p left join sales s on s.twin = p.number"))
                .containsExactly("3000");
    }

    /** Records whose text is a multiple of their number. */
    private RecordCollection<Long, String> texts(String name, int count, int times, AtomicInteger decoded) {
        PayloadCodec<String> codec = new PayloadCodec<>() {
            @Override
            public Bytes encode(String text) {
                return Bytes.utf8(text);
            }

            @Override
            public String decode(Bytes bytes) {
                decoded.incrementAndGet();
                return bytes.toUtf8();
            }
        };
        RecordCollection<Long, String> texts = store.collection(name, Keys.longs(), codec)
                .declare(Fields.of(
                        Field.key("number", FieldType.LONG),
                        Field.<String, Long>of("twin", FieldType.LONG, Long::valueOf)));
        for (long number = 0; number < count; number++) {
            texts.put(number, String.valueOf(number * times));
        }
        return texts;
    }

    @Test
    void tellsWhatIsWrongInOneLine() {
        assertThat(failure("select color from books")).startsWith("42S22 Column 'color' not found");
        assertThat(failure("select * from cooks")).startsWith("42S02 Object 'cooks' not found");
        assertThat(failure("select * form books")).startsWith("42601 wrong SQL: ");
        assertThat(failure("select title from books where title = 5")).startsWith("22018 ");
        assertThat(failure("select 1 / stock from books")).startsWith("22012 ");
        assertThat(failure("select stock * 1000000000 from books")).startsWith("22003 ");
        assertThat(failure("select cast(title as integer) from books")).startsWith("22018 ");
        assertThat(failure("select * from books where stock = ?", "three")).startsWith("22023 INVALID_ARGUMENT: ");
        assertThat(failure("select * from books where stock = ?", 5_000_000_000L))
                .startsWith("22023 ");
        assertThat(failure("select * from books where stock = ?", 2.5)).startsWith("22023 ");
        for (String wrong : List.of("count(distinct stock)", "nth_value(stock, 2)", "ntile(3)")) {
            assertThat(failure("select " + wrong + " over (order by title) from books"))
                    .startsWith("0A000 ");
        }
    }

    @Test
    void writesNothing() throws SQLException {
        for (String write : List.of(
                "insert into books (isbn) values ('9')",
                "update books set stock = 1",
                "/* a comment */ delete from books",
                "merge into books using books as b on true when matched then update set stock = 1",
                "create table t (i int)",
                "drop table books",
                "truncate table books",
                "alter session set x = 1")) {
            assertThat(failure(write)).as(write).startsWith("25006 READ_ONLY: ");
            try (Connection connection = sql.connect();
                    Statement statement = connection.createStatement()) {
                assertThat(failure(() -> statement.executeUpdate(write))).startsWith("25006 READ_ONLY: ");
            }
        }
        assertThat(rows("select count(*) from books")).containsExactly("3");
    }

    @Test
    void refusesCollectionsWithoutFields() {
        RecordCollection<String, Book> plain = store.collection("plain", Keys.string(), Json.of(Book.class));
        assertThatThrownBy(() -> PenstockSql.of(store, plain))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("without declared fields");
        assertThatThrownBy(() -> PenstockSql.of(store, books, books)).hasMessageContaining("one name");
    }

    @Test
    void tellsOfAFieldThatThrows() {
        Field<Long> broken = Field.<Book, Long>of("broken", FieldType.LONG, book -> 1L / book.stock());
        RecordCollection<String, Book> again = store.collection("books", Keys.string(), Json.of(Book.class))
                .declare(Fields.of(broken, Field.key("isbn", FieldType.STRING)));
        SQLException failure = catchThrowableOfType(SQLException.class, () -> {
            try (Connection connection = PenstockSql.of(store, again).connect()) {
                rows(connection, "select broken from books");
            }
        });
        assertThat(failure.getSQLState()).isEqualTo("22023");
        assertThat((Throwable) failure)
                .hasMessageStartingWith("CODEC_FAILURE: ")
                .hasMessageContaining("field=broken");
        assertThat(failure.getCause()).isInstanceOf(StoreException.class);
    }

    @Test
    void isFoundByItsUrl() throws SQLException {
        sql.register("shop");
        try (Connection connection = DriverManager.getConnection("jdbc:penstock:shop")) {
            assertThat(rows(connection, "select title from books where stock = 9"))
                    .hasSize(1);
            assertThat(connection.isReadOnly()).isTrue();
        } finally {
            PenstockSql.unregister("shop");
        }
        assertThat(failure(
                        () -> DriverManager.getConnection("jdbc:penstock:shop").close()))
                .startsWith("08001 NOT_FOUND: ");
    }

    @Test
    void opensALocalStoreByItsUrl(@TempDir Path directory) throws SQLException {
        try (Penstock local = Penstock.open(Settings.local(directory))) {
            local.collection("books", Keys.string(), Json.of(Book.class))
                    .put("1", new Book("Dams", new BigDecimal("10.50"), 3, null, null));
        }
        String url = "jdbc:penstock:dir=" + directory;
        try (Connection connection = DriverManager.getConnection(url + ";fields=books(title string, price decimal)")) {
            assertThat(rows(connection, "select \"key\", title from books where price > 10"))
                    .containsExactly("1|Dams");
            ResultSet columns = connection.getMetaData().getColumns(null, PenstockSql.SCHEMA, "books", "%");
            assertThat(column(columns, "COLUMN_NAME")).containsExactly("key", "title", "price", "payload");
        }
        Properties fields = new Properties();
        fields.setProperty("fields", "books(stock int)");
        try (Connection connection = DriverManager.getConnection(url, fields)) {
            assertThat(rows(connection, "select stock from books")).containsExactly("3");
        }
        assertThat(failure(() -> DriverManager.getConnection(url + "/none").close()))
                .contains("NOT_FOUND");
        for (String none : List.of("a\0b", "~/shop", "file:///shop")) {
            assertThat(failure(() -> DriverManager.getConnection("jdbc:penstock:dir=" + none)
                            .close()))
                    .contains("INVALID_SETTING: a directory is named by a path");
        }
    }

    @Test
    void describesItself() throws SQLException {
        try (Connection connection = sql.connect()) {
            DatabaseMetaData about = connection.getMetaData();
            assertThat(column(about.getTables(null, PenstockSql.SCHEMA, "%", null), "TABLE_NAME"))
                    .containsExactly("books");
            assertThat(column(about.getTables(null, null, "b%", new String[] {"TABLE"}), "TABLE_NAME"))
                    .containsExactly("books");
            assertThat(column(about.getColumns(null, PenstockSql.SCHEMA, "books", "%"), "COLUMN_NAME"))
                    .containsExactly("title", "price", "stock", "published", "rare", "isbn");
            assertThat(column(about.getColumns(null, PenstockSql.SCHEMA, "books", "%"), "IS_NULLABLE"))
                    .containsExactly("YES", "YES", "NO", "YES", "YES", "NO");
            assertThat(column(about.getSchemas(), "TABLE_SCHEM")).contains(PenstockSql.SCHEMA);
            assertThat(column(about.getTypeInfo(), "TYPE_NAME")).contains("VARCHAR", "DECIMAL");
            assertThat(about.getDatabaseProductName()).isNotEmpty();
            assertThat(about.getDriverName()).isEqualTo("Penstock SQL");
        }
    }

    private static List<String> column(ResultSet rows, String name) throws SQLException {
        try (rows) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(name));
            }
            return values;
        }
    }

    @Test
    void stopsWhatDoesNotEnd() throws Exception {
        String endless =
                "with recursive n (i) as (select 1 union all select mod(i, 2) + 1 from n) select count(*) from n";
        try (Connection connection = sql.connect();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeQuery(endless))
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining("timeout");
            statement.setQueryTimeout(0);
            AtomicReference<Throwable> stopped = new AtomicReference<>();
            CountDownLatch running = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                running.countDown();
                stopped.set(catchThrowable(() -> statement.executeQuery(endless)));
            });
            other.start();
            running.await();
            while (other.isAlive()) {
                statement.cancel();
                other.join(20);
            }
            assertThat(((SQLException) stopped.get()).getSQLState()).isEqualTo("57014");
            try (ResultSet rows = statement.executeQuery("select count(*) from books")) {
                assertThat(rows.next()).isTrue();
            }
        }
    }

    @Test
    void readsOneStateInAStatementAndAnotherInTheNext() throws SQLException {
        try (Connection connection = sql.connect()) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select a.title, b.title from books a, books b")) {
                assertThat(rows.next()).isTrue();
                books.put("4", new Book("Sluices", BigDecimal.ONE, 1, null, null));
                int count = 1;
                while (rows.next()) {
                    count++;
                }
                assertThat(count).isEqualTo(9);
            }
            assertThat(rows(connection, "select count(*) from books")).containsExactly("4");
        }
    }

    @Test
    void takesPartInATransaction() throws SQLException {
        try (Transaction transaction = store.begin();
                Connection connection = sql.connect(transaction)) {
            assertThat(rows(connection, "select sum(stock) from books")).containsExactly("12");
            transaction.put(books, "4", new Book("Sluices", BigDecimal.ONE, 5, null, null));
            assertThat(rows(connection, "select sum(stock) from books")).containsExactly("17");
            assertThat(failure(connection::commit)).startsWith("25001 ");
            assertThat(failure(connection::rollback)).startsWith("25001 ");
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            // What the sum depends on has changed, also a record that was not there.
            books.put("5", new Book("Penstocks", BigDecimal.ONE, 1, null, null));
            assertThatThrownBy(transaction::commit).isInstanceOf(ConflictException.class);
        }
    }

    @Test
    void readsOneStateUntilItCommits() throws SQLException {
        try (Connection connection = sql.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            assertThat(rows(connection, "select count(*) from books where stock > 0"))
                    .containsExactly("2");
            assertThat(failure(() -> connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ)))
                    .startsWith("25001 ");
            books.put("2", new Book("Weirs", BigDecimal.ONE, 1, null, null));
            assertThat(rows(connection, "select count(*) from books where stock > 0"))
                    .containsExactly("2");
            connection.rollback();
            assertThat(rows(connection, "select count(*) from books where stock > 0"))
                    .containsExactly("3");
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(failure(() -> connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED)))
                    .startsWith("0A000 ");
        }
    }

    @Test
    void endsRunsWithTheirConnection() throws SQLException {
        Connection connection = sql.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select * from books");
        assertThat(rows.next()).isTrue();
        connection.close();
        assertThat(connection.isClosed()).isTrue();
        connection.close();
        assertThat(failure(connection::createStatement)).contains("closed");
    }

    @Test
    void tellsOfAStoreThatIsClosed() throws SQLException {
        Connection connection = sql.connect();
        store.close();
        assertThat(failure(() -> rows(connection, "select * from books"))).startsWith("08003 CLOSED: ");
    }

    /** Calcite's merge of an outer join's rows by their nullable side lost rows. */
    @Test
    void joinsOnTheSideOfAnOuterJoinThatMayBeNull() throws SQLException {
        assertThat(rows("select p.isbn, r.isbn from books p left join (select * from books where stock <> 3) q"
                        + " on p.title = q.title join books r on q.title = r.title order by 1"))
                .isEqualTo(rows("select p.isbn, p.isbn from books p where p.stock <> 3 order by 1"))
                .isNotEmpty();
    }

    @Test
    void keepsPlansByTheirText() throws SQLException {
        String query = "select title from books where isbn = ?";
        for (int i = 0; i < 3; i++) {
            assertThat(rows(query, "1")).containsExactly("Dams");
            assertThat(rows(query, "2")).containsExactly("Weirs");
            assertThat(rows(query, new Object[] {null})).isEmpty();
        }
        try (Connection connection = sql.connect();
                Statement statement = connection.createStatement()) {
            statement.setMaxRows(2);
            assertThat(column(statement.executeQuery("select title from books"), "title"))
                    .hasSize(2);
            statement.setMaxRows(0);
            assertThat(column(statement.executeQuery("select title from books"), "title"))
                    .hasSize(3);
        }
    }

    @Test
    void runsQueriesThatAreBuiltInJava() throws SQLException {
        try (Connection connection = sql.connect();
                PreparedStatement statement = sql.prepare(
                        connection,
                        tables -> tables.scan("books")
                                .filter(tables.lessThan(tables.field("price"), tables.literal(8)))
                                .project(tables.field("title"))
                                .sort(0)
                                .build())) {
            assertThat(column(statement.executeQuery(), "title")).containsExactly("Locks \ud83d\ude00", "Weirs");
        }
    }

    @Test
    void warmsUpBeside() throws SQLException {
        sql.warmUp();
        assertThat(rows("select count(*) from books")).containsExactly("3");
    }

    @Test
    void seesOneStateBesideWriters() throws Exception {
        Thread writer = new Thread(() -> {
            for (int i = 0; i < 300; i++) {
                int moved = i % 3;
                store.transact(transaction -> {
                    transaction.put(books, "1", new Book("Dams", BigDecimal.ONE, 3 + moved, null, null));
                    transaction.put(books, "3", new Book("Locks", BigDecimal.ONE, 9 - moved, null, null));
                    return true;
                });
            }
        });
        writer.start();
        try (Connection connection = sql.connect()) {
            while (writer.isAlive()) {
                assertThat(rows(connection, "select sum(stock) from books")).containsExactly("12");
            }
        }
    }
}
