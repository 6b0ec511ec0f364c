package io.penstock.bench.kills;

import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.Json;
import io.penstock.KeySpan;
import io.penstock.Keys;
import io.penstock.Keys.Pair;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.Transaction;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Lists of numbers in one open store, each kept in one of five {@link Way}s. Two transactions that append to one state
 * of a list write the same key.
 *
 * @param byKey one record for each list
 * @param moved one record for each list, whose key tells the length: each append moves it
 * @param byList of {@code moved}
 * @param elements one record for each number, by list and position
 * @param large one record for each list, which never fits a page
 * @param parts several records for each list, which take turns to get a number
 */
record ListStore(
        RecordCollection<Long, Kept> byKey,
        RecordCollection<Pair<Long, Long>, Kept> moved,
        Index<Long, Pair<Long, Long>, Kept> byList,
        RecordCollection<Pair<Long, Long>, Long> elements,
        RecordCollection<Long, Kept> large,
        RecordCollection<Pair<Long, Long>, Kept> parts) {
    /** Few, so that transactions conflict all the time: two for each way. */
    static final int LISTS = 10;

    /** A number in what was read if it cannot be put together to a list. No list ever has it. */
    static final long TORN = -1;

    private static final long PARTS = 3;

    /** The pages of all but {@code elements}: a payload of a quarter of it is not kept there. */
    private static final int PAGE_BYTES = 64 << 10;

    private static final String PADDING = "p".repeat(PAGE_BYTES / 2);

    /** The ways in which a list can be kept. */
    private enum Way {
        KEY,
        INDEX,
        RANGE,
        LARGE,
        GET_ALL;

        static Way of(long list) {
            return values()[(int) list % values().length];
        }
    }

    /** A payload: all or some of the numbers of a list. */
    record Kept(long list, List<Long> numbers, String padding) {}

    /** Declares all collections; the first call creates them. */
    static ListStore open(Penstock store) {
        RecordCollection<Pair<Long, Long>, Kept> moved =
                store.collection("moved", Keys.pair(Keys.longs(), Keys.longs()), Json.of(Kept.class));
        return new ListStore(
                store.collection("by-key", Keys.longs(), Json.of(Kept.class)),
                moved,
                moved.index("by-list", Keys.longs(), Kept::list),
                store.collection("elements", Keys.pair(Keys.longs(), Keys.longs()), Json.of(Long.class)),
                store.collection("large", Keys.longs(), Json.of(Kept.class)),
                store.collection("parts", Keys.pair(Keys.longs(), Keys.longs()), Json.of(Kept.class)));
    }

    /** Creates all collections, with their page sizes. */
    static void make(KillPlace place, Tasks tasks) {
        place.use(tasks, settings -> settings.pageBytes(PAGE_BYTES), store -> {
            ListStore made = open(store);
            made.byKey.get(0L);
            made.moved.get(new Pair<>(0L, 0L));
            made.large.get(0L);
            made.parts.get(new Pair<>(0L, 0L));
        });
        place.use(tasks, settings -> settings, store -> open(store).elements.get(new Pair<>(0L, 0L)));
    }

    List<Long> read(Transaction tx, long list) {
        return switch (Way.of(list)) {
            case KEY -> numbers(tx.get(byKey, list));
            case INDEX -> readIndexed(tx, list);
            case RANGE -> readElements(tx, list);
            case LARGE -> numbers(tx.get(large, list));
            case GET_ALL -> readParts(tx, list);
        };
    }

    /** @param before the list as the transaction has read it */
    void append(Transaction tx, long list, List<Long> before, long number) {
        long size = before.size();
        List<Long> after = new ArrayList<>(before);
        after.add(number);
        switch (Way.of(list)) {
            case KEY -> tx.put(byKey, list, new Kept(list, after, ""));
            case INDEX -> {
                if (size > 0) {
                    tx.delete(moved, new Pair<>(list, size));
                }
                tx.put(moved, new Pair<>(list, size + 1), new Kept(list, after, ""));
            }
            case RANGE -> tx.put(elements, new Pair<>(list, size), number);
            case LARGE -> tx.put(large, list, new Kept(list, after, PADDING));
            case GET_ALL -> {
                List<Long> part = new ArrayList<>();
                for (long at = size % PARTS; at <= size; at += PARTS) {
                    part.add(after.get((int) at));
                }
                tx.put(parts, new Pair<>(list, size % PARTS), new Kept(list, part, ""));
            }
        }
    }

    private static List<Long> numbers(Optional<Kept> kept) {
        return kept.map(Kept::numbers).orElse(List.of());
    }

    private List<Long> readIndexed(Transaction tx, long list) {
        List<Long> numbers = new ArrayList<>();
        try (Scan<Entry<Pair<Long, Long>, Kept>> scan = tx.scan(byList, list)) {
            scan.forEachRemaining(entry -> {
                boolean whole = numbers.isEmpty()
                        && entry.key().second() == entry.value().numbers().size();
                numbers.addAll(whole ? entry.value().numbers() : List.of(TORN));
            });
        }
        return numbers;
    }

    private List<Long> readElements(Transaction tx, long list) {
        List<Long> numbers = new ArrayList<>();
        KeySpan<Pair<Long, Long>> span = KeySpan.between(new Pair<>(list, 0L), new Pair<>(list + 1, 0L));
        try (Scan<Entry<Pair<Long, Long>, Long>> scan = tx.scan(elements, span)) {
            scan.forEachRemaining(
                    entry -> numbers.add(entry.key().second() == numbers.size() ? (long) entry.value() : TORN));
        }
        return numbers;
    }

    private List<Long> readParts(Transaction tx, long list) {
        Map<Pair<Long, Long>, Kept> found = tx.getAll(
                parts,
                LongStream.range(0, PARTS)
                        .mapToObj(part -> new Pair<>(list, part))
                        .toList());
        Map<Long, List<Long>> rest = new HashMap<>();
        found.forEach((key, kept) -> rest.put(key.second(), kept.numbers()));
        int size = rest.values().stream().mapToInt(List::size).sum();
        List<Long> numbers = new ArrayList<>();
        for (int at = 0; at < size; at++) {
            List<Long> part = rest.getOrDefault(at % PARTS, List.of());
            int turn = at / (int) PARTS;
            numbers.add(turn < part.size() ? (long) part.get(turn) : TORN);
        }
        return numbers;
    }
}
