package io.penstock.core.queue.local;

import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import io.penstock.core.disk.FileAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.SingleFileStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.StringDataType;

/**
 * The file in which earlier releases kept all queues: an H2 MVStore with two maps, queues by name and messages by
 * {@link MessageKey}. It is read once, into the log. What takes its place is nothing that those releases can open, or
 * they would begin with no queues.
 */
final class OldQueueFile {
    /** Begins the file that takes its place. */
    private static final String MOVED = "The queues are in the directory beside this file.";

    /** As long as the header that H2 reads, so that earlier releases call it damaged, not unreadable. */
    private static final int MOVED_BYTES = 64 << 10;

    /** The most entries that are handed on at a time: 8 MiB at 1 MiB each would be the worst. */
    private static final int SLICE = 64;

    private final Path path;
    private final SegmentFiles files;
    private final FileAccess access;

    /** @param files those of the log; the file is beside their directory and has its name with {@code .mv} */
    OldQueueFile(SegmentFiles files) {
        Path directory = files.directory();
        this.path = directory.resolveSibling(directory.getFileName() + ".mv");
        this.files = files;
        this.access = files.access();
    }

    /** Whether there is a file with something in it. */
    boolean isThere() throws IOException {
        return Files.exists(path) && Files.size(path) > 0;
    }

    /** Whether {@link #replace} has been here. Damage to what it wrote must not make it a file of queues again. */
    boolean isReplaced() throws IOException {
        if (!Files.exists(path)) {
            return false;
        }
        byte[] wanted = MOVED.getBytes(StandardCharsets.US_ASCII);
        byte[] start = new byte[wanted.length];
        try (FileChannel channel = access.open(path, StandardOpenOption.READ)) {
            channel.read(ByteBuffer.wrap(start), 0);
        }
        int same = 0;
        for (int i = 0; i < start.length; i++) {
            same += start[i] == wanted[i] ? 1 : 0;
        }
        return same > start.length / 2;
    }

    /** Hands on all queues, then all messages. A crash in between is no matter: entries may be given twice. */
    void readAll(Consumer<List<LogEntry>> entries) {
        // A store that fails as it opens leaves its file locked, so the file is closed here in any case.
        SingleFileStore file = new SingleFileStore(new HashMap<>());
        MVStore store = null;
        try {
            file.open(path.toString(), true, null);
            store = new MVStore.Builder()
                    .adoptFileStore(file)
                    .autoCommitDisabled()
                    .open();
            readAll(store, entries);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) { // H2 asserts what it reads
            throw translate(e);
        } finally {
            if (store != null) {
                store.closeImmediately();
            }
            file.close();
        }
    }

    private void readAll(MVStore store, Consumer<List<LogEntry>> entries) {
        MVMap<String, byte[]> queues = store.openMap(
                "queues",
                new MVMap.Builder<String, byte[]>()
                        .keyType(StringDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
        MVMap<byte[], byte[]> messages = store.openMap(
                "messages",
                new MVMap.Builder<byte[], byte[]>()
                        .keyType(ByteArrayDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
        for (Map.Entry<String, byte[]> entry : queues.entrySet()) {
            LogEntry queue = OldRecords.queue(entry.getKey(), entry.getValue());
            entries.accept(List.of(queue, queue));
        }
        List<LogEntry> slice = new ArrayList<>();
        for (Map.Entry<byte[], byte[]> entry : messages.entrySet()) {
            slice.add(OldRecords.message(MessageKey.decode(entry.getKey()), entry.getValue()));
            if (slice.size() == SLICE) {
                entries.accept(List.copyOf(slice));
                slice.clear();
            }
        }
        entries.accept(slice);
    }

    /** Puts a file in its place that says where the queues are, durably. */
    void replace() throws IOException {
        Path made = path.resolveSibling(path.getFileName() + ".new");
        ByteBuffer bytes = ByteBuffer.allocate(MOVED_BYTES);
        bytes.put(MOVED.getBytes(StandardCharsets.US_ASCII)).rewind();
        try (FileChannel channel = access.open(
                made, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
            SegmentFiles.write(channel, bytes, 0);
            files.flush(channel);
        }
        access.move(made, path);
        files.flushNames(Objects.requireNonNull(path.getParent()));
    }

    /** One clear line for whatever H2 throws; it meets damage with exceptions of any kind. */
    private StoreException translate(Throwable e) {
        if (e instanceof MVStoreException known) {
            switch (known.getErrorCode()) {
                case DataUtils.ERROR_FILE_LOCKED -> {
                    return new InvalidRequestException(
                            "the queue file is in use by another process or handle; close that one", e, "file", path);
                }
                case DataUtils.ERROR_READING_FAILED -> {
                    return new UnavailableException(
                            "the queue file cannot be read; see the cause, then retry", e, "file", path);
                }
                default -> {}
            }
        }
        return new CorruptDataException("the queue file is damaged; restore it", e, "file", path);
    }
}
