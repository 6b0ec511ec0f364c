package io.penstock.bench.kills;

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
 * A writer's log of what it begins and of what it is told, forced to disk before it goes on. (A pipe may lose the
 * output of a killed process.) For one thread.
 */
final class Journal implements AutoCloseable {
    private static final String BEGUN = "begun";
    private static final String ACKNOWLEDGED = "acknowledged";
    private static final String NOTHING = "nothing";
    private static final String STRUCK = "struck";

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

    /** Call after the commit has failed, and said that nothing was committed. */
    void toldNothing(long number) {
        write(NOTHING + " " + number);
    }

    /** Call after a transaction during which the writer was interrupted. */
    void struck(long number) {
        write(STRUCK + " " + number);
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

    /**
     * The transactions of one writer.
     *
     * @param acknowledged with their stamps
     * @param nothing those of which the writer was told that nothing was committed
     * @param struck those during which the writer was interrupted
     */
    record Content(Set<Long> begun, Map<Long, Stamp> acknowledged, Set<Long> nothing, Set<Long> struck) {
        static Content empty() {
            return new Content(new HashSet<>(), new HashMap<>(), new HashSet<>(), new HashSet<>());
        }

        private void add(String[] words) {
            long number = Long.parseLong(words[1]);
            switch (words[0]) {
                case BEGUN -> begun.add(number);
                case NOTHING -> nothing.add(number);
                case STRUCK -> struck.add(number);
                default -> acknowledged.put(number, new Stamp(Long.parseLong(words[2]), ClientId.fromHex(words[3])));
            }
        }
    }

    /** Empty for a writer that has not created the file. */
    static Content read(Path path) {
        Content content = Content.empty();
        try {
            for (String line : Files.readAllLines(path, StandardCharsets.US_ASCII)) {
                if (line.endsWith(END)) {
                    content.add(line.substring(0, line.length() - END.length()).split(" "));
                }
            }
        } catch (NoSuchFileException none) {
            return content;
        } catch (IOException e) {
            throw new UncheckedIOException("a journal cannot be read; was it removed?", e);
        }
        return content;
    }
}
