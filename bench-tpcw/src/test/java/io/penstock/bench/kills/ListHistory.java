package io.penstock.bench.kills;

import io.penstock.bench.program.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The history of one thread, a line of JSON for each event, written before the thread goes on. It survives the death of
 * the process; it is not forced to disk, as no machine dies. For one thread.
 */
final class ListHistory implements AutoCloseable {
    /** The kinds of events. */
    enum What {
        /** A transaction begins. */
        BEGUN,
        /** Its body is done, perhaps for another time; its commit follows. */
        DONE,
        /** The commit was acknowledged. */
        OK,
        /** Nothing was committed, as the thread was told. */
        FAILED,
        /** The transaction may be committed. */
        UNKNOWN
    }

    /**
     * A look at a list, and perhaps an append to it.
     *
     * @param read the list before the append
     * @param appended 0: nothing
     */
    record Step(long list, List<Long> read, long appended) {}

    /** @param steps of {@link What#DONE}; else none */
    private record Event(What what, long number, long millis, List<Step> steps) {}

    /**
     * A transaction.
     *
     * @param name for reports
     * @param outcome one of the last three
     * @param beginMillis when it was about to begin
     * @param endMillis when its outcome was known
     * @param steps of the body that last came to its end; none when none has
     */
    record Attempt(String name, What outcome, long beginMillis, long endMillis, List<Step> steps) {}

    private final FileChannel file;

    ListHistory(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("a history cannot be written; is the disk full?", e);
        }
    }

    /** @param number of the transaction among the thread's */
    void write(What what, long number, long millis, List<Step> steps) {
        String line = Wire.write(new Event(what, number, millis, steps)) + "\n";
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a history cannot be written; is the disk full?", e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Returns the number of acknowledged transactions so far. */
    static long acknowledged(Path path) {
        String mark = "{\"what\":\"" + What.OK + "\"";
        return lines(path).stream().filter(line -> line.startsWith(mark)).count();
    }

    /** Returns the transactions of a thread. One without an outcome is {@link What#UNKNOWN}. */
    static List<Attempt> read(Path path) {
        List<Attempt> attempts = new ArrayList<>();
        Optional<Attempt> open = Optional.empty();
        for (String line : lines(path)) {
            Event event = Wire.read(line, Event.class);
            if (event.what == What.BEGUN) {
                open.ifPresent(attempts::add);
                String name = path.getFileName() + "#" + event.number;
                open = Optional.of(new Attempt(name, What.UNKNOWN, event.millis, event.millis, List.of()));
            } else {
                open = open.map(attempt -> with(attempt, event));
            }
        }
        open.ifPresent(attempts::add);
        return attempts;
    }

    private static Attempt with(Attempt attempt, Event event) {
        return event.what == What.DONE
                ? new Attempt(attempt.name, What.UNKNOWN, attempt.beginMillis, event.millis, event.steps)
                : new Attempt(attempt.name, event.what, attempt.beginMillis, event.millis, attempt.steps);
    }

    /** Returns the lines, without the last one if it was cut short; none of a thread that has not created the file. */
    private static List<String> lines(Path path) {
        if (!Files.exists(path)) {
            return List.of();
        }
        try {
            String text = Files.readString(path);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("a history cannot be read; was it removed?", e);
        }
    }
}
