package io.penstock.commit.queue;

import io.penstock.core.Bytes;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place for messages that must not be applied. It stores two objects for each: its bytes and the reason. So no
 * message disappears from a queue without a trace. Safe for use by many threads.
 */
public final class Quarantine {
    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

    private final KeptObjects objects;
    private final AtomicLong count = new AtomicLong();

    public Quarantine(KeptObjects objects) {
        this.objects = objects;
    }

    public KeptObjects objects() {
        return objects;
    }

    /** Stores a message, which may then be deleted from its queue. Idempotent. */
    public void keep(String queue, String messageId, Bytes bytes, String reason) {
        String name = queue + "/" + messageId;
        objects.keep(name, bytes, reason);
        count.incrementAndGet();
        LOG.warn("a message was put into quarantine name={} reason={}", name, reason);
    }

    /** The number of messages that this client has put into quarantine. */
    public long count() {
        return count.get();
    }
}
