package io.penstock.cli.transfer;

import io.penstock.Entry;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A text format of records, one on each line. Records are read back byte by byte as they were written. Stateless. */
public enum RecordFormat {
    JSONL(new JsonLines()),
    CSV(new Csv());

    private final Lines lines;

    RecordFormat(Lines lines) {
        this.lines = lines;
    }

    /** The encoding of one line. */
    interface Lines {
        /** The first line of a file; empty for none. */
        String head();

        void write(OutputStream out, Bytes key, Bytes payload) throws IOException;

        /** @throws IOException if the line is not a record */
        Entry<Bytes, Bytes> read(byte[] line) throws IOException;
    }

    /** Writes all records of the iterator. */
    public void write(OutputStream out, Iterator<Entry<Bytes, Bytes>> records) throws IOException {
        if (!lines.head().isEmpty()) {
            out.write(Bytes.utf8(lines.head()).array());
            out.write('\n');
        }
        while (records.hasNext()) {
            Entry<Bytes, Bytes> record = records.next();
            lines.write(out, record.key(), record.value());
            out.write('\n');
        }
    }

    /**
     * Reads records lazily; skips empty lines.
     *
     * @return an iterator that throws {@link InvalidRequestException} for a line that is not a record, and {@link
     *     UncheckedIOException}
     */
    public Iterator<Entry<Bytes, Bytes>> read(InputStream in) {
        return new Reader(lines, new BufferedInputStream(in, 1 << 16));
    }

    private static final class Reader implements Iterator<Entry<Bytes, Bytes>> {
        private final Lines lines;
        private final InputStream in;
        private long number;
        private @Nullable Entry<Bytes, Bytes> ahead;

        Reader(Lines lines, InputStream in) {
            this.lines = lines;
            this.in = in;
        }

        @Override
        public boolean hasNext() {
            while (ahead == null) {
                byte[] line = nextLine();
                if (line == null) {
                    return false;
                }
                boolean isHead = number == 1
                        && !lines.head().isEmpty()
                        && Bytes.wrap(line).equals(Bytes.utf8(lines.head()));
                ahead = line.length == 0 || isHead ? null : decode(line);
            }
            return true;
        }

        private Entry<Bytes, Bytes> decode(byte[] line) {
            try {
                return lines.read(line);
            } catch (IOException e) {
                // Its message may quote the line.
                throw new InvalidRequestException(
                        ErrorCode.CODEC_FAILURE,
                        "a line is not a record of this format; correct it, or give the right --format",
                        "line",
                        number);
            }
        }

        /** The next line without its terminator; null at the end. */
        private byte @Nullable [] nextLine() {
            try {
                ByteArrayOutputStream line = new ByteArrayOutputStream(256);
                int next = in.read();
                if (next < 0) {
                    return null;
                }
                number++;
                for (; next >= 0 && next != '\n'; next = in.read()) {
                    line.write(next);
                }
                byte[] bytes = line.toByteArray();
                boolean isReturned = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
                return isReturned ? java.util.Arrays.copyOf(bytes, bytes.length - 1) : bytes;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Entry<Bytes, Bytes> next() {
            if (!hasNext() || ahead == null) {
                throw new NoSuchElementException();
            }
            Entry<Bytes, Bytes> next = ahead;
            ahead = null;
            return next;
        }
    }
}
