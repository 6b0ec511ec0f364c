package io.penstock.core.queue.local;

import io.penstock.core.Durability;
import io.penstock.core.disk.FileAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.TreeMap;

/** The files of the queues' log in their directory: segments, the mark, and damaged segments that were set aside. */
final class SegmentFiles {
    private static final String SUFFIX = ".log";
    private static final String MARK = "acknowledged";
    private static final String DAMAGED = "damaged";

    /**
     * The most bytes of a segment that are read: a segment ends with the batch that filled it, so a longer file has
     * foreign bytes at its end.
     */
    private static final int READ_MAX = 64 << 20;

    /** The most bytes that one write hands to the system, which copies them. */
    private static final int WRITE_MAX = 1 << 20;

    /** A segment that has reached this size gets no more entries. */
    private static final int SEGMENT_BYTES = 4 << 20;

    private final Path directory;
    private final FileAccess access;
    private final boolean isFlushed;
    private final int segmentBytes;

    SegmentFiles(Path directory, FileAccess access, Durability durability) {
        this(directory, access, durability, SEGMENT_BYTES);
    }

    /** @param segmentBytes small for tests */
    SegmentFiles(Path directory, FileAccess access, Durability durability, int segmentBytes) {
        this.directory = directory;
        this.access = access;
        this.isFlushed = durability == Durability.FLUSHED;
        this.segmentBytes = segmentBytes;
    }

    int segmentBytes() {
        return segmentBytes;
    }

    /** The segments there are, by number. */
    TreeMap<Long, Segment> list() throws IOException {
        TreeMap<Long, Segment> segments = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                String digits = name.substring(0, name.length() - SUFFIX.length());
                if (digits.length() == 16 && digits.chars().allMatch(HexFormat::isHexDigit)) {
                    Segment segment = new Segment(HexFormat.fromHexDigitsToLong(digits), file, Files.size(file));
                    segments.put(segment.number(), segment);
                }
            }
        }
        return segments;
    }

    /** Creates a segment with its header, durably. On a failure there is none. */
    Writer create(SegmentHeader header) throws IOException {
        Path file = directory.resolve(HexFormat.of().toHexDigits(header.number()) + SUFFIX);
        FileChannel channel = access.open(
                file, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            write(channel, header.encode(), 0);
            flush(channel);
            flushNames();
            return new Writer(new Segment(header.number(), file, SegmentHeader.BYTES), channel);
        } catch (IOException failure) {
            channel.close();
            access.deleteIfExists(file);
            throw failure;
        }
    }

    /** The bytes of a segment. */
    byte[] read(Segment segment) throws IOException {
        return read(segment.file(), 0, (int) Math.min(READ_MAX, Files.size(segment.file())));
    }

    /** A part of a file, shorter if the file ends before. */
    byte[] read(Path file, long position, int length) throws IOException {
        try (FileChannel channel = access.open(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(length);
            while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) >= 0) {
                // The next piece.
            }
            return bytes.hasRemaining() ? Arrays.copyOf(bytes.array(), bytes.position()) : bytes.array();
        }
    }

    /** Removes a segment, or sets it aside if it is damaged: nothing that was damaged is deleted. */
    void remove(Segment segment) throws IOException {
        if (segment.isDamaged()) {
            Path aside = directory.resolve(DAMAGED);
            access.createDirectories(aside);
            access.move(
                    segment.file(), aside.resolve(String.valueOf(segment.file().getFileName())));
        } else {
            access.deleteIfExists(segment.file());
        }
        flushNames();
    }

    Path mark() {
        return directory.resolve(MARK);
    }

    Path directory() {
        return directory;
    }

    FileAccess access() {
        return access;
    }

    static void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        int end = bytes.limit();
        while (bytes.position() < end) {
            bytes.limit(Math.min(end, bytes.position() + WRITE_MAX));
            at += channel.write(bytes, at);
            bytes.limit(end);
        }
    }

    void flush(FileChannel channel) throws IOException {
        if (isFlushed) {
            channel.force(false);
        }
    }

    private void flushNames() throws IOException {
        if (isFlushed) {
            access.flushDirectory(directory);
        }
    }

    /** The newest segment, open for appending. */
    final class Writer {
        private final Segment segment;
        private final FileChannel channel;

        private Writer(Segment segment, FileChannel channel) {
            this.segment = segment;
            this.channel = channel;
        }

        Segment segment() {
            return segment;
        }

        /** Appends durably. */
        void append(ByteBuffer bytes) throws IOException {
            int length = bytes.remaining();
            write(channel, bytes, segment.size());
            flush(channel);
            segment.grown(length);
        }

        /** Takes back what a failed {@link #append} has left, durably, and closes the segment. */
        void takeBack() throws IOException {
            try (channel) {
                channel.truncate(segment.size());
                flush(channel);
            }
        }

        void close() throws IOException {
            channel.close();
        }
    }
}
