package io.penstock.commit.simulation.surface;

import static io.penstock.commit.simulation.surface.Feature.*;

import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.Scan;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.DuplicateException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.query.Field;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What steps do: each calls the store by a way, and tells the attempt what a model must know of it. */
final class Acts {
    /** The size up to which a payload stays in its record, whatever the pages. */
    private static final int SMALL_BYTES = 100;

    private static final int LIVES_MILLIS_MAX = 20_000;

    private final Drawn drawn;
    private final Handle handle;
    private final Log log;
    private final SplittableRandom random;
    private final Way way;
    private final Attempt attempt;

    Acts(Drawn drawn, Handle handle, Log log, SplittableRandom random, Way way, Attempt attempt) {
        this.drawn = drawn;
        this.handle = handle;
        this.log = log;
        this.random = random;
        this.way = way;
        this.attempt = attempt;
    }

    private String collection() {
        return random.nextInt(3) == 0 ? "b" : "a";
    }

    private String key() {
        return key(random.nextInt(drawn.keys()));
    }

    static String key(int number) {
        return (number < 10 ? "k0" : "k") + number;
    }

    private long now() {
        return handle.machine.nanoTime();
    }

    private boolean isOutside() {
        return attempt.context.startsWith("OUTSIDE");
    }

    private void look(String what, Object seen, Attempt.Answer of) {
        attempt.look(what, seen, Map.of(), now(), of);
    }

    /** A look at one record. */
    private void lookAt(String how, String record, Optional<String> seen) {
        attempt.look(
                how + " " + record, seen, Map.of(record, seen), now(), state -> Optional.ofNullable(state.get(record)));
    }

    // ---- Reads

    void get() {
        String name = collection();
        String key = key();
        Optional<String> seen = way.get(handle.records(name), key);
        lookAt("get", name + "/" + key, seen);
    }

