package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.page.StoredPage;
import io.penstock.report.IndexReport;
import io.penstock.report.StoreStats;
import io.penstock.testkit.Profile;
import io.penstock.testkit.SimulatedClient;
import io.penstock.testkit.SimulatedCloud;
import io.penstock.testkit.Simulation;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One random program on a store with small pages, and a sorted map that does the same; after each step both must agree.
 * Sessions and clients take turns: a turn ends when all is applied and the pools of the others are out of date.
 */
final class OracleRun {
    private static final Duration TTL = Duration.ofSeconds(1);

    private final SplittableRandom random;

    /** Whether there are so many records that the tree gets three levels, or four. */
    /** ATOMIC most of all. Not BASIC, whose sessions do not read what they wrote. */
    static final List<ConsistencyLevel> LEVELS = List.of(
            ConsistencyLevel.ATOMIC, ConsistencyLevel.ATOMIC, ConsistencyLevel.MONOTONIC, ConsistencyLevel.NAIVE);

    private final boolean deep;

    private final OracleKeys keys;
    private final Simulation simulation;
    private final SimulatedCloud cloud;
    private final ConsistencyLevel level;
    private final Layout layout;
    private final int pageBytes;
    private final long poolBytes;
    private final Compression compression;
    private final List<Client> clients = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private NavigableMap<Bytes, Bytes> oracle = new TreeMap<>(OracleKeys.ORDER);
    private Client client;
    private Supplier<Transaction> begin;
    private int height;
    private long compressed;

    OracleRun(long seed) {
        this(seed, Compression.NONE);
    }

    /** @param compression of the collection, which changes nothing else */
    OracleRun(long seed, Compression compression) {
        this.compression = compression;
        random = new SplittableRandom(seed);
        deep = random.nextInt(10) == 0;
        keys = new OracleKeys(random, deep);
        simulation = new Simulation(seed);
        cloud = new SimulatedCloud(simulation, Profile.INSTANT, World.CALM);
        level = LEVELS.get(random.nextInt(LEVELS.size()));
        layout = random.nextInt(4) == 0 ? Layout.perLeaf() : Layout.partitioned(1 + random.nextInt(3));
        pageBytes = 512 << random.nextInt(2);
        poolBytes = (64 << 10) << random.nextInt(8);
    }

    private record Client(
            SimulatedClient machine,
            Penstock store,
            RecordCollection<Bytes, Bytes> records,
            Index<Bytes, Bytes, Bytes> index) {}

    /** The entry of an index for a record. */
    private record IndexEntry(Bytes searchKey, Bytes key, Bytes payload) {
        static final Comparator<IndexEntry> ORDER = Comparator.comparing(IndexEntry::searchKey, OracleKeys.ORDER)
                .thenComparing(IndexEntry::key, OracleKeys.ORDER);
    }

    /** The steps of the run, for reports of failures. */
    List<String> story() {
        return story;
    }

    /** The number of compressed pages in the end. */
    long compressed() {
        return compressed;
    }

    private long compressedPages() {
        ObjectStore objects = cloud.objects(client.machine);
        return ObjectStores.listAll(objects, "penstock/pages/").stream()
                .map(entry -> objects.get(entry.key()).orElseThrow().body())
                .flatMap(body -> StoredPage.describe(body).stream())
                .filter(stored -> stored.compression() != Compression.NONE)
                .count();
    }

    /** The number of levels of the records' tree in the end. */
    int height() {
        return height;
    }

    void run() {
        simulation.run(() -> {
            story.add(level + " " + layout + " pageBytes=" + pageBytes + " poolBytes=" + poolBytes);
            turnTo(open("0"));
            fill();
            int steps = 2 + random.nextInt(16);
            for (int i = 0; i < steps; i++) {
                step();
            }
            finish();
            return true;
        });
    }

