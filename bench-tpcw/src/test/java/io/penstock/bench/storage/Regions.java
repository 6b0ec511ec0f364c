package io.penstock.bench.storage;

import io.penstock.Keys;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.bench.tpcw.run.Usage;
import io.penstock.bench.tpcw.run.Usage.Count;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** What nano does with files: with payloads of records, and with bare objects of the same server. */
enum Regions {
    /** {@code ();:;2 3}. */
    CREATE("create 128 KB", 128 << 10, 50, 0, 1, 0),
    /** {@code ();,;2 3}: an object is written anew. */
    APPEND("append to 128 KB", 128 << 10, 50, 1, 1, 0),
    /** {@code hcount}. */
    SIZE("size of 128 KB", 128 << 10, 50, 0, 0, 1),
    /** {@code read1}. */
    READ("read of 128 KB", 128 << 10, 50, 1, 0, 0),
    RANDOM_LARGE("random reads of 1 MB", 1 << 20, 100, 1, 0, 0),
    RANDOM_SMALL("random reads of 64 KB", 64 << 10, 1_600, 1, 0, 0);

    /** The bytes of the file with the regions that are read: a payload of the largest size. */
    private static final int FILE_BYTES = RecordCollection.PAYLOAD_BYTES_MAX;

    private static final Bytes TAIL = Bytes.utf8("2 3");

    private final String label;
    private final int bytes;
    private final int times;
    private final Usage bare;

    Regions(String label, int bytes, int times, long gets, long puts, long lists) {
        this.label = label;
        this.bytes = bytes;
        this.times = times;
        this.bare = new Usage(Map.of(Count.S3_GET, gets, Count.S3_PUT, puts, Count.S3_LIST, lists));
    }

    String label() {
        return label;
    }

    /** The number of operations of each client. */
    int times() {
        return times;
    }

    /** What one operation on bare objects asks of the server. */
    Usage bare() {
        return bare;
    }

    static RecordCollection<Long, Bytes> records(Penstock store) {
        return store.collection("regions", Keys.longs(), PayloadCodec.bytes());
    }

    /** Makes what all clients read, in records and in objects. */
    static void fill(Penstock store, ObjectStore objects) {
        for (Regions of : List.of(READ, RANDOM_LARGE)) {
            Bytes file = Bytes.wrap(new byte[of == READ ? of.bytes : FILE_BYTES]);
            records(store).put(of.key(0, 0), file);
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

    private long key(int client, int number) {
        return ((long) ordinal() << 40) + ((long) client << 20) + number;
    }

    private String object(int client) {
        return "bare/" + name() + "/" + client;
    }

    /** Does one operation on records. */
    boolean operate(Penstock store, int client, int number, RandomGenerator random) {
        RecordCollection<Long, Bytes> records = records(store);
        switch (this) {
            case CREATE -> records.put(key(client, number), payload());
            case APPEND -> records.append(key(client, 0), TAIL);
            case SIZE -> {
                return records.payloadBytes(READ.key(0, 0)).orElseThrow() == bytes;
            }
            case READ -> {
                return records.get(key(0, 0)).orElseThrow().length() == bytes;
            }
            default -> {
                return read(records.open(RANDOM_LARGE.key(0, 0), random.nextInt(FILE_BYTES - bytes), bytes)
                                .orElseThrow())
                        == bytes;
            }
        }
        return true;
    }

    private static int read(InputStream region) {
        try (region) {
            return region.readAllBytes().length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
                return objects.getRange(RANDOM_LARGE.object(0), random.nextInt(FILE_BYTES - bytes), bytes)
                                .orElseThrow()
                                .body()
                                .length()
                        == bytes;
            }
        }
        return true;
    }
}
