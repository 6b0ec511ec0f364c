package io.penstock.commit.engine;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.settings.Bounds;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.overflow.ByteRange;
import io.penstock.core.overflow.OverflowParts;
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
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The placement of one transaction's payloads: small ones into its log records, large ones at once into overflow
 * objects, of which the log records hold references. For one thread.
 */
public final class LargePayloads {
    /** The largest number of objects in one payload: few enough to read, many enough that they are joined rarely. */
    private static final int OBJECTS_MAX = 64;

    private final Place place;
    private boolean any;

    /** The streams that gave payloads, in all runs of a body, as far as the program still has them. */
    private List<WeakReference<InputStream>> spent = new ArrayList<>(0);

    private long firstMillis;
    private long firstNanos;

    /**
     * The place of large payloads: the store of their objects, and the client that writes to it.
     *
     * @param messageBytes the most that a message of the queue service holds
     */
    public record Place(
            StoreState handle, Tasks tasks, OverflowStore overflows, ClientContext membership, int messageBytes) {}

    public LargePayloads(Place place) {
        this.place = place;
    }

    /** @param streams those that earlier runs of the body have read, and this one adds to */
    public void knowSpent(List<WeakReference<InputStream>> streams) {
        spent = streams;
    }

    /** Refuses, before anything is written, what is too large for any object. */
    public static void requireFits(CollectionDefinition collection, Bytes payload) {
        requireFits(collection, payload.length());
    }

    private static void requireFits(CollectionDefinition collection, long payloadBytes) {
        if (payloadBytes > OverflowStore.PAYLOAD_BYTES_MAX) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "a payload is too large; cut it into several records",
                    "collection",
                    collection.name(),
                    "payloadBytes",
                    payloadBytes,
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
        byte[] head = head(payload, smallBytesMax + 1);
        if (head.length <= smallBytesMax) {
            return new Content(Bytes.wrap(head), false, expiryMillis);
        }
        begin();
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), payload);
        return content(place.overflows.write(collection.treeId(), place.membership.client(), whole), expiryMillis);
    }

    /** The first bytes of a stream, which may have been read to its end by an earlier run of the body. */
    private byte[] head(InputStream payload, int bytes) {
        byte[] head;
        try {
            head = Bounds.requirePresent("payload", payload).readNBytes(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (head.length > 0) {
            spent.add(new WeakReference<>(payload));
        } else if (spent.stream().anyMatch(before -> before.refersTo(payload))) {
            throw new InvalidRequestException(
                    "the stream was read to its end by an earlier put or run of the body; open it in the body");
        }
        return head;
    }

    /**
     * A payload that is appended to.
     *
     * @param keepsObjects whether its objects stay as long as the transaction can be committed
     * @param open opens a range of it
     */
    public record Before(Content content, boolean keepsObjects, Function<ByteRange, Optional<InputStream>> open) {
        private InputStream from(long offset) {
            // The whole is what it is by then: without isolation it may have been replaced.
            ByteRange range = offset == 0 ? ByteRange.ALL : new ByteRange(offset, content.length() - offset);
            return open.apply(range)
                    .orElseThrow(() -> new ConflictException(
                            "a record was deleted while something was appended to it; nothing was written"));
        }
    }

    /** Places a payload with more bytes at its end. What it has in objects is not written again, if they are kept. */
    public Content append(CollectionDefinition collection, Bytes key, Before before, Bytes more) {
        Content content = before.content;
        long expiryMillis = content.expiryMillis();
        requireFits(collection, content.length() + more.length());
        if (!content.isReference()) {
            return place(collection, key, content.bytes().concat(more), expiryMillis);
        }
        if (!before.keepsObjects) {
            return place(collection, key, joined(before.from(0), more), expiryMillis);
        }
        OverflowParts parts = OverflowParts.decode(content.bytes());
        int smallBytesMax = smallBytesMax(collection, key);
        if (parts.bytes() + more.length() <= smallBytesMax) {
            OverflowParts longer =
                    new OverflowParts(parts.objects(), parts.tail().concat(more));
            return new Content(longer.encode(), true, expiryMillis);
        }
        begin();
        int kept = parts.firstRewritten(
                objectsMax(smallBytesMax), (long) parts.tail().length() + more.length());
        InputStream last = joined(before.from(parts.start(kept)), more);
        OverflowReference next = place.overflows.write(collection.treeId(), place.membership.client(), last);
        return new Content(parts.with(kept, next).encode(), true, expiryMillis);
    }

    private static InputStream joined(InputStream first, Bytes more) {
        return new SequenceInputStream(first, new ByteArrayInputStream(more.array(), more.offset(), more.length()));
    }

    /** The number of objects whose references take half of a record, so that there is room for a tail. */
    private static int objectsMax(int smallBytesMax) {
        int objects = OBJECTS_MAX;
        while (objects > 1 && OverflowParts.bytes(objects) > smallBytesMax / 2) {
            objects--;
        }
        return objects;
    }

    private static Content content(OverflowReference only, long expiryMillis) {
        return new Content(OverflowParts.of(only).encode(), true, expiryMillis);
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
