package io.penstock.core.object.local;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectRules;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * An object's file, open for reading. Files are only ever replaced whole, so an open one shows one version to its end.
 * For one thread.
 */
final class ObjectFile implements AutoCloseable {
    /** The version of a file whose own version cannot be read. */
    private static final ObjectVersion DAMAGED = new ObjectVersion("damaged");

    private final Path file;
    private final FileChannel channel;
    private final ObjectHeader header;

    private ObjectFile(Path file, FileChannel channel, ObjectHeader header) {
        this.file = file;
        this.channel = channel;
        this.header = header;
    }

    /** Opens the file and checks its header; null when there is no such file. */
    static @Nullable ObjectFile open(Path file) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ);
        } catch (NoSuchFileException e) {
            return null;
        }
        try {
            ByteBuffer head = ByteBuffer.allocate(ObjectHeader.BYTES);
            int length = fill(channel, head, 0);
            return new ObjectFile(file, channel, ObjectHeader.decode(head.array(), length, channel.size(), file));
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    /** The header of the file; null when there is no such file. */
    static @Nullable ObjectHeader readHeader(Path file) throws IOException {
        try (ObjectFile open = open(file)) {
            return open == null ? null : open.header;
        }
    }

    /**
     * The object as a listing shows it; null when there is no such file. A damaged file is listed by what the file
     * system knows of it: it is there, it hides no other object, and reading it shows what is wrong.
     */
    static Listing.@Nullable Entry list(Path file, String key) throws IOException {
        try {
            ObjectHeader header = readHeader(file);
            return header == null
                    ? null
                    : new Listing.Entry(key, header.bodyBytes(), header.version(), header.modifiedMillis());
        } catch (CorruptDataException damaged) {
            BasicFileAttributes known = Files.readAttributes(file, BasicFileAttributes.class);
            return new Listing.Entry(
                    key, known.size(), DAMAGED, known.lastModifiedTime().toMillis());
        }
    }

    ObjectHeader header() {
        return header;
    }

    StoredObject readAll() throws IOException {
        return read(0, ObjectRules.wholeBytes(header.bodyBytes(), file.toString()));
    }

    /** The part of the body from {@code offset} on, cut at the body's end. Only a whole body can be checked. */
    StoredObject read(long offset, int length) throws IOException {
        long from = Math.min(offset, header.bodyBytes());
        byte[] body = new byte[Math.toIntExact(Math.min(length, header.bodyBytes() - from))];
        if (fill(channel, ByteBuffer.wrap(body), ObjectHeader.BYTES + from) < body.length) {
            throw new EOFException("the file became shorter while it was read");
        }
        if (body.length == header.bodyBytes()) {
            header.check(body, file);
        }
        return new StoredObject(Bytes.wrap(body), header.version(), header.modifiedMillis());
    }

    private static int fill(FileChannel channel, ByteBuffer target, long position) throws IOException {
        while (target.hasRemaining()) {
            if (channel.read(target, position + target.position()) < 0) {
                break;
            }
        }
        return target.position();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
