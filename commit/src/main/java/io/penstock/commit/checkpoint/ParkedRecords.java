package io.penstock.commit.checkpoint;

import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.queue.KeptObjects;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place for log records that a damaged page keeps from being applied. They are stored before their messages are
 * deleted, and applied again when the page is repaired. Safe for use by many threads.
 */
public final class ParkedRecords {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedRecords.class);

    /** The bytes of records in one object, at which the next one begins. */
    private static final int PART_BYTES = 1 << 20;

    /** Parked records are of many clients; their stamps name them. */
    private static final ClientId NOBODY = new ClientId(0);

    private static final Comparator<LogRecord> ORDER = Comparator.comparing(
                    (LogRecord record) -> record.change().key())
            .thenComparing(record -> record.change().stamp());

    private final KeptObjects objects;
    private final AtomicLong count = new AtomicLong();

    public ParkedRecords(KeptObjects objects) {
        this.objects = objects;
    }

    /** The objects that hold them, each a message of the PU queues' format. */
    public KeptObjects objects() {
        return objects;
    }

    /**
     * Stores log records of one tree. The names of their objects are made from their contents, so a repeat writes the
     * same objects.
     *
     * @param page that is damaged, or is on the way to it
     * @return the names of the objects
     */
    public List<String> park(PageId page, List<LogRecord> records, String reason) {
        List<String> names = new ArrayList<>();
        for (List<LogRecord> part : parts(records.stream().sorted(ORDER).toList())) {
            Bytes bytes = new PuMessage(NOBODY, PuMessage.UNORDERED, part).encode();
            String name = page.tree().hex() + "/" + page.hex() + "/" + digest(bytes);
            objects.keep(name, bytes, reason);
            names.add(name);
        }
        count.addAndGet(records.size());
        LOG.warn(
                "log records were parked, because a page is damaged; repair it, then run quarantine apply page={}"
                        + " records={} reason={}",
                page,
                records.size(),
                reason);
        return names;
    }

    private static List<List<LogRecord>> parts(List<LogRecord> sorted) {
        List<List<LogRecord>> parts = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < sorted.size(); i++) {
            bytes += PuMessage.recordBytesMax(sorted.get(i));
            if (bytes >= PART_BYTES || i == sorted.size() - 1) {
                parts.add(sorted.subList(from, i + 1));
                from = i + 1;
                bytes = 0;
            }
        }
        return parts;
    }

    private static String digest(Bytes bytes) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(bytes.array(), bytes.offset(), bytes.length());
            return String.format(Locale.ROOT, "%064x", new BigInteger(1, sha.digest()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The number of log records that this client has parked. */
    public long count() {
        return count.get();
    }
}
