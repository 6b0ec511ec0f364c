package io.penstock.core.local.shared;

import io.penstock.core.Bytes;
import io.penstock.core.ClosedException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.DirectoryLock;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.TimedObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.object.Written;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A process's connection to the owner of a directory. When it breaks, calls that were under way fail, and the next one
 * connects again, to the process that is the owner by then. Safe for use by many threads.
 */
public final class Attachment implements AutoCloseable {
    /** The time after which an owner that does not accept a connection has stopped. */
    private static final Duration GREETING_MAX = Duration.ofSeconds(10);

    /**
     * The time after which an owner that does not answer has stopped, besides the time that the call itself asks it to
     * wait.
     */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    private final Path directory;
    private final Tasks tasks;
    private final AtomicLong lastNumber = new AtomicLong();
    private final MemoryLock connecting = new MemoryLock();
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    /** The last try to connect that failed, for those who waited for it. Guarded by connecting. */
    private @Nullable Failed failed;

    private record Failed(UnavailableException failure, long endedNanos) {}

    /** The limits of the queue service, equal at every owner and asked for once. */
    private @Nullable QueueLimits limits;

    /** Calls that wait for answers on one connection. */
    private record Connection(Frames frames, Map<Long, Promise<Frames.Frame>> waiting) {
        void fail() {
            frames.close();
            waiting.values().forEach(one -> one.fail(new LostAnswer()));
        }
    }

    /** The connection broke before there was an answer. */
    private static final class LostAnswer extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private Attachment(Path directory, Tasks tasks) {
        this.directory = directory;
        this.tasks = tasks;
    }

    /**
     * Attaches to the owner of a directory.
     *
     * @throws UnavailableException when the directory has no owner that answers
     * @throws InvalidRequestException when the owner is of another release
     */
    public static Attachment to(Path directory, Tasks tasks) {
        Attachment attachment = new Attachment(directory, tasks);
        try {
            attachment.limits = attachment.call(Call.QUEUE_LIMITS);
            return attachment;
        } catch (RuntimeException failure) {
            attachment.close();
            throw failure;
        }
    }

    public ObjectStore objects() {
        return new AttachedObjects(this);
    }

    public QueueService queues() {
        return new AttachedQueues(this, Objects.requireNonNull(limits));
    }

    /** Returns the damage of the owner's queues; see {@link io.penstock.core.local.LocalCloud#damage}. */
    public List<String> damage() {
        return call(Call.DAMAGE);
    }

    /** Makes a call at the owner, and returns what it returned. */
    @SuppressWarnings("unchecked")
    <T> T call(Call call, Object... arguments) {
        return (T) uninterruptibly(call, arguments)
                .orElseThrow(
                        () -> new CorruptDataException("the owner of a directory left an answer out", "call", call));
    }

    /** Makes a call at the owner that returns nothing. */
    void tell(Call call, Object... arguments) {
        var unused = uninterruptibly(call, arguments);
    }

    /** An interrupt does not cut a call short, because its outcome must be known. */
    private Optional<Object> uninterruptibly(Call call, Object... arguments) {
        return tasks.uninterruptibly("attached", () -> Optional.ofNullable(ask(call, arguments)));
    }

