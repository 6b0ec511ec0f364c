package io.penstock.bench.experiment.kills;

import io.penstock.core.ClientId;
import io.penstock.core.Stamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A writer's own record of what it began and what was acknowledged to it, in a file, on disk before it goes on: what a
 * killed process has said into a pipe may be lost with the pipe. For one thread.
 */
final class Journal implements AutoCloseable {
    private static final String BEGUN = "begun";
    private static final String ACKNOWLEDGED = "acknowledged";

    /** Ends each line; a line without it was cut short, which says that what it tells had not happened yet. */
    private static final String END = ";";

    private final FileChannel file;

    Journal(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("a journal cannot be written; is the disk full?", e);
        }
    }

    /** To be called before the first request of the transaction's commit. */
    void begun(long number) {
        write(BEGUN + " " + number);
    }

    /** To be called when the commit has returned. */
    void acknowledged(long number, Stamp stamp) {
        write(ACKNOWLEDGED + " " + number + " " + stamp.time() + " "
                + stamp.client().hex());
    }

    private void write(String line) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap((line + END + "\n").getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException("a journal cannot be written; is the disk full?", e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a journal cannot be closed; is the disk full?", e);
        }
    }

    /** What one writer began, and what of it was acknowledged, with its stamp. */
    record Content(Set<Long> begun, Map<Long, Stamp> acknowledged) {}

    /** Empty for a writer that had not even made the file. */
    static Content read(Path path) {
        Set<Long> begun = new HashSet<>();
        Map<Long, Stamp> acknowledged = new HashMap<>();
        try {
            for (String line : Files.readAllLines(path, StandardCharsets.US_ASCII)) {
                if (!line.endsWith(END)) {
                    continue;
                }
                String[] words = line.substring(0, line.length() - END.length()).split(" ");
                long number = Long.parseLong(words[1]);
                if (words[0].equals(BEGUN)) {
                    begun.add(number);
                } else {
                    acknowledged.put(number, new Stamp(Long.parseLong(words[2]), ClientId.fromHex(words[3])));
                }
            }
        } catch (NoSuchFileException none) {
            return new Content(begun, acknowledged);
        } catch (IOException e) {
            throw new UncheckedIOException("a journal cannot be read; was it removed?", e);
        }
        return new Content(begun, acknowledged);
    }
}
