package io.penstock.commit.queue;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A queue whose messages are objects in a folder, for a store without a queue service. A message that was received is
 * hidden from this client alone: others may receive it too. Safe for use by many threads.
 */
public final class IntakeFolder implements MessageQueue {
    /** The number of messages that are read at a time. */
    private static final int WIDTH = 16;

    /** The pause between two listings of a receive that waits. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Tasks tasks;
    private final ObjectStore objects;
    private final String folder;
    private final MemoryLock lock = new MemoryLock();

    /** The times until which received messages are hidden, by key. Guarded by the lock. */
    private final Map<String, Long> hidden = new HashMap<>();

    /** @param folder the beginning of the keys of messages */
    public IntakeFolder(Tasks tasks, ObjectStore objects, String folder) {
        this.tasks = tasks;
        this.objects = objects;
        this.folder = folder;
    }

    @Override
    public String name() {
        return folder;
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        return Parallel.map(tasks, WIDTH, bodies, body -> {
            // About the order of sending: what waits for longest is read first.
            String key =
                    folder + hex(tasks.nowMillis()) + "-" + hex(tasks.random().nextLong());
            objects.put(key, body, WriteCondition.ALWAYS);
            return new SendResult.Sent(key);
        });
    }

    private static String hex(long value) {
        return HexFormat.of().toHexDigits(value);
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        long until = tasks.nanoTime() + wait.toNanos();
        List<Listing.Entry> found = shown(max, visibility);
        while (found.isEmpty() && tasks.nanoTime() - until < 0) {
            tasks.sleep(PAUSE);
            found = shown(max, visibility);
        }
        return Parallel.map(tasks, WIDTH, found, this::read).stream()
                .flatMap(List::stream)
                .toList();
    }

    /** Lists the oldest messages that are not hidden, and hides them. */
    private List<Listing.Entry> shown(int max, Duration visibility) {
        List<Listing.Entry> listed =
                objects.list(folder, "", ObjectStores.LIST_LIMIT).entries();
        long now = tasks.nanoTime();
        return lock.with(() -> {
            hidden.values().removeIf(until -> now - until >= 0);
            List<Listing.Entry> taken = new ArrayList<>();
            for (Listing.Entry entry : listed) {
                if (taken.size() < max && hidden.putIfAbsent(entry.key(), now + visibility.toNanos()) == null) {
                    taken.add(entry);
                }
            }
            return taken;
        });
    }

    private List<Delivery> read(Listing.Entry entry) {
        return body(entry.key()).stream()
                .map(body -> new Delivery(entry.key(), new Receipt(entry.key()), body, entry.modifiedMillis(), 1))
                .toList();
    }

    /** The body of a message. One that does not open must not hold up the others: it is delivered as a damaged one. */
    private Optional<Bytes> body(String key) {
        try {
            return objects.get(key).map(StoredObject::body);
        } catch (CorruptDataException damaged) {
            return Optional.of(Bytes.EMPTY);
        }
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        objects.deleteAll(receipts.stream().map(Receipt::handle).toList());
        return List.of();
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        long until = tasks.nanoTime() + visibility.toNanos();
        lock.run(() -> hidden.put(receipt.handle(), until));
    }

    @Override
    public QueueDepth depth() {
        return new QueueDepth(
                objects.list(folder, "", ObjectStores.LIST_LIMIT).entries().size(), 0);
    }

    @Override
    public QueueConfiguration configuration() {
        return QueueConfiguration.standard(QueueAttributes.RETENTION_MAX, NoQueues.INSTANCE.limits());
    }
}
