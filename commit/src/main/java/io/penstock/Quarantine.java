package io.penstock;

import io.penstock.commit.checkpoint.Replay;
import io.penstock.commit.client.ClientContext;
import io.penstock.commit.engine.StoreState;
import io.penstock.commit.inspect.TextFormat;
import io.penstock.commit.queue.DeadLetterStore;
import io.penstock.commit.queue.PuQueueId;
import io.penstock.commit.upkeep.StoreContents;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import io.penstock.report.QuarantineItem;
import io.penstock.report.QuarantineReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The messages and log records that a store could not apply and keeps for an operator: messages in quarantine, and log
 * records parked because a page is damaged. After a repair they are applied again. Safe for use by many threads.
 */
public final class Quarantine {
    /** The number of reasons that are read at a time. */
    private static final int WIDTH = 8;

    private static final String PARKED = "parked/";
    private static final String MESSAGES = "quarantine/";
    private static final Pattern TREE = Pattern.compile("[0-9a-f]{16}");

    private final StoreState handle;
    private final Tasks tasks;
    private final ClientContext membership;
    private final StoreContents store;
    private final Replay reapplication;

    Quarantine(StoreState handle, Tasks tasks, ClientContext membership, StoreContents store, Replay reapplication) {
        this.handle = handle;
        this.tasks = tasks;
        this.membership = membership;
        this.store = store;
        this.reapplication = reapplication;
    }

    /** All that is kept, parked records first. */
    public List<QuarantineItem> list() {
        handle.requireOpen();
        List<QuarantineItem> items = new ArrayList<>(items(PARKED));
        items.addAll(items(MESSAGES));
        return items;
    }

    private List<QuarantineItem> items(String folder) {
        DeadLetterStore objects = objects(folder);
        return Parallel.map(tasks, WIDTH, objects.list(), kept -> item(folder, objects, kept));
    }

    private QuarantineItem item(String folder, DeadLetterStore objects, DeadLetterStore.Kept kept) {
        String[] path = kept.name().split("/", -1);
        boolean parked = folder.equals(PARKED);
        long ageMillis = membership.serverClock().nowMillis() - kept.keptMillis();
        return new QuarantineItem(
                folder + kept.name(),
                owner(parked ? treeOfFolder(path[0]) : treeOfQueue(path[0])),
                parked && path.length > 1 ? path[1] : path[0],
                kept.bytes(),
                objects.reason(kept.name()),
                Duration.ofMillis(Math.max(0, ageMillis)));
    }

    /** Returns the tree that parked records are for; empty when an object of another name was put here. */
    private static Optional<TreeId> treeOfFolder(String name) {
        return TREE.matcher(name).matches() ? Optional.of(TreeId.fromHex(name)) : Optional.empty();
    }

    private Optional<TreeId> treeOfQueue(String queue) {
        return store.lane().names().puQueue(queue).map(PuQueueId::tree);
    }

    private String owner(Optional<TreeId> tree) {
        try {
            return tree.flatMap(id -> store.trees().catalog().ofTree(id))
                    .map(definition -> definition.name())
                    .orElse("unknown");
        } catch (CorruptDataException unreadableEntry) {
            return "unknown";
        }
    }

    /** The objects of a folder. */
    private DeadLetterStore objects(String folder) {
        return folder.equals(PARKED) ? store.parked() : store.quarantined();
    }

    /**
     * One object in words, a line for each log record.
     *
     * @param bytes whether to show keys and payloads
     * @throws InvalidRequestException when nothing of that id is kept
     * @throws CorruptDataException when it is no message that can be decoded
     */
    public List<String> show(String id, boolean bytes) {
        handle.requireOpen();
        return Replay.read(objects(folder(id)), name(id)).stream()
                .map(record -> TextFormat.record(record.tree(), record.change(), bytes))
                .toList();
    }

    /**
     * Applies one object again, and removes it if that succeeds.
     *
     * @param evenOld whether also log records older than tombstones are kept, 29 days: they may bring back what was
     *     deleted since
     * @throws InvalidRequestException when nothing of that id is kept
     */
    public QuarantineReport apply(String id, boolean evenOld) {
        return applyAll(List.of(id), evenOld, false);
    }

    /** Applies all that is kept; {@link #apply(String, boolean)} has the rules. */
    public QuarantineReport applyAll(boolean evenOld) {
        return applyAll(list().stream().map(QuarantineItem::id).toList(), evenOld, true);
    }

    /** @param listed whether they were there a moment ago: one that is gone was applied by somebody else */
    private QuarantineReport applyAll(List<String> ids, boolean evenOld, boolean listed) {
        handle.requireWritable();
        membership.join();
        store.trees().catalog().forgetUnknown();
        Map<String, String> kept = new TreeMap<>();
        long records = 0;
        for (String id : ids) {
            boolean ofQueue = folder(id).equals(MESSAGES);
            try {
                Replay.Outcome outcome = reapplication.apply(objects(folder(id)), name(id), ofQueue, evenOld);
                records += outcome.records();
                outcome.obstacle().ifPresent(why -> kept.put(id, why));
            } catch (InvalidRequestException gone) {
                if (!listed || gone.code() != ErrorCode.NOT_FOUND) {
                    throw gone;
                }
            }
        }
        return new QuarantineReport(ids.size() - kept.size(), records, kept);
    }

    private static String folder(String id) {
        if (id.startsWith(PARKED) || id.startsWith(MESSAGES)) {
            return id.startsWith(PARKED) ? PARKED : MESSAGES;
        }
        throw new InvalidRequestException(
                "an id begins with parked/ or quarantine/; quarantine list shows all", "id", id);
    }

    private static String name(String id) {
        return id.substring(folder(id).length());
    }
}
