package io.penstock.cli;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Scan;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.transfer.RecordFormat;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock export}. */
@Command(
        name = "export",
        description = "Writes the records of a collection to a file, or with - to standard output.",
        sortOptions = false)
final class ExportCommand extends StoreCommand {
    private static final int PROGRESS_STEP = 1000;

    @Option(names = "--collection", paramLabel = "C", required = true, description = "the collection")
    private String collection = "";

    @Option(names = "--format", paramLabel = "F", description = "jsonl (default) or csv")
    private RecordFormat format = RecordFormat.JSONL;

    @Parameters(paramLabel = "FILE", description = "must not exist yet")
    private String file = "";

    private final PrintStream err;
    private long exported;
    private boolean lost;

    ExportCommand(PrintStream out, PrintStream err) {
        super(out, Use.READ);
        this.err = err;
    }

    @Override
    boolean run(Penstock opened) {
        long pending = opened.admin().backlog().total();
        try {
            export(opened);
        } catch (IOException e) {
            throw new UnavailableException(
                    ErrorCode.DISK_UNUSABLE,
                    "the export cannot be written; see the cause, make room, then repeat it",
                    e,
                    "file",
                    file,
                    "cause",
                    e);
        }
        if (pending > 0) {
            err.println("penstock: messages that are committed but not applied, and so not exported; run"
                    + " scripts/penstock sweep and export again: " + pending);
        }
        return true;
    }

    private void export(Penstock opened) throws IOException {
        if (file.equals("-")) {
            write(opened, out);
            out.flush();
            return;
        }
        Path target = Path.of(file);
        if (Files.exists(target)) {
            throw new InvalidRequestException(
                    ErrorCode.ALREADY_EXISTS, "the file exists already; remove it or name another", "file", file);
        }
        // A file with the final name is complete.
        Path part = Path.of(file + ".part");
        try (OutputStream unfinished = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
            write(opened, unfinished);
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        out.println("exported records: " + exported);
    }

    private void write(Penstock opened, OutputStream target) throws IOException {
        try (Rows records = new Rows(opened.rawCollection(collection));
                ProgressLine progress = new ProgressLine(err, "exported", 0, () -> 0)) {
            format.write(target, new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return !lost && records.hasNext();
                }

                @Override
                public Entry<Bytes, Bytes> next() {
                    if (++exported % PROGRESS_STEP == 0) {
                        progress.accept(exported);
                        lost = target == out && out.checkError(); // told at the end of the command
                    }
                    return records.next();
                }
            });
            progress.accept(exported);
        }
    }

    /**
     * The records of a collection that others may write to: where its state is gone, the further records of a newer
     * one.
     */
    private static final class Rows implements AutoCloseable {
        private final RecordCollection<Bytes, Bytes> collection;
        private Scan<Entry<Bytes, Bytes>> scan;

        Rows(RecordCollection<Bytes, Bytes> collection) {
            this.collection = collection;
            this.scan = from(null);
        }

        private Scan<Entry<Bytes, Bytes>> from(@Nullable String token) {
            return collection.scan(KeySpan.all().after(token)).toEnd();
        }

        boolean hasNext() {
            while (true) {
                try {
                    return scan.hasNext();
                } catch (ConflictException gone) {
                    String token = scan.token().orElse(null);
                    scan.close();
                    scan = from(token);
                }
            }
        }

        Entry<Bytes, Bytes> next() {
            return scan.next();
        }

        @Override
        public void close() {
            scan.close();
        }
    }
}
