package io.penstock.commit.checkpoint;

import io.penstock.commit.queue.PuQueueId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.pool.PageFrame;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.Timekeeper;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ledgers of all PU queues in the object store, and the newest that this client has seen of each. Safe for use by
 * many threads.
 */
public final class LedgerStore {
    private final PageManager pages;
    private final Timekeeper time;
    private final Map<PuQueueId, Ledger> seen = new ConcurrentHashMap<>();

    /** A ledger and the page it came from, if there is one. */
    record Stored(Ledger ledger, @Nullable PageFrame page) {}

    public LedgerStore(PageManager pages, Timekeeper time) {
        this.pages = pages;
        this.time = time;
    }

    /** Reads the ledger as the object store has it now. */
    Stored read(PuQueueId queue) {
        Optional<PageFrame> page = pages.refresh(queue.homePage());
        Stored stored = page.map(frame -> new Stored(decode(queue, frame), frame))
                .orElseGet(() -> new Stored(Ledger.EMPTY, null));
        seen.put(queue, stored.ledger);
        return stored;
    }

    private Ledger decode(PuQueueId queue, PageFrame frame) {
        String key = pages.objectKey(queue.homePage());
        if (frame.image().header().kind() != PageKind.LEDGER) {
            throw new CorruptDataException(
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
        PageId id = queue.homePage();
        long writeId = pages.newNumber();
        PageFrame before = replaced.page;
        PageHeader header = before == null
                ? PageHeader.of(id, PageKind.LEDGER, 0, 1, writeId)
                : before.image().header().next(writeId, time.nowMillis());
        WriteCondition condition =
                before == null ? WriteCondition.IF_ABSENT : WriteCondition.ifVersion(before.version());
        PageFrame put = pages.put(LedgerPages.encode(header, next.encode()), condition);
        seen.put(queue, next);
        return new Stored(next, put);
    }

    /** The newest ledger of the queue that this client has seen: a lower bound of what is applied. */
    public Ledger lastSeen(PuQueueId queue) {
        return seen.getOrDefault(queue, Ledger.EMPTY);
    }

    /** Describes the ledger as the object store has it now, with one readable line for each client. */
    public List<String> describe(PuQueueId queue) {
        return read(queue).ledger.describe();
    }

    /** Reads the ledger again. */
    public void refresh(PuQueueId queue) {
        read(queue);
    }
}