    void getAll() {
        String name = collection();
        List<String> keys = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            keys.add(key());
        }
        Map<String, String> seen = new TreeMap<>(way.getAll(handle.records(name), keys));
        Map<String, Optional<String>> records = new TreeMap<>();
        keys.forEach(key -> records.put(name + "/" + key, Optional.ofNullable(seen.get(key))));
        attempt.look("get all " + name + " " + keys, seen, records, now(), state -> {
            Map<String, String> found = new TreeMap<>();
            for (String key : new TreeSet<>(keys)) {
                String value = state.get(name + "/" + key);
                if (value != null) {
                    found.put(key, value);
                }
            }
            return found;
        });
    }

    void open() {
        String name = collection();
        String key = key();
        Optional<String> seen = way.open(handle.records(name), key)
                .map(Acts::bytes)
                .map(bytes -> Masters.codec(drawn, name).decode(bytes));
        lookAt("open", name + "/" + key, seen);
    }

    /** A part of a payload; outside of transactions the first bytes, which every payload has. */
    void openPart() {
        String name = plainCollection();
        String key = key();
        int offset = random.nextInt(4);
        int length = random.nextInt(4);
        if (way.transaction() != null) {
            OptionalLong bytes = size(name, key);
            offset = random.nextInt((int) bytes.orElse(0) + 1);
            length = random.nextInt((int) bytes.orElse(0) + 1 - offset);
        }
        int from = offset;
        int to = offset + length;
        Optional<String> seen =
                way.open(handle.records(name), key, from, length).map(Acts::text);
        look(
                "open " + from + " to " + to + " of " + name + "/" + key,
                seen,
                state -> Optional.ofNullable(state.get(name + "/" + key)).map(value -> value.substring(from, to)));
    }

    void size() {
        OptionalLong unused = size(plainCollection(), key());
    }

    private OptionalLong size(String name, String key) {
        OptionalLong seen = way.payloadBytes(handle.records(name), key);
        look("size of " + name + "/" + key, seen, state -> {
            String value = state.get(name + "/" + key);
            return value == null ? OptionalLong.empty() : OptionalLong.of(value.length());
        });
        return seen;
    }

    /** One whose payloads are the values, byte for byte. */
    private String plainCollection() {
        String name = collection();
        return drawn.has(SEALED) ? "b" : name;
    }

    private static String text(InputStream payload) {
        return bytes(payload).toUtf8();
    }

    private static Bytes bytes(InputStream payload) {
        try (payload) {
            return Bytes.wrap(payload.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Query query(String name, boolean byIndex) {
        String from = null;
        String to = null;
        int form = random.nextInt(5);
        int first = random.nextInt(byIndex ? Item.GROUPS : drawn.keys());
        if (form > 1) {
            from = byIndex ? "g" + first : key(first);
        }
        if (form == 3) {
            int last = first + 1 + random.nextInt(byIndex ? 2 : drawn.keys());
            to = byIndex ? "g" + last : key(last);
        }
        boolean prefixed = form == 4;
        if (prefixed && !byIndex) {
            from = "k" + random.nextInt(3);
        }
        boolean reversed = drawn.has(BACKWARDS) && random.nextBoolean();
        int most = drawn.has(LIMITS) && random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 0;
        if (to != null && !byIndex && from != null && to.compareTo(from) <= 0) {
            to = null;
        }
        return new Query(name, byIndex, from, to, prefixed, reversed, null, most);
    }

    void scan() {
        String name = collection();
        Query query = query(name, false);
        try (Scan<Entry<String, String>> scan = toEnd(way.scan(handle.records(name), query.span(null)))) {
            saw("scan", query, rest(query, scan));
        }
    }

    private <T> Scan<T> toEnd(Scan<T> scan) {
        log.calls.called("Scan.close()");
        if (random.nextInt(4) > 0) {
            return scan;
        }
        log.calls.called("Scan.toEnd()");
        return scan.toEnd();
    }

    /** The rows that are left. */
    private List<Map.Entry<String, String>> rest(Query query, Scan<Entry<String, String>> scan) {
        List<Map.Entry<String, String>> rows = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            log.calls.called("Scan.stream()");
            scan.stream().forEach(entry -> rows.add(row(query, entry)));
        } else {
            scan.forEachRemaining(entry -> rows.add(row(query, entry)));
        }
        return rows;
    }

    private static Map.Entry<String, String> row(Query query, Entry<String, String> entry) {
        String place = query.byIndex() ? Item.group(entry.value()) + "|" + entry.key() : entry.key();
        return Map.entry(place, entry.value());
    }

    private void saw(String how, Query query, List<Map.Entry<String, String>> rows) {
        saw(attempt.moment(), how, query, rows);
    }

    private void saw(Attempt.Moment begun, String how, Query query, List<Map.Entry<String, String>> rows) {
        Map<String, Optional<String>> records = new TreeMap<>();
        for (int i = 0; i < drawn.keys() && !query.byIndex() && query.most() == 0; i++) {
            if (query.place(key(i), "") != null) {
                records.put(query.collection() + "/" + key(i), Optional.empty());
            }
        }
        for (Map.Entry<String, String> row : rows) {
            String key = row.getKey().substring(row.getKey().indexOf('|') + 1);
            records.put(query.collection() + "/" + key, Optional.of(row.getValue()));
        }
        attempt.look(begun, how + " " + query, rows, records, now(), query::rows);
    }

    private Scan<Entry<String, String>> begin(Query query, @Nullable String token) {
        Index<String, String, String> index = handle.byGroup;
        return query.byIndex() && index != null
                ? way.scan(index, query.span(token))
                : way.scan(handle.records(query.collection()), query.span(token));
    }

    /** By an index or not. */
    private Query anyQuery() {
        boolean byIndex = drawn.has(BY_INDEX) && handle.byGroup != null && random.nextBoolean();
        return query(byIndex ? "a" : collection(), byIndex);
    }

    /** Takes some rows, perhaps looks elsewhere, and takes some more or none. */
    void scanPartly() {
        Query query = anyQuery();
        int wanted = 1 + random.nextInt(12);
        boolean pauses = random.nextBoolean();
        try (Scan<Entry<String, String>> scan = begin(query, null)) {
            List<Map.Entry<String, String>> rows = new ArrayList<>();
            while (rows.size() < wanted && scan.hasNext()) {
                rows.add(row(query, scan.next()));
                if (pauses && random.nextInt(3) == 0) {
                    pauses = false;
                    handle.machine.sleep(Duration.ofMillis(random.nextInt(3_000)));
                    if (way.transaction() != null) {
                        get();
                    }
                }
            }
            int most = query.most() > 0 ? Math.min(query.most(), wanted) : wanted;
            saw("scan of some of", query.first(most), rows);
        }
    }

    /** Writes between rows of a scan, which has begun before and goes on as if nothing were written. */
    void writeMeanwhile() {
        if (isOutside()) {
            put(); // each write is a transaction of its own
        } else if (drawn.has(QUERIES) && random.nextInt(3) == 0) {
            findMeanwhile();
        } else {
            Query query = anyQuery();
            Attempt.Moment begun = attempt.moment();
            List<Map.Entry<String, String>> rows = new ArrayList<>();
            try (Scan<Entry<String, String>> scan = begin(query, null)) {
                while (scan.hasNext()) {
                    rows.add(row(query, scan.next()));
                    meanwhile();
                }
            }
            saw(begun, "scan beside writes", query, rows);
        }
    }

    private void findMeanwhile() {
        Wanted wanted = Wanted.draw(collection(), drawn.keys(), random);
        Attempt.Moment begun = attempt.moment();
        Map<String, String> seen = new TreeMap<>();
        try (Scan<Entry<String, String>> scan =
                way.find(handle.records(wanted.model().collection()), wanted.condition())) {
            while (scan.hasNext()) {
                Entry<String, String> entry = scan.next();
                String twice = seen.put(entry.key(), entry.value());
                if (twice != null) {
                    seen.put(entry.key(), entry.value() + " beside " + twice);
                }
                meanwhile();
            }
        }
        attempt.look(begun, "find beside writes " + wanted, seen, Map.of(), now(), wanted.model()::records);
    }

    /** Writes, mostly, or waits, so that others commit. */
    private void meanwhile() {
        switch (random.nextInt(8)) {
            case 0, 1 -> put();
            case 2 -> delete();
            case 3 -> handle.machine.sleep(Duration.ofMillis(random.nextInt(1_500)));
            default -> {} // goes on with the scan
        }
    }

    void scanByPage() {
        Query query = anyQuery().first(1 + random.nextInt(5));
        Optional<String> token = Optional.empty();
        int pages = way.transaction() == null ? 1 : 1 + random.nextInt(3);
        for (int i = 0; i < pages; i++) {
            List<Map.Entry<String, String>> rows = new ArrayList<>();
            try (Scan<Entry<String, String>> scan = begin(query, token.orElse(null))) {
                if (random.nextBoolean()) {
                    log.calls.called("Scan.page()");
                    Scan.Page<Entry<String, String>> page = scan.page();
                    for (Entry<String, String> entry : page.records()) {
                        rows.add(row(query, entry));
                    }
                    token = page.next();
                } else {
                    Query each = query;
                    scan.forEachRemaining(entry -> rows.add(row(each, entry)));
                    log.calls.called("Scan.token()");
                    token = scan.token();
                }
            } catch (InvalidRequestException refused) {
                if (token.isPresent() && query.byIndex() && refused.code() == ErrorCode.INVALID_TOKEN) {
                    return; // the index was dropped and built again since the page before
                }
                throw refused;
            }
            saw("page of", query, rows);
            if (rows.isEmpty() || token.isEmpty()) {
                return;
            }
            query = query.behind(rows.getLast().getKey());
        }
    }

    void scanIndex() {
        Query query = query("a", true);
        try (Scan<Entry<String, String>> scan = toEnd(begin(query, null))) {
            saw("scan", query, rest(query, scan));
        }
    }

    private static Query ofGroup(String group) {
        return new Query("a", true, group, group + "!", false, false, null, 0);
    }

    void scanSearchKey() {
        Query query = ofGroup("g" + random.nextInt(Item.GROUPS));
        Index<String, String, String> index = Objects.requireNonNull(handle.byGroup);
        try (Scan<Entry<String, String>> scan = way.scan(index, Objects.requireNonNull(query.from()))) {
            saw("scan", query, rest(query, scan));
        }
    }

    void scanCovering() {
        boolean one = random.nextBoolean();
        Query query = one ? ofGroup("g" + random.nextInt(Item.GROUPS)) : query("a", true);
        var covering = Objects.requireNonNull(handle.covering);
        List<String> rows = new ArrayList<>();
        try (Scan<Entry<String, String>> scan =
                one ? way.scan(covering, Objects.requireNonNull(query.from())) : way.scan(covering, query.span(null))) {
            scan.forEachRemaining(row -> rows.add(row.key() + "=" + row.value()));
        }
        look(
                "rows of " + query,
                rows,
                state -> query.rows(state).stream()
                        .map(row ->
                                row.getKey().substring(row.getKey().indexOf('|') + 1) + "=" + Item.id(row.getValue()))
                        .toList());
    }

    /** The records that fulfil a condition, by key; the order is the plan's. */
    void find() {
        Wanted wanted = Wanted.draw(collection(), drawn.keys(), random);
        Map<String, String> seen = new TreeMap<>();
        try (Scan<Entry<String, String>> scan =
                toEnd(way.find(handle.records(wanted.model().collection()), wanted.condition()))) {
            scan.forEachRemaining(entry -> seen.put(entry.key(), entry.value()));
        }
        Map<String, Optional<String>> records = new TreeMap<>();
        seen.forEach((key, value) -> records.put(wanted.model().collection() + "/" + key, Optional.of(value)));
        attempt.look("find " + wanted, seen, records, now(), wanted.model()::records);
    }

    void query() {
        Wanted wanted = Wanted.draw(collection(), drawn.keys(), random);
        Map<String, String> seen = new TreeMap<>();
        var query = io.penstock.query.Query.where(wanted.condition()).select(Item.KEY, Item.ID);
        try (Rows rows = way.query(handle.records(wanted.model().collection()), query)) {
            rows.forEachRemaining(row -> seen.put(String.valueOf(row.get(Item.KEY)), String.valueOf(row.get(Item.ID))));
        }
        Wanted.Model model = wanted.model();
        look("query " + wanted, seen, state -> {
            Map<String, String> ids = new TreeMap<>();
            model.records(state).forEach((key, value) -> ids.put(key, Item.id(value)));
            return ids;
        });
    }

    /** Divides a query as it would be now, and reads all parts. */
    void queryInParts() {
        Wanted wanted = Wanted.draw(collection(), drawn.keys(), random);
        Wanted.Model model = wanted.model();
        List<String> seen = new ArrayList<>();
        log.calls.called("RecordCollection.parts(Query,int)");
        var query = io.penstock.query.Query.where(wanted.condition()).select(Item.KEY, Item.ID);
        for (var part : handle.records(model.collection()).parts(query, 1 + random.nextInt(4))) {
            try (Rows rows = way.query(handle.records(model.collection()), part)) {
                rows.forEachRemaining(row -> seen.add(row.get(Item.KEY) + "=" + row.get(Item.ID)));
            }
        }
        seen.sort(null);
        look("parts of " + wanted, seen, state -> {
            List<String> ids = new ArrayList<>();
            model.records(state).forEach((key, value) -> ids.add(key + "=" + Item.id(value)));
            ids.sort(null);
            return ids;
        });
    }

    void countRecords() {
        Wanted wanted = Wanted.draw(collection(), drawn.keys(), random);
        Wanted.Model model = wanted.model();
        try (Rows rows = way.query(
                handle.records(model.collection()),
                io.penstock.query.Query.where(wanted.condition()).count())) {
            look("count " + wanted, rows.next().get(io.penstock.query.Query.COUNT), state ->
                    (long) model.records(state).size());
        }
    }

    /** The first values of a field, of which several records may have one. */
    void top() {
        Wanted wanted = Wanted.draw(collection(), drawn.keys(), random);
        Wanted.Model model = wanted.model();
        Field<String> field = random.nextInt(3) == 0 ? Item.KEY : random.nextBoolean() ? Item.GROUP : Item.ID;
        String by = field.name();
        boolean descending = random.nextBoolean();
        int most = 1 + random.nextInt(6);
        var all = io.penstock.query.Query.where(wanted.condition()).select(field);
        List<String> seen = new ArrayList<>();
        try (Rows rows = way.query(
                handle.records(model.collection()),
                (descending ? all.orderByDescending(field) : all.orderBy(field)).limit(most))) {
            rows.forEachRemaining(row -> seen.add(String.valueOf(row.get(field))));
        }
        look(
                "top " + most + " " + wanted + " by " + by + (descending ? " backwards" : ""),
                seen,
                state -> model.first(state, by, descending, most));
    }

    /** As bytes, by a view that declares nothing. */
    void getBytes() {
        String name = collection();
        String key = key();
        log.calls.called("Penstock.rawCollection(String)");
        RecordCollection<Bytes, Bytes> records = handle.store.rawCollection(name);
        Optional<String> seen = way.getBytes(records, Bytes.utf8(key))
                .map(bytes -> Masters.codec(drawn, name).decode(bytes));
        lookAt("get as bytes", name + "/" + key, seen);
    }

    void count() {
        String key = "c" + random.nextInt(2);
        Optional<String> seen = way.count(handle.n, key).map(String::valueOf);
        lookAt("get", "n/" + key, seen);
    }

    // ---- Writes

    private String value(String name, long expiryMillis) {
        boolean large = drawn.has(LARGE) && random.nextInt(3) == 0;
        int padding = large ? drawn.pageBytes() / 3 + random.nextInt(400) : random.nextInt(40);
        String unique = drawn.has(UNIQUE) && name.equals("a") && random.nextInt(3) == 0 ? "u" + random.nextInt(12) : "";
        return Item.of(log.drawId(), random.nextInt(Item.GROUPS), unique, expiryMillis, padding);
    }

    /** A search key that is taken is an answer too. */
    private void place(String name, String key, String value, Runnable put) {
        try {
            put.run();
        } catch (DuplicateException taken) {
            String unique = Item.unique(value);
            if (!drawn.has(INDEX_ADDED)) { // while it is built, entries that are left over may count
                look("duplicate " + unique + " for a/" + key, true, state -> isTaken(state, key, unique));
            }
            if (way.transaction() == null) {
                throw taken;
            }
            return;
        }
        attempt.put(name + "/" + key, value);
    }

    static boolean isTaken(TreeMap<String, String> state, String key, @Nullable String unique) {
        return state.entrySet().stream()
                .anyMatch(entry -> entry.getKey().startsWith("a/")
                        && !entry.getKey().equals("a/" + key)
                        && unique != null
                        && unique.equals(Item.unique(entry.getValue())));
    }

    void put() {
        String name = collection();
        String key = key();
        String value = value(name, 0);
        place(
                name,
                key,
                value,
                () -> blindly(Item.unique(value) != null, () -> way.put(handle.records(name), key, value)));
    }

    /**
     * Writes over what may be of a key that is lacking, which hinders nobody.
     *
     * @param unique what is written has a unique search key: another record may be read to see whether it has that key
     */
    private void blindly(boolean unique, Runnable write) {
        try {
            write.run();
        } catch (InvalidRequestException refused) {
            if (refused.code() == ErrorCode.NO_KEY && !unique) {
                throw new IllegalStateException("a blind write needs no key", refused);
            }
            throw refused;
        }
    }

    /** Puts what was read, changed. */
    void putAgain() {
        String name = collection();
        String key = key();
        if (way.transaction() != null) {
            Optional<String> seen = way.get(handle.records(name), key);
            lookAt("get", name + "/" + key, seen);
        }
        String value = value(name, 0);
        place(name, key, value, () -> way.put(handle.records(name), key, value));
    }

    void putForAWhile() {
        if (isOutside()) {
            put(); // it would try again by itself after a conflict, and the value would tell another time
            return;
        }
        String name = collection();
        String key = key();
        Duration lives = Duration.ofMillis(1 + random.nextInt(LIVES_MILLIS_MAX));
        long now = handle.machine.nowMillis();
        long expiry = drawn.has(Feature.SKEW) ? Judge.whole(now + lives.toMillis()) : now + lives.toMillis();
        String value = value(name, expiry);
        place(name, key, value, () -> way.put(handle.records(name), key, value, Duration.ofMillis(expiry - now)));
    }

    void putStream() {
        String key = key();
        String value = value("b", 0);
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        way.putStream(handle.b, key, new ByteArrayInputStream(bytes));
        attempt.put("b/" + key, value);
    }

    /** Appends to what it has seen, which a transaction of its own would not tell. */
    void append() {
        String key = key();
        if (isOutside()) {
            putStream();
            return;
        }
        Optional<String> seen = way.open(handle.b, key).map(Acts::text);
        lookAt("open", "b/" + key, seen);
        int padding = random.nextInt(drawn.has(LARGE) && random.nextBoolean() ? drawn.pageBytes() / 2 : 20);
        String more = "+" + log.drawId() + "~".repeat(padding);
        if (seen.isPresent() && (drawn.has(LARGE) || seen.get().length() + more.length() < SMALL_BYTES)) {
            way.append(handle.b, key, Bytes.utf8(more));
            attempt.put("b/" + key, seen.get() + more);
        }
    }

    void delete() {
        String name = collection();
        String key = key();
        blindly(false, () -> way.delete(handle.records(name), key));
        attempt.delete(name + "/" + key);
    }

    /** Neighbours, as one leaf has them. */
    void deleteSome() {
        String name = collection();
        int first = random.nextInt(drawn.keys());
        int many = way.transaction() == null ? 1 : 1 + random.nextInt(5);
        for (int i = first; i < Math.min(drawn.keys(), first + many); i++) {
            way.delete(handle.records(name), key(i));
            attempt.delete(name + "/" + key(i));
        }
    }

    /** The function may run again: what counts is what it saw last. */
    void update() {
        String name = collection();
        String key = key();
        String value = value(name, 0);
        boolean deletes = drawn.has(DELETES) && random.nextInt(4) == 0;
        List<Optional<String>> seen = new ArrayList<>();
        log.calls.called("RecordCollection.update(Object,Function)");
        place(
                name,
                key,
                value,
                () -> handle.records(name).update(key, before -> {
                    seen.add(before);
                    return deletes ? Optional.empty() : Optional.of(value);
                }),
                deletes,
                seen);
    }

    private void place(
            String name, String key, String value, Runnable update, boolean deletes, List<Optional<String>> seen) {
        try {
            update.run();
        } finally {
            if (!seen.isEmpty()) {
                look(
                        "update " + name + "/" + key,
                        seen.getLast(),
                        state -> Optional.ofNullable(state.get(name + "/" + key)));
            }
        }
        if (deletes) {
            attempt.delete(name + "/" + key);
        } else {
            attempt.put(name + "/" + key, value);
        }
    }

    void putIfAbsent() {
        String name = collection();
        String key = key();
        String value = value(name, 0);
        log.calls.called("RecordCollection.putIfAbsent(Object,Object)");
        boolean absent = handle.records(name).putIfAbsent(key, value);
        look("absent " + name + "/" + key, absent, state -> !state.containsKey(name + "/" + key));
        if (absent) {
            attempt.put(name + "/" + key, value);
        }
    }

    void replace() {
        String name = collection();
        String key = key();
        String value = value(name, 0);
        RecordCollection<String, String> records = handle.records(name);
        String expected = records.get(key).orElse("nothing;3;;0;");
        log.calls.called("RecordCollection.replace(Object,Object,Object)");
        boolean replaced = records.replace(key, expected, value);
        look("replace " + name + "/" + key, replaced, state -> expected.equals(state.get(name + "/" + key)));
        if (replaced) {
            attempt.put(name + "/" + key, value);
        }
    }

    void deleteRange() {
        Query query = query(collection(), false).first(0);
        KeySpan<String> span = query.span(null);
        log.calls.called("RecordCollection.deleteRange(KeySpan)");
        List<Long> deleted = new ArrayList<>();
        blindly(false, () -> deleted.add(handle.records(query.collection()).deleteRange(span)));
        look("delete the range " + query, deleted.getFirst(), state ->
                (long) query.rows(state).size());
        attempt.deleteRange(query);
    }

    /** The step is drawn so widely that no two sums are the same. */
    void increment() {
        String key = "c" + random.nextInt(2);
        long by = 1 + random.nextLong(1L << 40);
        log.calls.called("RecordCollection.increment(RecordCollection,Object,long)");
        long sum = RecordCollection.increment(handle.n, key, by);
        String before = sum == by ? null : String.valueOf(sum - by);
        lookAt("increment", "n/" + key, Optional.ofNullable(before));
        attempt.put("n/" + key, String.valueOf(sum));
    }

    /** Edits a record of a version, or makes it. */
    void edit() {
        String key = key();
        String shown = shown(key);
        String value = Item.of(log.drawId(), key, shown.isEmpty() ? 0 : Item.version(shown));
        byVersion(key, value, () -> {
            String stored = way.put(handle.e, value);
            attempt.put("e/" + key, stored);
            log.forms.put(key, stored);
        });
    }

    /** Removes a record of a version. */
    void remove() {
        String key = key();
        String shown = shown(key);
        String value = shown.isEmpty() ? Item.of("none", key, 0) : shown;
        byVersion(key, value, () -> {
            way.remove(handle.e, value);
            attempt.delete("e/" + key);
            log.forms.put(key, "");
        });
    }

    /**
     * What a form shows, which may have come from another machine, or be an edit old: a record as somebody has read or
     * written it; empty for none.
     */
    private String shown(String key) {
        String posted = log.forms.get(key);
        if (posted == null || random.nextBoolean()) {
            if (isOutside()) {
                posted = handle.e.get(key).orElse("");
            } else {
                Optional<String> seen = way.get(handle.e, key);
                lookAt("get", "e/" + key, seen);
                posted = seen.orElse("");
            }
        }
        boolean isOld = !posted.isEmpty() && Item.version(posted) > 1 && random.nextInt(4) == 0;
        return isOld ? Item.withVersion(posted, Item.version(posted) - 1) : posted;
    }

    /** Another version is an answer too, with which a body ends or goes on. */
    private void byVersion(String key, String value, Runnable write) {
        long given = Item.version(value);
        Attempt.Moment begun = attempt.moment();
        Attempt.Answer isCurrent = state -> {
            String there = state.get("e/" + key);
            return given == (there == null ? 0 : Item.version(there));
        };
        String what = "e/" + key + " is of version " + given;
        try {
            write.run();
            attempt.look(begun, what, true, Map.of(), now(), isCurrent);
        } catch (ConflictException conflict) {
            if (conflict.code() != ErrorCode.STALE_VERSION) {
                throw conflict;
            }
            look(what, false, isCurrent);
            if (isOutside() || random.nextBoolean()) {
                throw conflict;
            }
        }
    }
}
