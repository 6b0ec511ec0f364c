package io.penstock.core.queue.local;

import io.penstock.core.ClosedException;
import io.penstock.core.Durability;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DirectoryLock;
import io.penstock.core.disk.DiskFailure;
import io.penstock.core.disk.FileAccess;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.table.LiveQueue;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Durable queues in one directory, for one process, with the rules of SQS (visibility, receipts, retention, limits) and
 * better promises: messages arrive in the order they were sent unless one is hidden, each once per visibility, and a
 * receive finds them all.
 *
 * <p>A message is kept from its acknowledgement on, whatever happens to the process; deliveries are forgotten at a
 * restart. Concurrent senders share one flush of the disk. A queue's name is free again at once after its deletion. The
 * directory holds a log of the queues' messages ({@link QueueLog}) and some MB of traffic.
 *
 * <p>Errors: {@link UnavailableException} when the disk failed and nothing was changed ({@link
 * io.penstock.core.RefusedException} when it is full or read-only), {@link io.penstock.core.OutcomeUnknownException}
 * when what it did is not known. The next call works again when the disk does. Damage is met by setting aside what is
 * damaged; see {@link #damage}. Safe for use by many threads.
 */
public final class LocalQueueService implements QueueService {
    /** The limits of SQS: 10 messages, 1 MiB. */
    static final QueueLimits LIMITS = new QueueLimits(10, 1 << 20, 1 << 20);

    /** The place of a queue whose entry is damaged. */
    private static final Place NOWHERE = new Place(-1, 0);

    private static final Logger LOG = LoggerFactory.getLogger(LocalQueueService.class);

    /** The most lines of damage in the log; {@link #damage} has all. */
    private static final int LINES_MAX = 20;

    private final DirectoryLock lock;
    private final QueueLog log;
    private final QueueTable queues;
    private final Tasks tasks;
    private final long clockStartNanos;
    /** The permit held to create and delete queues, one at a time. */
    private final Permits naming;

    private final long openedMillis;
    private final List<String> damage = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private LocalQueueService(DirectoryLock lock, QueueLog log, QueueTable queues, Tasks tasks, long openedMillis) {
        this.lock = lock;
        this.log = log;
        this.queues = queues;
        this.tasks = tasks;
        this.naming = new Permits(tasks, 1);
        this.openedMillis = openedMillis;
        this.clockStartNanos = tasks.nanoTime();
    }

    /**
     * Opens the queues in {@code directory}, creating it if it is missing; flushed to the disk before a send is
     * acknowledged.
     */
    public static LocalQueueService open(Path directory, Tasks tasks) {
        return open(directory, tasks, Durability.FLUSHED);
    }

    /**
     * Opens the queues in {@code directory}, creating it if it is missing.
     *
     * @throws InvalidRequestException when the directory is open already, or was made by a build before the first
     *     release
     */
    public static LocalQueueService open(Path directory, Tasks tasks, Durability durability) {
        return open(directory, tasks, durability, FileAccess.SYSTEM);
    }

    /** Opens the queues in {@code directory}, on a disk for tests. */
    public static LocalQueueService open(Path directory, Tasks tasks, Durability durability, FileAccess access) {
        return open(directory, tasks, access, real -> new SegmentFiles(real, access, durability));
    }

    static LocalQueueService open(Path directory, Tasks tasks, FileAccess access, Function<Path, SegmentFiles> files) {
        return tasks.uninterruptibly("open queues", () -> {
            try {
                access.makeDirectories(directory);
                Path real = directory.toRealPath();
                requireNoQueueFile(real);
                DirectoryLock lock = DirectoryLock.take(real);
                try {
                    return open(lock, files.apply(real), tasks);
                } catch (IOException | RuntimeException failure) {
                    lock.close();
                    throw failure;
                }
            } catch (IOException e) {
                throw DiskFailure.of("the queues could not be opened", e, "directory", directory);
            }
        });
    }

    private static LocalQueueService open(DirectoryLock lock, SegmentFiles files, Tasks tasks) throws IOException {
        LogReader found = LogReader.read(files);
        QueueLog log = new QueueLog(files, tasks, found);
        try {
            QueueTable queues = new QueueTable();
            long openedMillis = tasks.nowMillis();
            found.replay().queues().forEach((id, queue) -> load(log, queues, id, queue, openedMillis));
            log.reclaimBehind(queues);
            LocalQueueService service = new LocalQueueService(lock, log, queues, tasks, openedMillis);
            service.report(found.replay().damage());
            return service;
        } catch (RuntimeException failure) {
            log.close();
            throw failure;
        }
    }

    /** Refuses what a build before the first release has left: its queues were in a file beside the directory. */
    private static void requireNoQueueFile(Path directory) {
        Path file = directory.resolveSibling(directory.getFileName() + ".mv");
        if (Files.exists(file)) {
            throw new InvalidRequestException(
                    ErrorCode.OTHER_RELEASE,
                    "an older build of penstock made this directory, and this release cannot read it; use another"
                            + " directory",
                    "directory",
                    directory,
                    "file",
                    file);
        }
    }

    private static void load(QueueLog log, QueueTable queues, long id, LogReplay.Recovered found, long openedMillis) {
        LogEntry entry = found.queue();
        Place place = found.place();
        boolean isNamed = entry != null && place != null;
        QueueState state = new QueueState(
                entry != null ? entry : LogEntry.queue(id, "", QueueAttributes.RETENTION_MAX, Duration.ZERO),
                place != null ? place : NOWHERE,
                openedMillis);
        if (isNamed) {
            queues.add(state);
            log.needs(state.place(), 2 * state.entry().bytes());
        } else {
            queues.addNameless(state);
        }
        found.messages().forEach(message -> log.needs(message.place, message.bytes()));
        state.add(found.messages());
        state.startAt(found.nextNumber());
    }

    private void report(List<String> lines) {
        damage.addAll(lines);
        lines.stream().limit(LINES_MAX).forEach(line -> LOG.error("local queues: {}", line));
        if (lines.size() > LINES_MAX) {
            LOG.error("local queues: damage in {} more places", lines.size() - LINES_MAX);
        }
    }

    /**
     * Returns the damage found when the queues were opened, or since: a line for each. Damaged messages are not
     * received, and their bytes are kept.
     */
    public List<String> damage() {
        return List.copyOf(damage);
    }

    /** Withdraws a message whose bytes are damaged; all others go on. */
    void setAside(QueueState queue, HeldMessage message) {
        queue.withdraw(message);
        report(List.of(log.damaged(queue.name(), message)));
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        checkOpen();
        QueueRules.checkName(name);
        QueueRules.checkAttributes(attributes);
        call(() -> {
            naming.run(() -> createNow(name, attributes));
            return true;
        });
        return handle(name);
    }

    private void createNow(String name, QueueAttributes attributes) {
        if (queues.find(name) == null) {
            long id = drawId();
            LogEntry queue = LogEntry.queue(id, name, attributes.retention(), attributes.visibility());
            log.write(LogWrite.creation(log, queues, queue, openedMillis));
        }
    }

    private long drawId() {
        while (true) {
            long id = tasks.random().nextLong() & Long.MAX_VALUE;
            // Messages whose queue is not known are kept under its number.
            if (queues.find(id) == null) {
                return id;
            }
        }
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        checkOpen();
        QueueRules.checkName(name);
        return queues.find(name) == null ? Optional.empty() : Optional.of(handle(name));
    }

    private MessageQueue handle(String name) {
        return new LocalMessageQueue(name, this, log, tasks, clockStartNanos);
    }

    @Override
    public List<String> list(String prefix) {
        checkOpen();
        return queues.names(prefix);
    }

    @Override
    public void delete(String name) {
        checkOpen();
        QueueRules.checkName(name);
        call(() -> {
            naming.run(() -> {
                QueueState queue = queues.find(name);
                if (queue != null) {
                    log.write(LogWrite.deletion(log, queues, queue));
                }
            });
            return true;
        });
    }

    @Override
    public QueueLimits limits() {
        return LIMITS;
    }

    /** Runs {@code body} where no interrupt reaches it: one in the middle of a write would close the file for all. */
    <T> T call(Supplier<T> body) {
        return tasks.uninterruptibly("queues", body);
    }

    /** The queue of this name. */
    QueueState state(String name) {
        checkOpen();
        QueueState known = queues.find(name);
        if (known == null) {
            throw LiveQueue.missing(name);
        }
        return known;
    }

    /** Drops what is older than the queue's retention. To be called within {@link #call}. */
    void expire(QueueState queue) {
        forget(queue, queue.expire(tasks.nowMillis()));
    }

    /** Logs the deletion of messages that the queue has dropped. */
    void forget(QueueState queue, List<HeldMessage> messages) {
        if (!messages.isEmpty()) {
            log.writeSoon(LogWrite.deletionOfMessages(log, queue, messages));
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
        queues.all().forEach(QueueState::markDeleted);
        call(() -> {
            try (lock) {
                log.close();
            }
            return true;
        });
    }
}
