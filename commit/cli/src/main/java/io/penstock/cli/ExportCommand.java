package io.penstock.cli;

import io.penstock.Entry;
import io.penstock.KeySpan;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.Scan;
import io.penstock.StoredFields;
import io.penstock.Transaction;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.TableFile;
import io.penstock.cli.program.UsageException;
import io.penstock.cli.transfer.RecordFormat;
import io.penstock.core.Bytes;
import io.penstock.core.ConflictException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import io.penstock.query.Fields;
import io.penstock.query.Query;
import io.penstock.query.Row;
import io.penstock.report.Backlog;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock export}. */
@Command(
        name = "export",
        description = "Writes the records of a collection to a file, or with - to standard output.",
        sortOptions = false)
final class ExportCommand extends StoreCommand {
    private static final int PROGRESS_STEP = 1000;

    /** The time for which checkpoints are asked to wait, so that one state stays readable. */
    private static final Duration HOLD = Duration.ofMinutes(10);

    @Option(names = "--collection", paramLabel = "C", required = true, description = "the collection")
    private String collection = "";

    @Option(names = "--format", paramLabel = "F", description = "jsonl (default), csv or parquet")
    private String format = "jsonl";

    @Mixin
    private final FieldsOption fields = new FieldsOption();

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
        long pending = pending(opened);
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

    /** Messages that are not on pages yet: of a collection in a domain, reads see all that is committed. */
    private long pending(Penstock opened) {
        if (position(opened.rawCollection(collection)).isPresent()) {
            return 0;
        }
        Backlog backlog = opened.admin().backlog();
        return backlog.pendingMessages() + backlog.atomicMessages();
    }

    private void export(Penstock opened) throws IOException {
        TableFile table = table();
        if (file.equals("-")) {
            if (table != null) {
                throw new UsageException("a file of this format is no stream; name a file instead of -");
            }
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
        Path part = Path.of(file + "." + ProcessHandle.current().pid() + ".part");
        if (table != null) {
            Files.deleteIfExists(part);
            writeTable(opened, table, part);
        } else {
            try (OutputStream unfinished = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
                write(opened, unfinished);
            }
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        print(Map.of("records", exported), () -> out.println("exported records: " + exported));
    }

    private void write(Penstock opened, OutputStream target) throws IOException {
        try (Lines records = new Lines(opened.rawCollection(collection));
                ProgressLine progress = new ProgressLine(err, "exported", 0, () -> 0)) {
            records(format).write(target, new Iterator<>() {
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

    private static RecordFormat records(String name) {
        return Arrays.stream(RecordFormat.values())
                .filter(known -> known.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("there is no such --format; use jsonl, csv or parquet (of the"
                        + " module penstock-parquet): " + name));
    }

    /** The format that a module on the class path has; null where it is one of lines. */
    private @Nullable TableFile table() {
        for (TableFile found : ServiceLoader.load(TableFile.class)) {
            if (found.name().equals(format)) {
                return found;
            }
        }
        RecordFormat unused = records(format);
        return null;
    }

    /** Writes one state, if the collection is in a domain. */
    private void writeTable(Penstock opened, TableFile table, Path part) throws IOException {
        RecordCollection<Bytes, Bytes> records = opened.rawCollection(collection);
        Fields all = StoredFields.of(records, fields.declared());
        RecordCollection<Bytes, Bytes> declared = records.declare(all);
        Query query = Query.all().select(all.all());
        try (ProgressLine progress = new ProgressLine(err, "exported", 0, () -> 0)) {
            Optional<String> position = position(declared);
            if (position.isEmpty()) {
                try (Rows rows = declared.query(query).toEnd()) {
                    table.write(part, all.all(), counted(rows, progress));
                }
            } else {
                try (Transaction state = opened.at(position.get(), HOLD);
                        Rows rows = state.query(declared, query).toEnd()) {
                    table.write(part, all.all(), counted(rows, progress));
                }
            }
            progress.accept(exported);
        }
    }

    /** The position of the state; empty for a collection that is in no domain. */
    private static Optional<String> position(RecordCollection<?, ?> records) {
        try {
            return Optional.of(records.position());
        } catch (InvalidRequestException without) {
            if (without.code() != ErrorCode.DOMAIN_MISMATCH) {
                throw without;
            }
            return Optional.empty();
        }
    }

    private Iterator<Row> counted(Rows rows, ProgressLine progress) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Row next() {
                if (++exported % PROGRESS_STEP == 0) {
                    progress.accept(exported);
                }
                return rows.next();
            }
        };
    }

    /**
     * The records of a collection that others may write to: where its state is gone, the further records of a newer
     * one.
     */
    private static final class Lines implements AutoCloseable {
        private final RecordCollection<Bytes, Bytes> collection;
        private Scan<Entry<Bytes, Bytes>> scan;

        Lines(RecordCollection<Bytes, Bytes> collection) {
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
