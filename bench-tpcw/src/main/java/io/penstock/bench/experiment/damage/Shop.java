package io.penstock.bench.experiment.damage;

import io.penstock.ConsistencyLevel;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.core.Bytes;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The collections of a damaged store, as one client has them: books with an index, and files with large payloads. */
final class Shop {
    /** What a record must read as: {@code collection/key} to value, without deleted records. */
    static final class Content extends TreeMap<String, String> {
        private static final long serialVersionUID = 1;
    }

    static final String BOOKS = "books";
    static final String FILES = "files";
    private static final PayloadCodec<String> TEXT = new Text();

    private final Penstock store;
    private final RecordCollection<String, String> books;
    private final Index<String, String, String> byAuthor;
    private final RecordCollection<String, String> files;

    /** Texts as UTF-8. */
    private static final class Text implements PayloadCodec<String> {
        @Override
        public Bytes encode(String value) {
            return Bytes.utf8(value);
        }

        @Override
        public String decode(Bytes payload) {
            return payload.toUtf8();
        }
    }

    Shop(Penstock store) {
        this.store = store;
        this.books = store.collection(BOOKS, Keys.string(), TEXT);
        this.byAuthor = books.index("author", Keys.string(), Shop::author);
        this.files = store.collection(FILES, Keys.string(), TEXT);
    }

    /** A book's value is {@code author text}. */
    private static String author(String book) {
        return book.substring(0, book.indexOf(' '));
    }

    RecordCollection<String, String> collection(String name) {
        return name.equals(BOOKS) ? books : files;
    }

    /** Writes records, {@code collection/key} to value, in one transaction. */
    void put(ConsistencyLevel level, Map<String, String> records) {
        store.transact(level, transaction -> {
            records.forEach((path, value) -> transaction.put(collection(folder(path)), key(path), value));
            return true;
        });
    }

    String get(String path) {
        return collection(folder(path)).get(key(path)).orElse("");
    }

    /** Shows {@code found} each record of a scan, as path and value. */
    void scan(String folder, BiConsumer<String, String> found) {
        show(folder, collection(folder).scan(KeySpan.all()), found);
    }

    /** As {@link #scan}, the books by the index. */
    void scanIndex(BiConsumer<String, String> found) {
        show(BOOKS, byAuthor.scan(KeySpan.all()), found);
    }

    private static void show(String folder, Scan<Entry<String, String>> scan, BiConsumer<String, String> found) {
        try (scan) {
            scan.forEachRemaining(entry -> found.accept(folder + "/" + entry.key(), entry.value()));
        }
    }

    static String folder(String path) {
        return path.substring(0, path.indexOf('/'));
    }

    private static String key(String path) {
        return path.substring(path.indexOf('/') + 1);
    }
}
