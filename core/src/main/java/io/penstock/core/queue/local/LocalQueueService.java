package io.penstock.core.queue.local;

import io.penstock.core.ClosedException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.Durability;
import io.penstock.core.UnavailableException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.h2.mvstore.Cursor;

/**
 * Durable queues in one file, for one process, with the rules of SQS (visibility, receipts, retention, limits) and
 * better promises: messages arrive in the order they were sent unless one is hidden, each once per visibility, and a
 * receive finds them all.
 *
 * <p>A message is kept from its acknowledgement on, whatever happens to the process; deliveries are forgotten at a
 * restart. Concurrent senders share one flush of the disk. A queue's name is free again at once after its deletion. The
 * file holds the queues' messages and some seconds of traffic; closing compacts it.
 *
 * <p>Errors: {@link UnavailableException} when the disk failed and nothing was changed, {@link
 * io.penstock.core.OutcomeUnknownException} when it failed in the middle of a write (the service then answers {@link
 * ClosedException} until it is opened again), {@link CorruptDataException} when the file is damaged. Safe for use by
 * many threads.
 */
public final class LocalQueueService implements QueueService {
    /** The limits of SQS: 10 messages, 1 MiB. */
    static final QueueLimits LIMITS = new QueueLimits(10, 1 << 20, 1 << 20);

    private final QueueFile file;
    private final Tasks tasks;
    private final long clockStartNanos;
    /** Queues that were used since the service was opened. */
    private final Map<String, QueueState> states = new ConcurrentHashMap<>();
    /** Held to create, load and delete queues: it keeps {@link #states} and the file's queues in step. */
    private final ReentrantLock naming = new ReentrantLock();

    private final long openedMillis;
    private volatile boolean closed;

    private LocalQueueService(QueueFile file, Tasks tasks) {
        this.file = file;
        this.tasks = tasks;
        this.openedMillis = tasks.nowMillis();
        this.clockStartNanos = tasks.nanoTime();
    }

    /**
     * Opens the queues in {@code file}, creating it if it is missing; flushed to the disk before a send is
     * acknowledged.
     */
    public static LocalQueueService open(Path file, Tasks tasks) {
        return open(file, tasks, Durability.FLUSHED);
    }

    /**
     * Opens the queues in {@code file}, creating it with its directory if it is missing.
     *
     * @throws io.penstock.core.InvalidRequestException when the file is open already
     */
    public static LocalQueueService open(Path file, Tasks tasks, Durability durability) {
        Path path = file.toAbsolutePath();
        try {
            if (path.getParent() != null) {
                Files.createDirectories(path.getParent());
            }
        } catch (IOException e) {
            throw new UnavailableException("the directory of the queue file could not be created", e, "file", path);
        }
        LocalQueueService service = new LocalQueueService(QueueFile.open(path, tasks, durability), tasks);
        service.file.call(() -> {
            service.removeOrphans();
            return true;
        });
        return service;
    }

    /** A crash between the deletion of a queue and that of its messages leaves messages without a queue. */
    private void removeOrphans() {
        Set<Long> ids = new HashSet<>();
        file.queues()
                .values()
                .forEach(stored -> ids.add(StoredQueue.decode(stored).id()));
        byte[] key = file.messages().firstKey();
        while (key != null) {
            long id = MessageKey.decode(key).queue();
            if (!ids.contains(id)) {
                removeMessages(id);
            }
            key = file.messages().higherKey(MessageKey.last(id).encode());
        }
    }

    private void removeMessages(long id) {
        byte[] last = MessageKey.last(id).encode();
        Cursor<byte[], byte[]> cursor =
                file.messages().cursor(MessageKey.first(id).encode(), last, false);
        while (cursor.hasNext()) {
            file.messages().remove(cursor.next());
        }
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        checkOpen();
        QueueRules.checkName(name);
        QueueRules.checkAttributes(attributes);
        file.call(() -> {
            if (createNow(name, attributes)) {
                file.commit();
            }
            return true;
        });
        return handle(name);
    }