    private Client open(String name) {
        SimulatedClient machine = simulation.client(name);
        Penstock store = Penstock.open(Settings.on(cloud.objects(machine), cloud.queues(machine), machine)
                .advanced(advanced -> advanced.sweeping(false))
                .pageBytes(pageBytes)
                .poolBytes(poolBytes)
                .level(level)
                .advanced(advanced -> advanced.layout(layout))
                .ttl(TTL)
                // One without a registry behind it: making meters would take a quarter of the time.
                .meters(new CompositeMeterRegistry()));
        RecordCollection<Bytes, Bytes> records =
                store.collection("r", Keys.bytes(), PayloadCodec.bytes()).compressed(compression);
        Client opened = new Client(machine, store, records, records.index("i", Keys.bytes(), OracleKeys::searchKey));
        clients.add(opened);
        return opened;
    }

    private void turnTo(Client next) {
        client = next;
        begin = random.nextBoolean() ? client.store::begin : client.store.newSession()::begin;
    }

    private void fill() {
        int batches = deep ? 3 : random.nextInt(2);
        for (int i = 0; i < batches; i++) {
            int puts = deep ? 150 : 1 + random.nextInt(60);
            story.add("fill " + puts);
            try (Transaction tx = begin.get()) {
                for (int j = 0; j < puts; j++) {
                    put(tx, oracle, keys.key(), keys.payload());
                }
                tx.commit();
            }
        }
    }

