package io.penstock.core.overflow;

import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectUpload;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Writes one overflow object from a stream: in one put, or in parts, a few at a time, so that only these are in memory.
 * For one thread.
 */
final class OverflowWriter {
    /** The maximum number of parts being sent while the next is read. */
    private static final int IN_FLIGHT_MAX = 3;

    private final ObjectStore objects;
    private final Tasks tasks;
    private final BlockFormat format;
    private final int partBytes;
    private final OverflowName name;
    private final ArrayDeque<Task<Boolean>> inFlight = new ArrayDeque<>();
    private long length;
    private long block;
    private int parts;
    private @Nullable ObjectUpload upload;

    OverflowWriter(ObjectStore objects, Tasks tasks, BlockFormat format, int partBytes, OverflowName name) {
        this.objects = objects;
        this.tasks = tasks;
        this.format = format;
        this.partBytes = partBytes;
        this.name = name;
    }

    /** @param lengthMax a longer payload is refused */
    OverflowReference write(InputStream payload, long lengthMax) {
        try {
            boolean more = true;
            while (more) {
                Bytes part = fill(payload, lengthMax);
                more = part.length() == partBytes;
                send(part, more);
            }
            finish();
        } catch (RuntimeException failure) {
            giveUp(failure);
            throw failure;
        }
        return new OverflowReference(name.client(), name.number(), length);
    }

    /** The sealed blocks of one part; fewer at the end of the payload. */
    private Bytes fill(InputStream payload, long lengthMax) {
        byte[] part = new byte[(int) Math.min(partBytes, format.objectBytes(lengthMax - length))];
        int at = 0;
        while (at + BlockFormat.HEAD_BYTES < part.length) {
            int room = Math.min(format.blockBytes(), part.length - at) - BlockFormat.HEAD_BYTES;
            int read = read(payload, part, at + BlockFormat.HEAD_BYTES, room);
            if (read > 0) {
                format.seal(part, at, read, name, block++);
                at += BlockFormat.HEAD_BYTES + read;
                length += read;
            }
            if (read < room) {
                return Bytes.wrap(part, 0, at);
            }
        }
        if (length == lengthMax) {
            requireEnd(payload, lengthMax);
        }
        return Bytes.wrap(part, 0, at);
    }

    private static int read(InputStream payload, byte[] target, int at, int room) {
        try {
            return payload.readNBytes(target, at, room);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void requireEnd(InputStream payload, long lengthMax) {
        if (read(payload, new byte[1], 0, 1) > 0) {
            throw new InvalidRequestException(
                    ErrorCode.TOO_LARGE,
                    "a payload is too large; cut it into several records",
                    "payloadBytesMax",
                    lengthMax);
        }
    }

    private void send(Bytes part, boolean more) {
        if (upload == null && !more) {
            objects.put(name.key(), part, WriteCondition.ALWAYS);
            return;
        }
        if (part.isEmpty()) {
            return;
        }
        ObjectUpload begun = upload == null ? objects.upload(name.key(), partBytes) : upload;
        upload = begun;
        if (inFlight.size() == IN_FLIGHT_MAX) {
            inFlight.remove().join();
        }
        int number = ++parts;
        inFlight.add(tasks.start("overflow-part", () -> begun.part(number, part)));
    }

    private void finish() {
        if (upload != null) {
            while (!inFlight.isEmpty()) {
                inFlight.remove().join();
            }
            upload.complete(parts);
        }
    }

    /**
     * Aborts an upload. One that is complete stays, if its answer was lost: garbage collection will find that nothing
     * names it.
     */
    private void giveUp(RuntimeException failure) {
        for (Task<Boolean> task : inFlight) {
            try {
                task.join();
            } catch (StoreException another) {
                failure.addSuppressed(another);
            }
        }
        if (upload != null) {
            try {
                upload.abort();
            } catch (StoreException another) {
                failure.addSuppressed(another);
            }
        }
    }
}