    private boolean createNow(String name, QueueAttributes attributes) {
        long id = tasks.random().nextLong() & Long.MAX_VALUE;
        naming.lock();
        try {
            StoredQueue queue = new StoredQueue(id, attributes.retention(), attributes.visibility());
            return file.queues().putIfAbsent(name, queue.encode()) == null;
        } finally {
            naming.unlock();
        }
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        checkOpen();
        QueueRules.checkName(name);
        return file.call(() -> file.queues().containsKey(name)) ? Optional.of(handle(name)) : Optional.empty();
    }

    private MessageQueue handle(String name) {
        return new LocalMessageQueue(name, this, file, tasks, clockStartNanos);
    }

    @Override
    public List<String> list(String prefix) {
        checkOpen();
        return file.call(() -> {
            List<String> names = new ArrayList<>();
            Iterator<String> from = file.queues().keyIterator(prefix);
            while (from.hasNext()) {
                String name = from.next();
                if (!name.startsWith(prefix)) {
                    break;
                }
                names.add(name);
            }
            return List.copyOf(names);
        });
    }

    @Override
    public void delete(String name) {
        checkOpen();
        QueueRules.checkName(name);
        file.call(() -> {
            if (deleteNow(name)) {
                file.commit();
            }
            return true;
        });
    }

    private boolean deleteNow(String name) {
        StoredQueue queue;
        QueueState state;
        naming.lock();
        try {
            byte[] stored = file.queues().remove(name);
            if (stored == null) {
                return false;
            }
            queue = StoredQueue.decode(stored);
            state = states.remove(name);
        } finally {
            naming.unlock();
        }
        if (state != null) {
            state.markDeleted();
        }
        removeMessages(queue.id());
        return true;
    }

    @Override
    public QueueLimits limits() {
        return LIMITS;
    }

    /** The state of a queue, read from the file at its first use. To be called within {@link QueueFile#call}. */
    QueueState state(String name) {
        checkOpen();
        QueueState known = states.get(name);
        return known != null ? known : load(name);
    }

    private QueueState load(String name) {
        naming.lock();
        try {
            checkOpen();
            QueueState known = states.get(name);
            byte[] stored = known == null ? file.queues().get(name) : null;
            if (known != null) {
                return known;
            }
            if (stored == null) {
                throw QueueState.missing(name);
            }
            StoredQueue queue = StoredQueue.decode(stored);
            QueueState state =
                    new QueueState(name, queue.id(), queue.retention().toMillis(), openedMillis);
            state.add(file.onOneVersion(() -> readMessages(queue.id())));
            states.put(name, state);
            return state;
        } finally {
            naming.unlock();
        }
    }

    private List<HeldMessage> readMessages(long id) {
        List<HeldMessage> found = new ArrayList<>();
        Cursor<byte[], byte[]> cursor = file.messages()
                .cursor(MessageKey.first(id).encode(), MessageKey.last(id).encode(), false);
        while (cursor.hasNext()) {
            MessageKey key = MessageKey.decode(cursor.next());
            StoredMessage message = StoredMessage.decode(cursor.getValue());
            found.add(new HeldMessage(key.number(), message.id(), message.sentMillis()));
        }
        return found;
    }

    /** Drops what is older than the queue's retention. To be called within {@link QueueFile#call}. */
    void expire(QueueState state) {
        List<MessageKey> expired = state.expire(tasks.nowMillis());
        if (!expired.isEmpty()) {
            expired.forEach(key -> file.messages().remove(key.encode()));
            file.commitSoon();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new ClosedException("the queue service was closed; open it again");
        }
    }

    /** Makes the last deletions durable and closes the file. Waiting receives are refused. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        states.values().forEach(QueueState::markDeleted);
        file.call(() -> {
            // A task that loads a queue still reads the file.
            naming.lock();
            try {
                file.close();
            } finally {
                naming.unlock();
            }
            return true;
        });
    }
}