    private void step() {
        switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4 -> write();
            case 5, 6, 7 -> transaction();
            case 8 -> deleteRange();
            case 9 -> nextTurn();
            case 10 -> rest();
            case 11, 12 -> paged();
            case 13, 14 -> pagedIndex();
            default -> read();
        }
    }

    private void write() {
        try (Transaction tx = begin.get()) {
            change(tx, oracle);
            tx.commit();
        }
    }

    private void change(Transaction tx, NavigableMap<Bytes, Bytes> expected) {
        Bytes key = keys.key();
        if (random.nextInt(3) > 0) {
            put(tx, expected, key, keys.payload());
        } else {
            story.add("delete " + key.toHex());
            tx.delete(client.records, key);
            expected.remove(key);
        }
    }

    private void put(Transaction tx, NavigableMap<Bytes, Bytes> expected, Bytes key, Bytes payload) {
        story.add("put " + key.toHex() + " bytes=" + payload.length());
        tx.put(client.records, key, payload);
        expected.put(key, payload);
    }

    private void transaction() {
        NavigableMap<Bytes, Bytes> expected = new TreeMap<>(oracle);
        try (Transaction tx = begin.get()) {
            int steps = 1 + random.nextInt(12);
            for (int i = 0; i < steps; i++) {
                if (random.nextInt(3) > 0) {
                    change(tx, expected);
                } else {
                    read(tx, expected);
                }
            }
            if (random.nextInt(4) > 0) {
                story.add("commit");
                tx.commit();
                oracle = expected;
            } else {
                story.add("abort");
            }
        }
    }

    /** Deletes through the collection, and so by the client's own session, whose turn it is from then on. */
    private void deleteRange() {
        handOver();
        begin = client.store::begin;
        KeySpan<Bytes> span = span(keys::bound);
        List<Bytes> dead = expected(oracle, span).stream().map(Entry::key).toList();
        story.add("deleteRange " + span + " records=" + dead.size());
        assertThat(client.records.deleteRange(span)).isEqualTo(dead.size());
        dead.forEach(oracle::remove);
    }

    private void nextTurn() {
        handOver();
        switch (random.nextInt(4)) {
            case 0 -> turnTo(open(String.valueOf(clients.size())));
            case 1 -> turnTo(client);
            default -> turnTo(clients.get(random.nextInt(clients.size())));
        }
    }

    /** Ends a turn: everything is applied, and other clients' pooled pages are too old to be used. */
    private void handOver() {
        story.add("hand over");
        Client from = client;
        from.store.admin().checkpoint();
        for (int i = 0; i < 100 && from.store.admin().backlog().total() > 0; i++) {
            from.machine.sleep(Duration.ofSeconds(2));
            from.store.admin().checkpoint();
        }
        assertThat(from.store.admin().backlog().total()).isZero();
        from.machine.sleep(TTL.plusMillis(1));
    }

    private void rest() {
        story.add("rest");
        if (random.nextBoolean()) {
            client.store.admin().checkpoint();
        }
        if (random.nextInt(4) == 0) {
            story.add("compact");
            client.store.admin().compact();
        }
        client.machine.sleep(Duration.ofMillis(random.nextInt(15_000)));
    }

    private void read() {
        try (Transaction tx = begin.get()) {
            read(tx, oracle);
        }
    }

    private void read(Transaction tx, NavigableMap<Bytes, Bytes> expected) {
        switch (random.nextInt(5)) {
            case 0 -> get(tx, expected);
            case 1 -> getAll(tx, expected);
            case 2 -> {
                KeySpan<Bytes> span = searchSpan();
                story.add("index scan " + span);
                try (Scan<Entry<Bytes, Bytes>> scan = tx.scan(client.index, span)) {
                    assertThat(scan.stream().toList()).isEqualTo(records(expectedInIndex(expected, span, null)));
                }
            }
            default -> {
                KeySpan<Bytes> span = limited(span(keys::bound));
                story.add("scan " + span);
                try (Scan<Entry<Bytes, Bytes>> scan = tx.scan(client.records, span)) {
                    assertThat(scan.stream().toList()).isEqualTo(expected(expected, span));
                }
            }
        }
    }

    private void get(Transaction tx, NavigableMap<Bytes, Bytes> expected) {
        Bytes key = keys.key();
        story.add("get " + key.toHex());
        Optional<Bytes> wanted = Optional.ofNullable(expected.get(key));
        assertThat(tx.get(client.records, key)).isEqualTo(wanted);
    }

    private void getAll(Transaction tx, NavigableMap<Bytes, Bytes> expected) {
        List<Bytes> wanted = new ArrayList<>();
        Map<Bytes, Bytes> found = new LinkedHashMap<>();
        for (int i = random.nextInt(20); i > 0; i--) {
            Bytes key = keys.key();
            wanted.add(key);
            Optional.ofNullable(expected.get(key)).ifPresent(payload -> found.put(key, payload));
        }
        story.add("get all " + wanted);
        assertThat(List.copyOf(tx.getAll(client.records, wanted).entrySet())).isEqualTo(List.copyOf(found.entrySet()));
    }

    /** Reads page by page, by tokens, sometimes with a change in between. */
    private void paged() {
        KeySpan<Bytes> span = span(keys::bound);
        int limit = 1 + random.nextInt(20);
        story.add("pages of " + limit + " " + span);
        Optional<String> token = Optional.empty();
        Bytes last = null;
        boolean more = true;
        while (more) {
            Bytes behind = last;
            List<Entry<Bytes, Bytes>> page = expected(oracle, span).stream()
                    .filter(entry -> isBehind(span, OracleKeys.ORDER, entry.key(), behind))
                    .limit(limit)
                    .toList();
            try (Transaction tx = begin.get();
                    Scan<Entry<Bytes, Bytes>> scan = tx.scan(
                            client.records, token.map(span::after).orElse(span).limit(limit))) {
                assertThat(scan.stream().toList()).isEqualTo(page);
                token = scan.token();
            }
            more = !page.isEmpty();
            last = more ? page.getLast().key() : last;
            changeSometimes();
        }
    }

    private void pagedIndex() {
        KeySpan<Bytes> span = span(keys::searchKey);
        int limit = 1 + random.nextInt(20);
        story.add("index pages of " + limit + " " + span);
        Optional<String> token = Optional.empty();
        IndexEntry last = null;
        boolean more = true;
        while (more) {
            List<IndexEntry> page = expectedInIndex(oracle, span.limit(limit), last);
            try (Transaction tx = begin.get();
                    Scan<Entry<Bytes, Bytes>> scan = tx.scan(
                            client.index, token.map(span::after).orElse(span).limit(limit))) {
                assertThat(scan.stream().toList()).isEqualTo(records(page));
                token = scan.token();
            }
            more = !page.isEmpty();
            last = more ? page.getLast() : last;
            changeSometimes();
        }
    }

    private void changeSometimes() {
        if (random.nextInt(4) == 0) {
            write();
        }
    }

    private static <T> boolean isBehind(KeySpan<?> span, Comparator<T> order, T one, T last) {
        return last == null || (span.descending() ? order.compare(one, last) < 0 : order.compare(one, last) > 0);
    }

    private KeySpan<Bytes> span(Supplier<Bytes> bound) {
        KeySpan<Bytes> span = switch (random.nextInt(5)) {
            case 0 -> KeySpan.all();
            case 1 -> KeySpan.from(bound.get());
            case 2 -> KeySpan.startingWith(bound.get());
            default -> KeySpan.between(bound.get(), bound.get());
        };
        return random.nextBoolean() ? span.reversed() : span;
    }

    private KeySpan<Bytes> limited(KeySpan<Bytes> span) {
        return random.nextBoolean() ? span.limit(1 + random.nextInt(50)) : span;
    }

    private KeySpan<Bytes> searchSpan() {
        return limited(span(keys::searchKey));
    }

    private static boolean covers(KeySpan<Bytes> span, Bytes key) {
        Bytes from = span.from();
        Bytes to = span.to();
        if (from != null && span.prefixed()) {
            int length = from.length();
            return key.length() >= length && OracleKeys.ORDER.compare(key.slice(0, length), from) == 0;
        }
        return (from == null || OracleKeys.ORDER.compare(key, from) >= 0)
                && (to == null || OracleKeys.ORDER.compare(key, to) < 0);
    }

    private static long most(KeySpan<?> span) {
        return span.limit() == 0 ? Long.MAX_VALUE : span.limit();
    }

    private static List<Entry<Bytes, Bytes>> expected(NavigableMap<Bytes, Bytes> records, KeySpan<Bytes> span) {
        return (span.descending() ? records.descendingMap() : records)
                .entrySet().stream()
                        .filter(entry -> covers(span, entry.getKey()))
                        .limit(most(span))
                        .map(entry -> new Entry<>(entry.getKey(), entry.getValue()))
                        .toList();
    }

    /** @param last the entry behind which to begin, or null */
    private static List<IndexEntry> expectedInIndex(
            NavigableMap<Bytes, Bytes> records, KeySpan<Bytes> span, IndexEntry last) {
        List<IndexEntry> entries = new ArrayList<>();
        records.forEach((key, payload) -> {
            Bytes searchKey = OracleKeys.searchKey(payload);
            if (searchKey != null && covers(span, searchKey)) {
                entries.add(new IndexEntry(searchKey, key, payload));
            }
        });
        entries.sort(span.descending() ? IndexEntry.ORDER.reversed() : IndexEntry.ORDER);
        return entries.stream()
                .filter(entry -> isBehind(span, IndexEntry.ORDER, entry, last))
                .limit(most(span))
                .toList();
    }

    private static List<Entry<Bytes, Bytes>> records(List<IndexEntry> entries) {
        return entries.stream()
                .map(entry -> new Entry<>(entry.key, entry.payload))
                .toList();
    }

    /** Lets a new client read everything, and checks trees and index. */
    private void finish() {
        handOver();
        turnTo(open("last"));
        story.add("finish");
        try (Transaction tx = begin.get();
                Scan<Entry<Bytes, Bytes>> all = tx.scan(client.records, KeySpan.all());
                Scan<Entry<Bytes, Bytes>> indexed = tx.scan(client.index, KeySpan.all())) {
            assertThat(all.stream().toList()).isEqualTo(expected(oracle, KeySpan.all()));
            assertThat(indexed.stream().toList()).isEqualTo(records(expectedInIndex(oracle, KeySpan.all(), null)));
        }
        assertThat(StoreProbe.faults(client.store)).isEmpty();
        IndexReport report = client.store.admin().check(client.index);
        assertThat(report.records()).isEqualTo(oracle.size());
        assertThat(List.of(report.missing(), report.leftOver(), report.pending()))
                .containsOnly(0L);
        StoreStats.Tree records = client.store.admin().inspect().stats().trees().getFirst();
        height = records.height();
        compressed = compressedPages();
        for (Client each : clients) {
            each.store.close();
        }
    }
}
