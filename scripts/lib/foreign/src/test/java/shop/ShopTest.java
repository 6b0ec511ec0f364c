package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.annotation.Key;
import io.penstock.junit.InMemory;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.query.Fields;
import io.penstock.sql.PenstockSql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first steps of the documentation, taken with released artifacts. */
class ShopTest {
    record Book(@Key String isbn, String title, int stock) {}

    @Test
    void aDirectoryKeepsBooks(@TempDir Path folder) {
        try (Penstock store = Penstock.open(Settings.local(folder))) {
            RecordCollection<String, Book> books = store.collection(Book.class);
            store.transact(tx -> {
                tx.put(books, new Book("978-0", "The Art of Computer Programming", 3));
                return true;
            });
        }
        try (Penstock store = Penstock.open(Settings.local(folder))) {
            assertEquals(3, store.collection(Book.class).get("978-0").orElseThrow().stock());
        }
    }

    @Test
    void sqlReadsThem(@InMemory Penstock store) throws SQLException {
        RecordCollection<String, Book> books = store.collection("books", Keys.string(), Json.of(Book.class))
                .declare(Fields.ofClass(Book.class).and(Field.key("id", FieldType.STRING)));
        books.put("978-0", new Book("978-0", "The Art of Computer Programming", 3));
        try (Connection connection = PenstockSql.of(store, books).connect();
                ResultSet rows = connection.createStatement().executeQuery("select stock from books")) {
            assertTrue(rows.next());
            assertEquals(3, rows.getInt(1));
        }
    }
}
