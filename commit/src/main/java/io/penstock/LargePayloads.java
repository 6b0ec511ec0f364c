package io.penstock;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.record.RecordChange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;

/**
 * Decides where the payloads of one transaction go: small ones into its log records, large ones at once into overflow
 * objects, of which the log records hold references. For one thread.
 */
final class LargePayloads {
    private final Engine engine;
    private boolean any;
    private long firstMillis;
    private long firstNanos;

    /** What stands in a log record or a leaf: a payload, or an encoded reference to it. */
    record Placed(Bytes bytes, boolean isReference) {
        /** @param epoch as in {@link LogRecord} */
        void into(WriteSet writes, TreeId tree, Bytes key, long epoch) {
            writes.put(tree, key, bytes, isReference, epoch);
        }
    }

    LargePayloads(Engine engine) {
        this.engine = engine;
    }

    /** Refuses, before anything is written, what is too large for any object. */
    static void requireFits(RecordCollection<?, ?> collection, Bytes payload) {
        if (payload.length() > RecordCollection.PAYLOAD_BYTES_MAX) {
            throw new InvalidRequestException(
                    "a payload is too large; cut it into several records",
                    "collection",
                    collection.name(),
                    "payloadBytes",
                    payload.length(),
                    "payloadBytesMax",
                    RecordCollection.PAYLOAD_BYTES_MAX);
        }
    }

    Placed place(RecordCollection<?, ?> collection, Bytes key, Bytes payload) {
        requireFits(collection, payload);
        if (payload.length() <= smallBytesMax(collection, key)) {
            return new Placed(payload, false);
        }
        begin();
        return placed(engine.foreground.overflows().write(collection.tree(), engine.client, payload));
    }

    Placed place(RecordCollection<?, ?> collection, Bytes key, InputStream payload) {
        int smallBytesMax = smallBytesMax(collection, key);
        byte[] head;
        try {
            head = payload.readNBytes(smallBytesMax + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (head.length <= smallBytesMax) {
            return new Placed(Bytes.wrap(head), false);
        }
        begin();
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), payload);
        return placed(engine.foreground.overflows().write(collection.tree(), engine.client, whole));
    }

    private static Placed placed(OverflowReference reference) {
        return new Placed(reference.encode(), true);
    }

    /** The largest payload that a page and a message should hold themselves. */
    private int smallBytesMax(RecordCollection<?, ?> collection, Bytes key) {
        CollectionDefinition definition = collection.definition();
        LogRecord empty = new LogRecord(
                definition.treeId(), new RecordChange.Put(key, Bytes.EMPTY, Stamp.ZERO), definition.epoch());
        int inMessage = engine.limits.messageBytes()
                - Math.max(PuMessage.overheadBytesMax(), AtomicMessage.overheadBytesMax())
                - PuMessage.recordBytesMax(empty);
        return Math.min(definition.pageBytes() / 4, inMessage);
    }

    /** Writes of objects are not part of the commit, so what it refuses is refused here too. */
    private void begin() {
        engine.requireWritable();
        if (!any) {
            any = true;
            firstMillis = engine.tasks.nowMillis();
            firstNanos = engine.tasks.nanoTime();
        }
    }

    /**
     * Refuses to commit references to objects that may be taken for garbage before their log records are applied.
     *
     * @throws ConflictException when the first object was written too long ago
     */
    void requireYoung() {
        if (!any) {
            return;
        }
        // Both clocks: one may be set back, the other may stand while the machine sleeps.
        long millis =
                Math.max(engine.tasks.nowMillis() - firstMillis, (engine.tasks.nanoTime() - firstNanos) / 1_000_000);
        if (millis > OverflowStore.COMMIT_WITHIN.toMillis()) {
            throw new ConflictException(
                    "the transaction is too old to commit its large payloads; nothing was committed, begin another",
                    "ageMillis",
                    millis,
                    "ageMillisMax",
                    OverflowStore.COMMIT_WITHIN.toMillis());
        }
    }
}
