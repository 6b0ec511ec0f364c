package io.penstock.bench.storage;

import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.bench.tpcw.run.Usage;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What nano does with files: with payloads of records, and with bare objects of the same server. A file of regions is a
 * record for each region, since a range of a payload cannot be read; as an object it is read by ranges.
 */
enum Regions {
    /** {@code ();:;2 3}. */
    CREATE("create 128 KB", 128 << 10, 50, 0, 1, 0),
    /** {@code ();,;2 3}: a record and an object are written anew. */
    APPEND("append to 128 KB", 128 << 10, 50, 1, 1, 0),
    /** {@code hcount}: of a payload the size is known once it is read. */
    SIZE("size of 128 KB", 128 << 10, 50, 0, 0, 1),
    /** {@code read1}. */
    READ("read of 128 KB", 128 << 10, 50, 1, 0, 0),
    RANDOM_LARGE("random reads of 1 MB", 1 << 20, 100, 1, 0, 0),
    RANDOM_SMALL("random reads of 64 KB", 64 << 10, 1_600, 1, 0, 0);

    /** The regions of a file. */
    private static final int REGIONS = 64;

    private static final Bytes TAIL = Bytes.utf8("2 3");

    private final String label;
    private final int bytes;
    private final int times;
    private final Usage.Requests bare;

    Regions(String label, int bytes, int times, long gets, long puts, long lists) {
        this.label = label;
        this.bytes = bytes;
        this.times = times;
        this.bare = new Usage.Requests(gets, puts, 0, lists, 0, 0, 0, 0);
    }

    String label() {
        return label;
    }

    /** The number of operations of each client. */
    int times() {
        return times;
    }

    /** What one operation on bare objects asks of the server. */
    Usage.Requests bare() {
        return bare;
    }

    static RecordCollection<Long, Bytes> records(Penstock store) {
        return store.collection("regions", Keys.longs(), PayloadCodec.bytes());
    }

    /** Makes what all clients read, in records and in objects. */
    static void fill(Penstock store, ObjectStore objects) {
        for (Regions of : List.of(READ, RANDOM_LARGE, RANDOM_SMALL)) {
            for (int region = 0; region < REGIONS; region++) {
                records(store).put(of.key(0, region), of.payload());
            }
            Bytes file = Bytes.wrap(new byte[of == READ ? of.bytes : REGIONS * of.bytes]);
            var unused = objects.put(of.object(0), file, WriteCondition.ALWAYS);
        }
    }

    /** Makes what a client appends to. */
    void begin(int client, Penstock store, ObjectStore objects) {
        if (this == APPEND) {
            records(store).put(key(client, 0), payload());
            var unused = objects.put(object(client), payload(), WriteCondition.ALWAYS);
        }
    }

    private Bytes payload() {
        return Bytes.wrap(new byte[bytes]);
    }

    private long key(int client, int region) {
        return ((long) ordinal() << 40) + ((long) client << 20) + region;
    }

    private String object(int client) {
        return "bare/" + name() + "/" + client;
    }

    /** Does one operation on records. */
    boolean operate(Penstock store, int client, int number, RandomGenerator random) {
        RecordCollection<Long, Bytes> records = records(store);
        switch (this) {
            case CREATE -> records.put(key(client, number), payload());
            case APPEND -> {
                return records.update(key(client, 0), found -> found.map(payload -> payload.concat(TAIL)))
                        .isPresent();
            }
            default -> {
                long key = (this == SIZE ? READ : this).key(0, random.nextInt(REGIONS));
                return records.get(key).orElseThrow().length() == bytes;
            }
        }
        return true;
    }

    /** Does one operation on objects. */
    boolean operate(ObjectStore objects, int client, int number, RandomGenerator random) {
        switch (this) {
            case CREATE -> {
                var unused = objects.put(object(client) + "/" + number, payload(), WriteCondition.ALWAYS);
            }
            case APPEND -> {
                Bytes found = objects.get(object(client)).orElseThrow().body();
                var unused = objects.put(object(client), found.concat(TAIL), WriteCondition.ALWAYS);
            }
            case SIZE -> {
                return objects.list(READ.object(0), "", 1).entries().getFirst().bytes() == bytes;
            }
            case READ -> {
                return objects.get(object(0)).orElseThrow().body().length() == bytes;
            }
            default -> {
                int offset = random.nextInt((REGIONS - 1) * bytes);
                return objects.getRange(object(0), offset, bytes)
                                .orElseThrow()
                                .body()
                                .length()
                        == bytes;
            }
        }
        return true;
    }
}
