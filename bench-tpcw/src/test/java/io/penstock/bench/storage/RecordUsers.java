package io.penstock.bench.storage;

import io.penstock.Entry;
import io.penstock.Penstock;
import io.penstock.bench.program.Zipf;
import io.penstock.bench.tpcw.bookstore.Loader;
import io.penstock.core.ConflictException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.Utils;
import site.ycsb.generator.AcknowledgedCounterGenerator;

/**
 * Users of the records of one table, through YCSB's binding. YCSB's own client draws without a seed, so its figures in
 * virtual time would differ each time. Safe for use by many threads.
 */
final class RecordUsers {
    /** The operations of each kind that make up SlateDB's transaction, and its hot records. */
    private static final int TRANSACTION_PART = 5;

    private static final int HOT_RECORDS = 10_000;
    private static final int PERCENT = 100;

    private final String table;
    private final int fields;
    private final String value;
    private final int scanMax;
    private final int records;
    private final Zipf skewed;
    /** The numbers of new records; the last one below which all are there. */
    private final AcknowledgedCounterGenerator numbers;

    /** @param fields of a record, each with so many bytes */
    RecordUsers(String table, int records, int fields, int fieldBytes, int scanMax) {
        this(table, records, fields, fieldBytes, scanMax, records);
    }

    private RecordUsers(String table, int records, int fields, int fieldBytes, int scanMax, int first) {
        this.table = table;
        this.records = records;
        this.fields = fields;
        this.value = "x".repeat(fieldBytes);
        this.scanMax = scanMax;
        this.skewed = new Zipf(records);
        this.numbers = new AcknowledgedCounterGenerator(first);
    }

    /** Returns the same for a table without records. */
    RecordUsers empty(String other) {
        return new RecordUsers(other, records, fields, value.length(), scanMax, 0);
    }

    void fill(Penstock store) {
        Map<String, String> record = new LinkedHashMap<>();
        for (int i = 0; i < fields; i++) {
            record.put("field" + i, value);
        }
        Loader.put(
                store,
                new PenstockDb(store).table(table),
                LongStream.range(0, records).mapToObj(number -> new Entry<>(key(number), record)),
                rows -> {});
    }

    private static String key(long number) {
        return "user" + Utils.hash(number);
    }

    private long draw(Workload.Choice choice, RandomGenerator random) {
        return switch (choice) {
            case UNIFORM -> random.nextInt(records);
            case SKEWED -> skewed.draw(random);
            case LATEST -> Math.max(0, numbers.lastValue() - skewed.draw(random));
            case MISSING -> Long.MAX_VALUE - random.nextInt(records);
        };
    }

    /** Does one operation; returns whether it succeeded. */
    boolean operate(Penstock store, PenstockDb db, Workload of, RandomGenerator random) {
        int roll = random.nextInt(PERCENT);
        String key = key(draw(of.choice(), random));
        boolean there = of.choice() != Workload.Choice.MISSING;
        if ((roll -= of.read()) < 0) {
            return read(db, key, there);
        }
        if ((roll -= of.update()) < 0) {
            return db.update(table, key, changes(random)).isOk();
        }
        if ((roll -= of.insert()) < 0) {
            return insert(db);
        }
        if ((roll -= of.scan()) < 0) {
            return db.scan(table, key, 1 + random.nextInt(scanMax), null, new Vector<>())
                    .isOk();
        }
        if ((roll - of.modify()) < 0) {
            return read(db, key, there)
                    && db.update(table, key, changes(random)).isOk();
        }
        return transact(store, db, random);
    }

    private boolean insert(PenstockDb db) {
        long number = numbers.nextValue();
        boolean done = db.insert(table, key(number), all()).isOk();
        numbers.acknowledge(number);
        return done;
    }

    private boolean read(PenstockDb db, String key, boolean there) {
        return db.read(table, key, null, new HashMap<>()).equals(there ? Status.OK : Status.NOT_FOUND);
    }

    private Map<String, ByteIterator> changes(RandomGenerator random) {
        return Map.of("field" + random.nextInt(fields), new StringByteIterator(value));
    }

    private Map<String, ByteIterator> all() {
        Map<String, ByteIterator> values = new LinkedHashMap<>();
        for (int i = 0; i < fields; i++) {
            values.put("field" + i, new StringByteIterator(value));
        }
        return values;
    }

    private boolean transact(Penstock store, PenstockDb db, RandomGenerator random) {
        List<Integer> steps = new ArrayList<>();
        for (int i = 0; i < 2 * TRANSACTION_PART; i++) {
            steps.add(random.nextInt(Math.min(HOT_RECORDS, records)));
        }
        try {
            return store.transact(transaction -> {
                for (int i = 0; i < steps.size(); i++) {
                    String key = key(steps.get(i));
                    if (i % 2 == 0) {
                        var unused = transaction.get(db.table(table), key);
                    } else {
                        transaction.put(db.table(table), key, Collections.singletonMap("field0", value));
                    }
                }
                return true;
            });
        } catch (ConflictException tooOften) {
            return false;
        }
    }
}
