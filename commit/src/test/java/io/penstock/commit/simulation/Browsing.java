package io.penstock.commit.simulation;

import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.Scan;
import io.penstock.Transaction;
import io.penstock.commit.simulation.promise.IndexAgrees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * What a user reads besides the keys of its workload, in some seeds: scans both ways, many keys at a time, an index,
 * a collection without a transaction. What it sees is under the promises of its session. Drawn apart from all else.
 */
final class Browsing {
    private static final String ONCE = "a scan shows each record once, in order";
    private static final int KEYS_MAX = 6;

    private final boolean isThere;
    private final SplittableRandom random;
    private final History history;
    private final BiConsumer<String, String> alarm;

    Browsing(Scenario scenario, int user, History history, BiConsumer<String, String> alarm) {
        this.isThere = new SplittableRandom(scenario.seed() * 49_979_687 + 1).nextInt(3) == 0;
        this.random = new SplittableRandom(scenario.seed() * 86_028_121 + user);
        this.history = history;
        this.alarm = alarm;
    }

    /** Looks around before a transaction writes. */
    void look(Transaction transaction, Tables tables, History.Transaction seen) {
        if (!isThere || random.nextInt(3) == 0) {
            return;
        }
        List<String> names = List.copyOf(tables.collections.keySet());
        String name = names.get(random.nextInt(names.size()));
        switch (random.nextInt(4)) {
            case 0 -> scan(transaction, tables, name, seen);
            case 1 -> getAll(transaction, tables, name, seen);
            case 2 -> getWithout(tables, name, seen);
            default -> byIndex(transaction, tables, seen);
        }
    }

    private void scan(Transaction transaction, Tables tables, String name, History.Transaction seen) {
        Set<String> known = known(name);
        boolean backwards = random.nextBoolean();
        KeySpan<Object> span = backwards ? KeySpan.all().reversed() : KeySpan.all();
        List<String> keys = new ArrayList<>();
        Map<String, String> found = new LinkedHashMap<>();
        try (Scan<Entry<String, String>> scan = transaction.scan(tables.collection(name), span)) {
            scan.forEachRemaining(entry -> {
                keys.add(name + "/" + entry.key());
                found.put(name + "/" + entry.key(), entry.value());
            });
        }
        List<String> ordered = new ArrayList<>(new TreeSet<>(keys));
        if (backwards) {
            Collections.reverse(ordered);
        }
        if (!keys.equals(ordered)) {
            alarm.accept(ONCE, keys + " of " + name);
        }
        known.addAll(keys);
        known.forEach(key -> seen.reads.add(new History.Read(key, found.get(key))));
    }

    private void getAll(Transaction transaction, Tables tables, String name, History.Transaction seen) {
        List<String> keys = some(name);
        Map<String, String> found = transaction.getAll(
                tables.collection(name), keys.stream().map(Tables::within).toList());
        keys.forEach(key -> seen.reads.add(new History.Read(key, found.get(Tables.within(key)))));
    }

    /** A read of the collection is in another session, which has no writes. */
    private void getWithout(Tables tables, String name, History.Transaction seen) {
        for (String key : some(name)) {
            String value = tables.of(key).get(Tables.within(key)).orElse(null);
            seen.otherReads.add(new History.Read(key, value));
        }
    }

    private void byIndex(Transaction transaction, Tables tables, History.Transaction seen) {
        Index<String, String, String> index = tables.index;
        if (index == null) {
            return;
        }
        boolean backwards = random.nextBoolean();
        KeySpan<Object> span = backwards ? KeySpan.all().reversed() : KeySpan.all();
        List<String> searchKeys = new ArrayList<>();
        Map<String, List<String>> values = new TreeMap<>();
        try (Scan<Entry<String, String>> scan = transaction.scan(index, span)) {
            scan.forEachRemaining(entry -> {
                String key = tables.first() + "/" + entry.key();
                searchKeys.add(Tables.searchKey(entry.value()));
                values.computeIfAbsent(key, k -> new ArrayList<>()).add(entry.value());
            });
        }
        List<String> ordered = new ArrayList<>(searchKeys);
        ordered.sort(backwards ? Comparator.reverseOrder() : Comparator.naturalOrder());
        if (!searchKeys.equals(ordered)) {
            alarm.accept(new IndexAgrees().name(), "records come in the order of other search keys: " + values);
        }
        values.forEach((key, ofKey) -> {
            if (Set.copyOf(ofKey).size() < ofKey.size()) {
                alarm.accept(new IndexAgrees().name(), key + " comes more than once: " + ofKey);
            }
            seen.otherReads.add(new History.Read(key, ofKey.getLast()));
        });
    }

    private List<String> some(String name) {
        List<String> known = List.copyOf(known(name));
        List<String> some = new ArrayList<>();
        for (int i = 0; i < KEYS_MAX && !known.isEmpty(); i++) {
            some.add(known.get(random.nextInt(known.size())));
        }
        return some.stream().distinct().toList();
    }

    /** The keys that anybody has written so far. */
    private Set<String> known(String name) {
        Set<String> keys = new TreeSet<>();
        for (History.Transaction transaction : history.transactions()) {
            for (String key : transaction.writes.keySet()) {
                if (key.startsWith(name + "/")) {
                    keys.add(key);
                }
            }
        }
        return keys;
    }
}
