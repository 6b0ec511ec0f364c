package io.penstock.bench.damage;

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
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The collections of a damaged store, as one client has them: books with an index and another one that is being built,
 * files with large payloads, and the stock, whose records go through a commit log.
 */
final class Shop {
    /** What a record must read as: {@code collection/key} to value, without deleted records. */
    static final class Content extends TreeMap<String, String> {
        private static final long serialVersionUID = 1;
    }

    static final String BOOKS = "books";
    static final String FILES = "files";
    static final String STOCK = "stock";
    private static final PayloadCodec<String> TEXT = new Text();

    private final Penstock store;
    private final RecordCollection<String, String> books;
    private final Index<String, String, String> byAuthor;
    private final @Nullable Index<String, String, String> byText;
    private final RecordCollection<String, String> files;
    private final RecordCollection<String, String> stock;

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
        this(store, true);
    }

    /** @param newest whether this is the newer program, which knows the index that is being built */
    Shop(Penstock store, boolean newest) {
        this.store = store;
        this.books = store.collection(BOOKS, Keys.string(), TEXT);
        this.byAuthor = books.index("author", Keys.string(), Shop::author);
        this.byText = newest ? books.index("text", Keys.string(), Shop::text) : null;
        this.files = store.collection(FILES, Keys.string(), TEXT);
        this.stock = store.collection(STOCK, Keys.string(), TEXT).inDomain("stock");
    }

    /** A book's value is {@code author text}. */
    private static String author(String book) {
        return book.substring(0, book.indexOf(' '));
    }

    private static String text(String book) {
        return book.substring(book.indexOf(' ') + 1);
    }

    private RecordCollection<String, String> collection(String name) {
        return switch (name) {
            case BOOKS -> books;
            case FILES -> files;
            default -> stock;
        };
    }

    /** Writes records of one collection, {@code collection/key} to value, in one transaction. */
    void put(ConsistencyLevel level, Map<String, String> records) {
        ConsistencyLevel allowed = isLogged(records.keySet().iterator().next()) ? ConsistencyLevel.SERIALIZABLE : level;
        store.transact(allowed, transaction -> {
            records.forEach((path, value) -> transaction.put(collection(folder(path)), key(path), value));
            return true;
        });
    }

    private static boolean isLogged(String path) {
        return folder(path).equals(STOCK);
    }

    String get(String path) {
        if (isLogged(path)) {
            return store.transact(ConsistencyLevel.SERIALIZABLE, transaction -> transaction.get(stock, key(path)))
                    .orElse("");
        }
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

    /** Builds the second index. */
    void build() {
        books.build();
    }

    /** As {@link #scanIndex}, by the second index, which must be built. */
    void scanBuilt(BiConsumer<String, String> found) {
        show(BOOKS, Objects.requireNonNull(byText).scan(KeySpan.all()), found);
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
