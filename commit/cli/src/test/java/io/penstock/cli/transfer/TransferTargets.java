package io.penstock.cli.transfer;

import io.penstock.Entry;
import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.testing.FuzzTarget;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The readers of imported files, as fuzz targets. */
public final class TransferTargets {
    /** Memory that an empty line may cost, which is one byte. */
    private static final int LINE_BYTES = 1024;

    private TransferTargets() {}

    public static List<FuzzTarget> all() {
        return List.of(target("import-jsonl", RecordFormat.JSONL), target("import-csv", RecordFormat.CSV));
    }

    /** Records that are written and read again are the same. */
    private static FuzzTarget target(String name, RecordFormat format) {
        List<Entry<Bytes, Bytes>> records = List.of(
                new Entry<>(Bytes.utf8("k"), Bytes.utf8("{\"a\": [1, \"\u20ac\"]}")),
                new Entry<>(Bytes.wrap(new byte[] {-1, 0}), Bytes.wrap(new byte[] {0, 1, 2})),
                new Entry<>(Bytes.utf8("n"), Bytes.utf8("-1.5")));
        return FuzzTarget.of(name, List.of(written(format, records.iterator())), bytes -> {
                    List<Entry<Bytes, Bytes>> read = read(format, bytes);
                    if (!read(format, written(format, read.iterator())).equals(read)) {
                        throw new AssertionError("records came back as others");
                    }
                })
                .refusing(InvalidRequestException.class)
                .allocating(LINE_BYTES);
    }

    private static byte[] written(RecordFormat format, Iterator<Entry<Bytes, Bytes>> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            format.write(out, records);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static List<Entry<Bytes, Bytes>> read(RecordFormat format, byte[] bytes) {
        List<Entry<Bytes, Bytes>> records = new ArrayList<>();
        format.read(new ByteArrayInputStream(bytes)).forEachRemaining(records::add);
        return records;
    }
}
