package io.penstock.core.local.shared;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.task.Permits;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the processes that attach to a directory of which this process is the owner. Ends with {@link #close}, which
 * cuts them off: what they had asked for may be done or not.
 */
public final class Sharing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sharing.class);

    private static final String SOCKET = "socket";

    /** The time after which a connection that sends nothing is closed. */
    private static final Duration GREETING_MAX = Duration.ofSeconds(10);

    /** The least that systems allow, less the byte that ends it. */
    private static final int PATH_BYTES_MAX = 103;

    /** The pause between two tries to accept when that fails, as when the process has too many open files. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    /** The maximum number of calls that one connection has under way. A receive that waits is one of them. */
    private static final int IN_FLIGHT = 1024;

    private final @Nullable ServerSocketChannel server;
    private final Supplier<Answers> answers;
    private final Tasks tasks;
    private final Path socket;
    private final boolean alone;
    private final Set<Frames> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private Sharing(
            @Nullable ServerSocketChannel server, Supplier<Answers> answers, Tasks tasks, Path socket, boolean alone) {
        this.server = server;
        this.answers = answers;
        this.tasks = tasks;
        this.socket = socket;
        this.alone = alone;
    }

    /** Whether the real path of a directory is short enough for a socket in it. */
    public static boolean isPossible(Path directory) {
        return socket(directory).toString().getBytes(StandardCharsets.UTF_8).length <= PATH_BYTES_MAX;
    }

    /** Returns the socket at which the owner of a directory listens. */
    static Path socket(Path directory) {
        return directory.resolve(SOCKET);
    }

    /**
     * Begins to listen. Where there can be no such socket, as on some file systems or for a path of more than about 100
     * bytes, no process can attach; that is logged.
     *
     * @param directory a real path, of which the caller holds the lock
     * @param damage the damage of the queues, see {@link io.penstock.core.local.LocalCloud#damage}
     * @param alone whether this process takes all other writers for dead, so that the attached ones can only read
     */
    public static Sharing of(
            Path directory,
            ObjectStore objects,
            QueueService queues,
            Supplier<List<String>> damage,
            Tasks tasks,
            boolean alone) {
        Supplier<Answers> answers = () -> new Answers(objects, queues, damage);
        Path socket = socket(directory);
        ServerSocketChannel server = null;
        try {
            Files.deleteIfExists(socket); // of an owner that was killed
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket));
            ownOnly(socket);
        } catch (IOException | UnsupportedOperationException e) {
            closeQuietly(server);
            LOG.info("no other process can attach to this directory directory={} why={}", directory, e.getMessage());
            return new Sharing(null, answers, tasks, socket, alone);
        }
        Sharing sharing = new Sharing(server, answers, tasks, socket, alone);
        ServerSocketChannel open = server;
        var unused = tasks.start("sharing", () -> sharing.accept(open));
        return sharing;
    }

    private static void ownOnly(Path socket) throws IOException {
        if (Files.getFileStore(socket).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        }
    }

    private void accept(ServerSocketChannel from) {
        boolean told = false;
        while (!closed) {
            try {
                SocketChannel channel = from.accept();
                told = false;
                var unused = tasks.start("attached", () -> serve(new Frames(channel)));
            } catch (IOException e) {
                if (closed) {
                    return;
                }
                if (!told) {
                    LOG.warn("other processes cannot attach now and are kept waiting why={}", e.getMessage());
                }
                told = true;
                tasks.sleep(AGAIN);
            }
        }
    }

    private void serve(Frames frames) {
        connections.add(frames);
        Answers toThis = answers.get();
        Permits inFlight = new Permits(tasks, IN_FLIGHT);
        try (frames) {
            if (closed || frames.within(tasks, GREETING_MAX, frames::greet) != Frames.VERSION) {
                return; // the other end has been told ours, and says what is wrong
            }
            while (true) {
                Frames.Frame request = frames.receive();
                inFlight.acquire();
                var unused = tasks.start("request", () -> {
                    try {
                        answer(frames, request, toThis);
                    } finally {
                        inFlight.release();
                    }
                });
            }
        } catch (IOException gone) {
            LOG.debug("an attached process is gone why={}", gone.getMessage());
        } finally {
            connections.remove(frames);
            toThis.end();
        }
    }

    private void answer(Frames frames, Frames.Frame request, Answers answers) {
        try {
            try {
                Object result = result(request, answers);
                frames.send(request.number(), out -> {
                    out.writeBoolean(true);
                    Values.write(out, result);
                });
            } catch (StoreException failure) {
                frames.send(request.number(), out -> {
                    out.writeBoolean(false);
                    Failures.write(out, failure);
                });
            }
        } catch (IOException | RuntimeException broken) {
            // Nothing that is known of this request can be said; a cut connection says so.
            LOG.debug("an attached process is cut off why={}", broken.toString());
            frames.close();
        }
    }

    private @Nullable Object result(Frames.Frame request, Answers answers) throws IOException {
        int number = request.body().readUnsignedByte();
        if (number >= Call.values().length || !(Values.read(request.body()) instanceof List<?> arguments)) {
            throw new IOException("no call of this protocol: " + number);
        }
        Call call = Call.values()[number];
        if (alone && !call.reads()) {
            throw new InvalidRequestException(
                    ErrorCode.DIRECTORY_IN_USE,
                    "another process has the directory for itself, so this one can only read; open it by"
                            + " Settings.shared in both",
                    "directory",
                    socket.getParent());
        }
        return answers.to(call, new Answers.Arguments(arguments));
    }

    @Override
    public void close() {
        closed = true;
        if (server == null) {
            return;
        }
        closeQuietly(server);
        connections.forEach(Frames::close);
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            LOG.info("the socket of a directory is left behind; its next owner removes it why={}", e.getMessage());
        }
    }

    @SuppressWarnings("EmptyCatch")
    private static void closeQuietly(@Nullable ServerSocketChannel server) {
        try {
            if (server != null) {
                server.close();
            }
        } catch (IOException ignored) {
        }
    }
}
