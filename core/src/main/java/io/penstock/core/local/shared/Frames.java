package io.penstock.core.local.shared;

import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Promise;
import io.penstock.core.task.Tasks;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One end of a connection: frames of a length (4 bytes), the number of a request (8 bytes) and a body. Before the first
 * frame each end sends {@link #MAGIC} and {@link #VERSION}. Any number of threads may write, one may read.
 */
final class Frames implements AutoCloseable {
    static final int MAGIC = 0x50454e53;

    /** Grows with every change of {@link Call}, {@link Values} or {@link Failures}. */
    static final int VERSION = 1;

    /** An object that is read whole is 32 MiB and a little at most; a part of a large one may be as long. */
    static final int BODY_BYTES_MAX = 64 << 20;

    private final SocketChannel channel;
    private final DataInputStream in;
    private final MemoryLock writing = new MemoryLock();

    /** A frame: the number of its call, and its body. */
    record Frame(long number, DataInputStream body) {}

    /** A writer of a frame's body. */
    interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    Frames(SocketChannel channel) {
        this.channel = channel;
        this.in = new DataInputStream(Channels.newInputStream(channel));
    }

    /** A step of input or output that must not take long. */
    interface Step<T> {
        T run() throws IOException;
    }

    /**
     * Runs a step. If it takes too long, the connection is cut, which ends all waits on it.
     *
     * @throws SocketTimeoutException when it was cut for that
     */
    <T> T within(Tasks tasks, Duration atMost, Step<T> step) throws IOException {
        Promise<Boolean> done = tasks.promise();
        AtomicBoolean late = new AtomicBoolean();
        var unused = tasks.start("watch", () -> {
            if (!done.awaitFor(atMost)) {
                late.set(true);
                close();
            }
        });
        try {
            return step.run();
        } catch (IOException cut) {
            if (late.get()) {
                SocketTimeoutException slow =
                        new SocketTimeoutException("no answer within " + atMost.toSeconds() + " s");
                slow.initCause(cut);
                throw slow;
            }
            throw cut;
        } finally {
            done.complete(true);
        }
    }

    /** Exchanges versions; returns that of the other end. */
    int greet() throws IOException {
        ByteBuffer hello = ByteBuffer.allocate(Integer.BYTES * 2);
        hello.putInt(MAGIC).putInt(VERSION).flip();
        writeFully(hello);
        if (in.readInt() != MAGIC) {
            throw new IOException("the other end speaks another protocol");
        }
        return in.readInt();
    }

    /** @throws IllegalArgumentException when the body is too long; nothing was sent */
    void send(long number, Body body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(0);
            out.writeLong(number);
            body.write(out);
        }
        int length = bytes.size() - Integer.BYTES;
        if (length > BODY_BYTES_MAX) {
            throw new IllegalArgumentException("a request or answer of " + length + " bytes is too long");
        }
        writeFully(ByteBuffer.wrap(bytes.toByteArray()).putInt(0, length));
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        writing.lock();
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } finally {
            writing.unlock();
        }
    }

    Frame receive() throws IOException {
        int length = in.readInt();
        if (length < Long.BYTES || length > BODY_BYTES_MAX) {
            throw new IOException("a frame of " + length + " bytes");
        }
        long number = in.readLong();
        byte[] body = in.readNBytes(length - Long.BYTES);
        if (body.length < length - Long.BYTES) {
            throw new IOException("a frame was cut");
        }
        return new Frame(number, new DataInputStream(new ByteArrayInputStream(body)));
    }

    @Override
    @SuppressWarnings("EmptyCatch")
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
        }
    }
}