    private @Nullable Object ask(Call call, Object... arguments) {
        Connection to = connected();
        long number = lastNumber.incrementAndGet();
        Promise<Frames.Frame> answer = tasks.promise();
        to.waiting.put(number, answer);
        try {
            to.frames.within(tasks, ANSWER_MAX, () -> {
                to.frames.send(number, out -> {
                    out.writeByte(call.ordinal());
                    Values.write(out, Arrays.asList(arguments));
                });
                return true;
            });
            if (connection != to) {
                throw new LostAnswer(); // it broke before the promise was there to be failed
            }
            if (!answer.awaitFor(patience(call, arguments))) {
                throw new SocketTimeoutException("no answer");
            }
            return result(answer.await());
        } catch (IllegalArgumentException tooLong) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "a request is too long for an attached process; make it smaller",
                    tooLong,
                    "call",
                    call);
        } catch (IOException | LostAnswer broken) {
            lose(to);
            throw call.reads()
                    ? gone(broken)
                    : new OutcomeUnknownException(
                            "the owner of the directory went away, or stopped, before it answered; read to find out",
                            broken,
                            "directory",
                            directory);
        } finally {
            to.waiting.remove(number);
        }
    }

    private static Duration patience(Call call, Object... arguments) {
        return call == Call.RECEIVE && arguments[3] instanceof Duration wait ? ANSWER_MAX.plus(wait) : ANSWER_MAX;
    }

    private static @Nullable Object result(Frames.Frame answer) throws IOException {
        if (answer.body().readBoolean()) {
            return Values.read(answer.body());
        }
        throw Failures.read(answer.body());
    }

    private UnavailableException gone(Throwable cause) {
        if (cause instanceof SocketTimeoutException || cause.getCause() instanceof SocketTimeoutException) {
            return new UnavailableException(
                    "the process that has the directory open does not answer; continue it if it was stopped, or end it",
                    cause,
                    "directory",
                    directory,
                    "owner",
                    DirectoryLock.owner(directory));
        }
        return new UnavailableException(
                "the process that has the directory open went away; open the directory instead of attaching to it",
                cause,
                "directory",
                directory);
    }

    private Connection connected() {
        Connection known = connection;
        if (known != null) {
            return known;
        }
        long askedNanos = tasks.nanoTime();
        return connecting.with(() -> {
            Connection other = connection;
            Failed last = failed;
            if (closed) {
                throw new ClosedException("the attachment to a directory is closed", "directory", directory);
            }
            if (other != null) {
                return other;
            }
            if (last != null && last.endedNanos - askedNanos >= 0) {
                throw gone(last.failure); // else many callers would wait for one another's tries
            }
            Connection fresh = new Connection(connect(), new ConcurrentHashMap<>());
            connection = fresh;
            var unused = tasks.start("answers", () -> receive(fresh));
            return fresh;
        });
    }

    private Frames connect() {
        Frames frames = null;
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            frames = new Frames(channel);
            Frames fresh = frames;
            int version = frames.within(tasks, GREETING_MAX, () -> {
                channel.connect(UnixDomainSocketAddress.of(Sharing.socket(directory)));
                return fresh.greet();
            });
            if (version == Frames.VERSION) {
                return frames;
            }
            frames.close();
            throw new InvalidRequestException(
                    ErrorCode.OTHER_RELEASE,
                    "the process that has the directory open is of another release; use the same",
                    "directory",
                    directory,
                    "its",
                    version,
                    "own",
                    Frames.VERSION);
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            if (frames != null) {
                frames.close();
            }
            UnavailableException failure = gone(e);
            failed = new Failed(failure, tasks.nanoTime());
            throw failure;
        }
    }

    private void receive(Connection from) {
        try {
            while (true) {
                Frames.Frame answer = from.frames.receive();
                Promise<Frames.Frame> waits = from.waiting.get(answer.number());
                if (waits != null) {
                    waits.complete(answer);
                }
            }
        } catch (IOException broken) {
            lose(from);
        }
    }

    private void lose(Connection broken) {
        connecting.run(() -> connection = connection == broken ? null : connection);
        broken.fail();
    }

    @Override
    public void close() {
        closed = true;
        Connection known = connection;
        if (known != null) {
            lose(known);
        }
    }

    /** The object store of a directory that another process owns. */
    private record AttachedObjects(Attachment owner) implements ObjectStore {
        @Override
        public Optional<StoredObject> get(String key) {
            return owner.call(Call.GET, key);
        }

        @Override
        public TimedObject getTimed(String key) {
            return owner.call(Call.LOOK, key);
        }

        @Override
        public Optional<StoredObject> getRange(String key, long offset, int length) {
            return owner.call(Call.GET_RANGE, key, offset, length);
        }

        @Override
        public Refreshed getIfChanged(String key, ObjectVersion known) {
            return owner.call(Call.GET_IF_CHANGED, key, known);
        }

        @Override
        public Written put(String key, Bytes body, WriteCondition condition) {
            return owner.call(Call.PUT, key, body, condition);
        }

        @Override
        public ObjectUpload upload(String key, int partBytes) {
            // Of this attachment, not of one connection: the next owner must not take it for another upload.
            long number = owner.lastNumber.incrementAndGet();
            owner.tell(Call.BEGIN_UPLOAD, number, key, partBytes);
            return new Upload(owner, number);
        }

        @Override
        public void delete(String key) {
            owner.tell(Call.DELETE, key);
        }

        @Override
        public void deleteAll(Collection<String> keys) {
            owner.tell(Call.DELETE_ALL, List.copyOf(keys));
        }

        @Override
        public Listing list(String prefix, String startAfter, int limit) {
            return owner.call(Call.LIST, prefix, startAfter, limit);
        }

        @Override
        public void close() {
            owner.close();
        }

        /** An upload that an owner has begun. */
        private record Upload(Attachment owner, long number) implements ObjectUpload {
            @Override
            public void part(int place, Bytes part) {
                owner.tell(Call.UPLOAD_PART, number, place, part);
            }

            @Override
            public void complete(int parts) {
                owner.tell(Call.COMPLETE_UPLOAD, number, parts);
            }

            @Override
            public void abort() {
                owner.tell(Call.ABORT_UPLOAD, number);
            }
        }
    }

    /** The queues of a directory that another process owns. */
    private record AttachedQueues(Attachment owner, QueueLimits limits) implements QueueService {
        @Override
        public MessageQueue create(String name, QueueAttributes attributes) {
            return new Queue(owner, owner.call(Call.CREATE_QUEUE, name, attributes));
        }

        @Override
        public Optional<MessageQueue> find(String name) {
            Optional<String> found = owner.call(Call.FIND_QUEUE, name);
            return found.map(there -> new Queue(owner, there));
        }

        @Override
        public List<String> list(String prefix) {
            return owner.call(Call.LIST_QUEUES, prefix);
        }

        @Override
        public void delete(String name) {
            owner.tell(Call.DELETE_QUEUE, name);
        }

        @Override
        public void close() {
            owner.close();
        }

        /** One queue, known by its name. */
        private record Queue(Attachment owner, String name) implements MessageQueue {
            @Override
            public List<SendResult> send(List<Bytes> bodies) {
                return owner.call(Call.SEND, name, bodies);
            }

            @Override
            public List<Delivery> receive(int max, Duration visibility, Duration wait) {
                return owner.call(Call.RECEIVE, name, max, visibility, wait);
            }

            @Override
            public List<Receipt> delete(List<Receipt> receipts) {
                return owner.call(Call.DELETE_MESSAGES, name, receipts);
            }

            @Override
            public void changeVisibility(Receipt receipt, Duration visibility) {
                owner.tell(Call.CHANGE_VISIBILITY, name, receipt, visibility);
            }

            @Override
            public QueueDepth depth() {
                return owner.call(Call.DEPTH, name);
            }

            @Override
            public QueueConfiguration configuration() {
                return owner.call(Call.CONFIGURATION, name);
            }
        }
    }
}
