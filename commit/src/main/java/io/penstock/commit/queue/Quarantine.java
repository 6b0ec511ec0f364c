package io.penstock.commit.queue;

import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place for messages that must not be applied. It stores two objects for each: its bytes and the reason. So no
 * message disappears from a queue without a trace. Safe for use by many threads.
 */
public final class Quarantine {
    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

    private final ObjectStore objects;
    private final String prefix;
    private final AtomicLong count = new AtomicLong();

    /** @param prefix of the objects' keys, such as {@code store/quarantine/} */
    public Quarantine(ObjectStore objects, String prefix) {
        this.objects = objects;
        this.prefix = prefix;
    }

    /** Stores a message, which may then be deleted from its queue. Idempotent. */
    public void keep(String queue, String messageId, Bytes bytes, String reason) {
        String key = prefix + queue + "/" + messageId;
        objects.put(key, bytes, WriteCondition.ALWAYS);
        objects.put(key + ".reason", Bytes.utf8(reason + "\n"), WriteCondition.ALWAYS);
        count.incrementAndGet();
        LOG.warn("a message was put into quarantine key={} reason={}", key, reason);
    }

    /** The number of messages that this client has put into quarantine. */
    public long count() {
        return count.get();
    }
}
