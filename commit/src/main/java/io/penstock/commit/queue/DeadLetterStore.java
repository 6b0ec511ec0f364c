package io.penstock.commit.queue;

import io.penstock.core.Bytes;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.WriteCondition;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place for log records that cannot be applied: messages that must not be, or records that a damaged page keeps
 * from it. Each of its objects has the reason beside it, in an object of its own; so nothing disappears from a queue
 * without a trace, and people can look into it. Safe for use by many threads.
 */
public final class DeadLetterStore {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterStore.class);

    /** The end of the key of the object that holds a reason. */
    private static final String REASON = ".reason";

    private final ObjectStore objects;
    private final String prefix;
    private final AtomicLong count = new AtomicLong();

    /** @param prefix of the objects' keys, such as {@code store/quarantine/} */
    public DeadLetterStore(ObjectStore objects, String prefix) {
        this.objects = objects;
        this.prefix = prefix;
    }

    /** Stores a message, which may then be deleted from its queue. Idempotent. */
    public void keepMessage(String queue, String messageId, Bytes bytes, String reason) {
        String name = queue + "/" + messageId;
        keep(name, bytes, reason, 1);
        LOG.warn("a message was put into quarantine name={} reason={}", name, reason);
    }

    /**
     * Stores bytes, and then the reason. Idempotent.
     *
     * @param number that {@link #count} is to count them as
     */
    public void keep(String name, Bytes bytes, String reason, int number) {
        objects.put(prefix + name, bytes, WriteCondition.ALWAYS);
        objects.put(prefix + name + REASON, Bytes.utf8(reason + "\n"), WriteCondition.ALWAYS);
        count.addAndGet(number);
    }

    /** The number of messages or log records that this client has put there. */
    public long count() {
        return count.get();
    }

    /** The objects, without their reasons. */
    public List<Kept> list() {
        return ObjectStores.listAll(objects, prefix).stream()
                .filter(entry -> !entry.key().endsWith(REASON))
                .map(this::kept)
                .toList();
    }

    private Kept kept(Listing.Entry entry) {
        return new Kept(entry.key().substring(prefix.length()), entry.bytes(), entry.modifiedMillis());
    }

    /**
     * One object.
     *
     * @param name its key without the prefix
     * @param keptMillis when it was written last, by the servers' clock
     */
    public record Kept(String name, long bytes, long keptMillis) {}

    /** The bytes of an object; empty when there is none of that name. */
    public Optional<Bytes> read(String name) {
        return objects.get(prefix + name).map(found -> found.body());
    }

    /** Returns the reason for which an object is kept. */
    public String reason(String name) {
        return objects.get(prefix + name + REASON)
                .map(found -> found.body().toUtf8().strip())
                .orElse("unknown");
    }

    /** Removes an object and its reason. */
    public void remove(String name) {
        objects.deleteAll(List.of(prefix + name, prefix + name + REASON));
    }
}
