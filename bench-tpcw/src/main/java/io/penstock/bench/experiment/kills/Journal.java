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
 * A writer's log of begun and acknowledged transactions, forced to disk before the writer goes on. (A pipe may lose the
 * output of a killed process.) For one thread.
 */
final class Journal implements AutoCloseable {
    private static final String BEGUN = "begun";
    private static final String ACKNOWLEDGED = "acknowledged";

    /** The end of each line. A line without it was cut short: its event had not happened yet. */
    private static final String END = ";";

    private final FileChannel file;

    Journal(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("a journal cannot be written; is the disk full?", e);
        }
    }

    /** Call before the first request of the transaction's commit. */
    void begun(long number) {
        write(BEGUN + " " + number);
    }

    /** Call after the commit has returned. */
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

    /** The transactions that one writer began, and those acknowledged, with their stamps. */
    record Content(Set<Long> begun, Map<Long, Stamp> acknowledged) {}

    /** Empty for a writer that has not created the file. */
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
