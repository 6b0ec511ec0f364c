package io.penstock.console;

import io.penstock.ConsistencyLevel;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Layout;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Settings;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.List;

/** A store with something of each kind: a shop, keys and values that mean ill, a queue, and a message in quarantine. */
final class Demo {
    static final int BOOKS = 120;

    static final int LARGE_BYTES = 3 << 20;

    static final String SCRIPT = "<script>alert('x')</script>";

    private static final List<String> AUTHORS = List.of("Knuth", "Liskov", "Lamport", "Gray", "Bachman", "Hopper");

    private Demo() {}

    record Book(String title, String author, int pages, List<String> tags) {}

    record Order(long book, int copies, Instant at, String note) {}

    /** Fills a new store; what it writes last is in a commit log alone. */
    static void fill(ObjectStore objects, QueueService queues, Tasks tasks) {
        Settings settings = Settings.on(objects, queues, tasks)
                .clientName("shop-1")
                .pageBytes(2048)
                .advanced(advanced -> advanced.sweeping(false).layout(Layout.partitioned(1)));
        try (Penstock store = Penstock.open(
                settings.level(ConsistencyLevel.ATOMIC).clientName("visits").checkpointing(false))) {
            RecordCollection<String, Long> visits = store.collection("visits", Keys.string(), Json.of(Long.class));
            visits.put("/home", 3L);
            store.admin().checkpoint();
            queues.list("").stream()
                    .filter(name -> name.contains("-pu-"))
                    .forEach(name -> queues.find(name).orElseThrow().send(List.of(Bytes.utf8("no message"))));
            store.admin().checkpoint();
        }
        try (Penstock store = Penstock.open(settings.checkpointing(false))) {
            books(store);
            store.admin().checkpoint();
            orders(store);
        }
    }

    private static void books(Penstock store) {
        RecordCollection<Long, Book> books = store.collection("books", Keys.longs(), Json.of(Book.class));
        Index<String, Long, Book> byAuthor = books.index("by-author", Keys.string(), Book::author);
        Index<String, Long, Book> byTitle =
                books.index("by-title", Keys.string(), Book::title).unique();
        store.transact(transaction -> {
            for (int i = 1; i <= BOOKS; i++) {
                String author = AUTHORS.get(i % AUTHORS.size());
                transaction.put(
                        books,
                        (long) i,
                        new Book("The " + author + " papers, volume " + i, author, 100 + 7 * i % 400, List.of("used")));
            }
            return byAuthor.name() + byTitle.name();
        });
    }

    private static void orders(Penstock store) {
        RecordCollection<Keys.Pair<String, Long>, Order> orders =
                store.collection("orders", Keys.pair(Keys.string(), Keys.longs()), Json.of(Order.class));
        List<String> customers = List.of("ada", "grace", "barbara");
        for (int i = 0; i < 24; i++) {
            Order order = new Order(
                    1 + 5L * i % BOOKS,
                    1 + i % 3,
                    Instant.parse("2026-11-26T18:00:00Z").plusSeconds(90L * i),
                    "gift wrap");
            orders.put(new Keys.Pair<>(customers.get(i % 3), (long) i), order);
        }
        orders.delete(new Keys.Pair<>("ada", 0L));
        RecordCollection<Bytes, Bytes> files =
                store.collection("files", Keys.bytes(), PayloadCodec.bytes()).inDomain("uploads");
        files.put(Bytes.utf8("cover.png"), Bytes.wrap(new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2, 3}));
        files.put(Bytes.utf8(SCRIPT), Bytes.utf8(SCRIPT + "\"><img src=x onerror=alert(1)>"));
        files.put(Bytes.utf8("'\"&<>/../?#%2e"), Bytes.utf8("{\"a\": \"</pre>" + SCRIPT + "\", \"n\": 1.10}"));
        files.put(
                Bytes.wrap(new byte[] {0, (byte) 0xff, '<', 10}),
                Bytes.utf8("\u202etxt.exe and a long line ".repeat(9)));
        files.put(Bytes.utf8("empty"), Bytes.EMPTY);
        files.putStream(Bytes.utf8("film.mp4"), new ByteArrayInputStream(new byte[LARGE_BYTES]));
    }
}
