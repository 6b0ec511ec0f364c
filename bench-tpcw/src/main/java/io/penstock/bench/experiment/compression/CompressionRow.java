package io.penstock.bench.experiment.compression;

import io.penstock.core.Compression;
import io.penstock.testkit.Profile;
import java.util.List;
import java.util.Locale;

/**
 * A row of the report: one kind of payloads on pages of one size, plain and compressed.
 *
 * @param storedPercent of the bytes of pages that are not compressed
 * @param compressMicros processor time to compress a page
 * @param checkMicros processor time to check a page that is not compressed, as every page that is read is
 * @param decompressMicros processor time to decompress a page and to check it
 * @param scanMillis virtual time of a cold scan of all records; then with compression
 * @param pointMillis virtual time of a cold read of one record; then with compression
 */
record CompressionRow(
        String profile,
        String payloads,
        int pageBytes,
        long records,
        int pages,
        long plainBytes,
        double storedPercent,
        double compressMicros,
        double checkMicros,
        double decompressMicros,
        List<Double> scanMillis,
        List<Double> pointMillis) {
    private static final int MIB = 1 << 20;
    private static final double PERCENT = 100;

    static CompressionRow measure(Profile profile, Payloads payloads, int pageBytes, long records) {
        ColdReads plain = ColdReads.of(new ColdReads.Case(profile, payloads, pageBytes, records, Compression.NONE));
        ColdReads zstd = ColdReads.of(new ColdReads.Case(profile, payloads, pageBytes, records, Compression.ZSTD));
        // Leaves, and not the root, nor the last one of the load, which may be small.
        PageCost cost = PageCost.of(plain.pages().stream()
                .filter(page -> page.object().length() > pageBytes / 2)
                .toList());
        return new CompressionRow(
                profile.name(),
                payloads.label(),
                pageBytes,
                records,
                plain.pages().size(),
                plain.storedBytes(),
                PERCENT * zstd.storedBytes() / plain.storedBytes(),
                cost.compress(),
                cost.check(),
                cost.decompress(),
                List.of(plain.scanMillis(), zstd.scanMillis()),
                List.of(plain.pointMillis(), zstd.pointMillis()));
    }

    static String heading() {
        return """
                | profile | payloads | pages | stored | compress, µs | check, µs | decompress and check, µs \
                | cold scan, ms | cold read, ms |
                |---|---|---|---|---|---|---|---|---|
                """;
    }

    /** Markdown, as the documents use. */
    String line() {
        String size = pageBytes >= MIB ? pageBytes / MIB + " MiB" : pageBytes / 1024 + " KiB";
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d of %s | %.0f %% | %.0f | %.0f | %.0f | %.0f → %.0f | %.0f → %.0f |%n",
                profile,
                payloads,
                pages,
                size,
                storedPercent,
                compressMicros,
                checkMicros,
                decompressMicros,
                scanMillis.getFirst(),
                scanMillis.getLast(),
                pointMillis.getFirst(),
                pointMillis.getLast());
    }
}
