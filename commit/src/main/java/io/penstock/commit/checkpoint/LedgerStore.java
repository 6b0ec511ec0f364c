package io.penstock.commit.checkpoint;

import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Timekeeper;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers of all PU queues in the object store, and the newest that this client has seen of each. Safe for use by
 * many threads.
 */
public final class LedgerStore {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerStore.class);

    private final PageManager pages;
    private final Timekeeper time;
    private final Map<PuQueueId, Ledger> seen = new ConcurrentHashMap<>();

    /** The queues whose ledgers were found damaged and are not replaced yet. */
    private final Set<PuQueueId> lost = ConcurrentHashMap.newKeySet();

    /**
     * A ledger as it was read.
     *
     * @param header of its page; of the next write's predecessor when there is none
     * @param condition on the page, for the next write
     * @param isLost whether the page is damaged, so that the ledger is empty and nothing is known of any client
     */
    record Stored(Ledger ledger, PageHeader header, WriteCondition condition, boolean isLost) {}

    public LedgerStore(PageManager pages, Timekeeper time) {
        this.pages = pages;
        this.time = time;
    }

    /**
     * Reads the ledger as the object store has it now. A damaged one is replaced by an empty one: its records are
     * applied again, or without order, but none is lost.
     */
    Stored read(PuQueueId queue) {
        try {
            Stored stored = readWhole(queue);
            lost.remove(queue);
            seen.put(queue, stored.ledger);
            return stored;
        } catch (CorruptDataException damaged) {
            if (lost.add(queue)) {
                LOG.warn(
                        "a ledger is damaged and is begun anew; what waits in its queue is applied without order"
                                + " queue={} why={}",
                        queue,
                        damaged.getMessage());
            }
            // Above all versions that count writes, so that no pool prefers the ledger of before.
            PageHeader header = PageHeader.of(queue.homePage(), PageKind.LEDGER, 0, time.nowMillis(), 0);
            return new Stored(Ledger.EMPTY, header, pages.unchanged(queue.homePage()), true);
        }
    }

    /** No ledger, for messages that need none. */
    static Stored none(PuQueueId queue) {
        PageHeader header = PageHeader.of(queue.homePage(), PageKind.LEDGER, 0, 0, 0);
        return new Stored(Ledger.EMPTY, header, WriteCondition.IF_ABSENT, false);
    }

    private Stored readWhole(PuQueueId queue) {
        return pages.refresh(queue.homePage())
                .map(frame -> stored(decode(queue, frame), frame))
                .orElseGet(() -> none(queue));
    }

    private static Stored stored(Ledger ledger, PageFrame frame) {
        return new Stored(ledger, frame.image().header(), WriteCondition.ifVersion(frame.version()), false);
    }

    private Ledger decode(PuQueueId queue, PageFrame frame) {
        String key = pages.objectKey(queue.homePage());
        if (frame.image().header().kind() != PageKind.LEDGER) {
            throw new CorruptDataException(
                    ErrorCode.PAGE_DAMAGED,
                    "the home page of a queue is no ledger; restore or verify it",
                    "key",
                    key,
                    "kind",
                    frame.image().header().kind());
        }
        return Ledger.decode(frame.image().body(), key);
    }

    /**
     * Replaces the ledger that {@code read} returned, and returns what is stored then.
     *
     * @throws io.penstock.core.ConflictException when another client has replaced it meanwhile
     */
    Stored write(PuQueueId queue, Stored replaced, Ledger next) {
        PageHeader header = replaced.header.next(pages.newNumber(), time.nowMillis());
        PageFrame put = pages.put(LedgerPages.encode(header, next.encode()), replaced.condition);
        seen.put(queue, next);
        return stored(next, put);
    }

    /** The newest ledger of the queue that this client has seen: a lower bound of what is applied. */
    public Ledger lastSeen(PuQueueId queue) {
        return seen.getOrDefault(queue, Ledger.EMPTY);
    }

    /**
     * Describes the ledger as the object store has it now, with one readable line for each client.
     *
     * @throws CorruptDataException when it is damaged
     */
    public List<String> describe(PuQueueId queue) {
        return readWhole(queue).ledger.describe();
    }

    /** Reads the ledger again. */
    public void refresh(PuQueueId queue) {
        var unused = read(queue);
    }
}
