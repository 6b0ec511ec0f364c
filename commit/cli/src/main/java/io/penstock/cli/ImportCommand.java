package io.penstock.cli;

import io.penstock.Entry;
import io.penstock.KeyCodec;
import io.penstock.PayloadCodec;
import io.penstock.Penstock;
import io.penstock.RecordCollection;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.transfer.RecordFormat;
import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.UnavailableException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock import}: a bulk load if the collection is new or empty, else transactions. */
@Command(
        name = "import",
        description = "Reads records from a file, or with - from standard input, into a collection.",
        sortOptions = false)
final class ImportCommand extends StoreCommand {
    /** The maximum number of records of one transaction. */
    private static final int RECORDS_MAX = 500;

    /** The bytes of keys and payloads with which a transaction ends: half of what one may have, for the last record. */
    private static final long BYTES_ENOUGH = 2 << 20;

    @Option(names = "--collection", paramLabel = "C", required = true, description = "the collection; created if new")
    private String collection = "";

    @Option(names = "--format", paramLabel = "F", description = "jsonl (default) or csv")
    private RecordFormat format = RecordFormat.JSONL;

    @Option(
            names = "--keys",
            paramLabel = "K",
            description = "the type of keys of a new collection: string (default), long, bytes ...")
    private String keys = "string";

    @Option(
            names = "--compression",
            paramLabel = "A",
            description = "compression of a new collection's pages: none (default) or zstd")
    private String compression = Compression.NONE.label();

    @Parameters(paramLabel = "FILE")
    private String file = "";

    private final PrintStream err;
    private final InputStream in;
    private Compression by = Compression.NONE;

    ImportCommand(PrintStream out, PrintStream err, InputStream in) {
        super(out, Use.MAKE);
        this.err = err;
        this.in = in;
    }

    /** Raw keys, under the name of the codec that made them. */
    private record NamedKeys(String name) implements KeyCodec<Bytes> {
        @Override
        public Bytes encode(Bytes key) {
            return key;
        }

        @Override
        public Bytes decode(Bytes bytes) {
            return bytes;
        }
    }

    /** A stream that counts the bytes read. */
    private static final class Counted extends FilterInputStream {
        private long read;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            read += next < 0 ? 0 : 1;
            return next;
        }

        @Override
        public int read(byte[] target, int at, int length) throws IOException {
            int count = super.read(target, at, length);
            read += Math.max(0, count);
            return count;
        }
    }

    @Override
    public Integer call() {
        if (isFile() && !Files.isRegularFile(Path.of(file))) {
            throw new InvalidRequestException(
                    ErrorCode.NOT_FOUND, "there is no such file; check its name", "file", file);
        }
        by = compression(compression);
        return super.call();
    }

    private boolean isFile() {
        return !file.equals("-");
    }

    @Override
    boolean run(Penstock opened) {
        try (Counted source = new Counted(isFile() ? Files.newInputStream(Path.of(file)) : in)) {
            read(opened, source, isFile() ? Files.size(Path.of(file)) : 0);
        } catch (IOException | UncheckedIOException e) {
            throw new UnavailableException("the file cannot be read; see the cause", e, "file", file);
        }
        return true;
    }

    private void read(Penstock opened, Counted source, long bytes) {
        RecordCollection<Bytes, Bytes> target = opened.collections().contains(collection)
                ? opened.rawCollection(collection)
                : opened.collection(collection, new NamedKeys(keys), PayloadCodec.bytes())
                        .compressed(by);
        Iterator<Entry<Bytes, Bytes>> records = format.read(source);
        try (ProgressLine progress = new ProgressLine(err, "imported", bytes, () -> source.read)) {
            long imported =
                    target.isLoadable() ? target.load(records, progress) : putAll(opened, target, records, progress);
            progress.accept(imported);
            print(Map.of("records", imported), () -> out.println("imported records: " + imported));
        }
    }

    private static long putAll(
            Penstock opened,
            RecordCollection<Bytes, Bytes> target,
            Iterator<Entry<Bytes, Bytes>> records,
            ProgressLine progress) {
        long imported = 0;
        while (records.hasNext()) {
            List<Entry<Bytes, Bytes>> batch = new ArrayList<>();
            long bytes = 0;
            while (batch.size() < RECORDS_MAX && bytes < BYTES_ENOUGH && records.hasNext()) {
                Entry<Bytes, Bytes> record = records.next();
                bytes += record.key().length() + record.value().length();
                batch.add(record);
            }
            opened.transact(transaction -> {
                batch.forEach(record -> transaction.put(target, record.key(), record.value()));
                return true;
            });
            imported += batch.size();
            progress.accept(imported);
        }
        return imported;
    }
}
