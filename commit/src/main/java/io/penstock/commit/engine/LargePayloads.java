package io.penstock.commit.engine;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.client.Membership;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.Content;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.Tasks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;

/**
 * The placement of one transaction's payloads: small ones into its log records, large ones at once into overflow
 * objects, of which the log records hold references. For one thread.
 */
public final class LargePayloads {
    private final Place place;
    private boolean any;
    private long firstMillis;
    private long firstNanos;

    /**
     * The place of large payloads: the store of their objects, and the client that writes to it.
     *
     * @param messageBytes the most that a message of the queue service holds
     */
    public record Place(Handle handle, Tasks tasks, OverflowStore overflows, Membership membership, int messageBytes) {}

    public LargePayloads(Place place) {
        this.place = place;
    }

    /** Refuses, before anything is written, what is too large for any object. */
    public static void requireFits(CollectionDefinition collection, Bytes payload) {
        if (payload.length() > OverflowStore.PAYLOAD_BYTES_MAX) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "a payload is too large; cut it into several records",
                    "collection",
                    collection.name(),
                    "payloadBytes",
                    payload.length(),
                    "payloadBytesMax",
                    OverflowStore.PAYLOAD_BYTES_MAX);
        }
    }

    /** @param expiryMillis when the record expires, or {@link Expiry#NEVER} */
    public Content place(CollectionDefinition collection, Bytes key, Bytes payload, long expiryMillis) {
        requireFits(collection, payload);
        if (payload.length() <= smallBytesMax(collection, key)) {
            return new Content(payload, false, expiryMillis);
        }
        begin();
        return content(place.overflows.write(collection.treeId(), place.membership.client(), payload), expiryMillis);
    }

    /** @param expiryMillis when the record expires, or {@link Expiry#NEVER} */
    public Content place(CollectionDefinition collection, Bytes key, InputStream payload, long expiryMillis) {
        int smallBytesMax = smallBytesMax(collection, key);
        byte[] head;
        try {
            head = payload.readNBytes(smallBytesMax + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (head.length <= smallBytesMax) {
            return new Content(Bytes.wrap(head), false, expiryMillis);
        }
        begin();
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), payload);
        return content(place.overflows.write(collection.treeId(), place.membership.client(), whole), expiryMillis);
    }

    private static Content content(OverflowReference reference, long expiryMillis) {
        return new Content(reference.encode(), true, expiryMillis);
    }

    /** The largest payload that a page and a message should hold themselves. */
    private int smallBytesMax(CollectionDefinition collection, Bytes key) {
        RecordChange.Put put = new RecordChange.Put(key, Bytes.EMPTY, false, Expiry.NEVER - 1, Stamp.ZERO);
        LogRecord empty = new LogRecord(collection.treeId(), put, collection.epoch());
        int inMessage = place.messageBytes
                - Math.max(PuMessage.overheadBytesMax(), AtomicMessage.overheadBytesMax())
                - PuMessage.recordBytesMax(empty);
        return Math.min(collection.pageBytes() / 4, inMessage);
    }

    /** Writes of objects are not part of the commit, so what it refuses is refused here too. */
    private void begin() {
        place.handle.requireWritable();
        if (!any) {
            any = true;
            firstMillis = place.tasks.nowMillis();
            firstNanos = place.tasks.nanoTime();
        }
    }

    /**
     * Refuses to commit references to objects that may be taken for garbage before their log records are applied.
     *
     * @throws ConflictException when the first object was written too long ago
     */
    public void requireYoung() {
        if (!any) {
            return;
        }
        // Both clocks: one may be set back, the other may stand while the machine sleeps.
        long millis =
                Math.max(place.tasks.nowMillis() - firstMillis, (place.tasks.nanoTime() - firstNanos) / 1_000_000);
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
