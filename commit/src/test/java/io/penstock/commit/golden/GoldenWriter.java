package io.penstock.commit.golden;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.Declaration;
import io.penstock.commit.catalog.IndexDefinition;
import io.penstock.commit.checkpoint.LedgerProbe;
import io.penstock.commit.domain.LogProbe;
import io.penstock.commit.feed.PositionProbe;
import io.penstock.commit.index.IncludedPart;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.query.SummaryProbe;
import io.penstock.commit.token.TokenProbe;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.Compression;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStores;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.LedgerPages;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.StoredPage;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Writes the golden files into the directory that is its argument. No test runs it: from the first release on, what
 * lies in the repository is never written again, and a new format gets files of its own beside it.
 */
final class GoldenWriter {
    private static final TreeId TREE = new TreeId(0x1122334455667788L);
    private static final ClientId ANN = new ClientId(0xa11L);
    private static final ClientId BOB = new ClientId(0xb0bL);

    private GoldenWriter() {}

    /** Writes them. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Files.createDirectories(directory);
        write(directory, "leaf.bin", leaf());
        write(directory, "leaf-zstd.bin", compressed());
        write(directory, "inner.bin", inner());
        PageHeader ledger = PageHeader.of(new PageId(TREE, 0x77L), PageKind.LEDGER, 0, 4, 0x5eedL);
        write(
                directory,
                "ledger.bin",
                LedgerPages.encode(ledger, LedgerProbe.example(ANN)).bytes());
        write(directory, "pu-message.bin", new PuMessage(BOB, 41, records()).encode());
        write(
                directory,
                "pu-message-after.bin",
                new PuMessage(BOB, 1, new PuMessage.Predecessor(ANN, 300), records()).encode());
        write(directory, "included-part.bin", IncludedPart.encode("line", Bytes.utf8("Ada")));
        write(directory, "atomic-message.bin", atomic().encode());
        write(directory, "segment.bin", LogProbe.segment(BOB, records()));
        write(directory, "horizon.bin", LogProbe.horizon(BOB));
        write(directory, "log-home.bin", LogProbe.home());
        write(directory, "intake.bin", LogProbe.intake(BOB, records()));
        write(directory, "summaries.bin", SummaryProbe.encoded());
        write(directory, "position.bin", Bytes.utf8(PositionProbe.text()));
        writeExpiring(directory);
        writeCatalog(directory);
        write(directory, "session-token.bin", Bytes.utf8(TokenProbe.unsigned(BOB)));
        write(directory, "session-token-signed.bin", Bytes.utf8(TokenProbe.signed(BOB, records())));
    }

    private static void writeExpiring(Path directory) throws IOException {
        write(directory, "leaf-expiry.bin", leafThatExpires());
        List<LogRecord> records = recordsThatExpire();
        write(directory, "pu-message-expiry.bin", new PuMessage(BOB, 41, records).encode());
        PuMessage.Predecessor after = new PuMessage.Predecessor(ANN, 300);
        write(directory, "pu-message-after-expiry.bin", new PuMessage(BOB, 1, after, records).encode());
        Stamp stamp = records.getFirst().change().stamp();
        AtomicMessage.Part part = new AtomicMessage.Part(stamp, 0, 1, records);
        write(directory, "atomic-message-expiry.bin", new AtomicMessage(List.of(part)).encode());
        write(directory, "segment-expiry.bin", LogProbe.segment(BOB, records));
        write(directory, "session-token-expiry.bin", Bytes.utf8(TokenProbe.signed(BOB, records)));
    }

    private static void writeCatalog(Path directory) throws IOException {
        MemoryObjectStore objects = new MemoryObjectStore();
        Catalog catalog = new Catalog(new ThreadTasks(), objects, "", true, Duration.ZERO);
        IndexDefinition byAge = new IndexDefinition("by-age", "0000000000000009", "long");
        catalog.define(Declaration.definition("people", TREE, "string", 65536, List.of(byAge)));
        for (String name : List.of("orders", "repaged")) {
            int pageBytes = name.equals("orders") ? 1 << 20 : 65536;
            catalog.define(Declaration.definition(name, TREE, "string", pageBytes, List.of())
                    .withCompression(Compression.ZSTD));
        }
        catalog.change("repaged", orders -> orders.withPages(1 << 20, Compression.ZSTD));
        catalog.change("repaged", orders -> orders.withPages(131072, Compression.ZSTD));
        catalog.define(Declaration.definition("guests", TREE, "string", 65536, List.of()));
        catalog.rename("guests", "visitors");
        for (Listing.Entry entry : ObjectStores.listAll(objects, "catalog/")) {
            if (entry.key().endsWith(".json")) {
                Bytes body = objects.get(entry.key()).orElseThrow().body();
                write(directory, entry.key().replace('/', '-'), body);
            }
        }
    }

    private static Bytes leafThatExpires() {
        Stamp stamp = Stamp.of(1_700_000_000_003L, 2, BOB);
        Bytes reference =
                OverflowParts.of(new OverflowReference(ANN, 4, 5_000_000)).encode();
        LeafEntries.Builder entries = LeafEntries.builder(null);
        entries.put(Bytes.utf8("user:1"), Bytes.utf8("Ada"), stamp);
        entries.put(Bytes.utf8("user:2"), Bytes.utf8("Grace"), false, 1_700_000_600_000L, stamp);
        entries.put(Bytes.utf8("user:3"), reference, true, 1_700_000_600_001L, stamp);
        PageHeader header = PageHeader.of(new PageId(TREE, 0xbeefL), PageKind.LEAF, 0, 12, 0xcafeL);
        return entries.build().layout(header, 0, 3).encode().bytes();
    }

    private static List<LogRecord> recordsThatExpire() {
        Stamp stamp = Stamp.of(1_700_000_000_003L, 2, BOB);
        Bytes reference =
                OverflowParts.of(new OverflowReference(ANN, 4, 5_000_000)).encode();
        return List.of(
                new LogRecord(
                        TREE,
                        new RecordChange.Put(
                                Bytes.utf8("user:2"), Bytes.utf8("Grace"), false, 1_700_000_600_000L, stamp),
                        3),
                new LogRecord(TREE, new RecordChange.Delete(Bytes.utf8("user:4"), stamp)),
                new LogRecord(
                        TREE, new RecordChange.Put(Bytes.utf8("user:3"), reference, true, 1_700_000_600_001L, stamp)));
    }

    private static Bytes leaf() {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        entries.put(Bytes.utf8("user:1"), Bytes.utf8("Ada"), Stamp.of(1_700_000_000_000L, 0, ANN));
        entries.tombstone(Bytes.utf8("user:2"), Stamp.of(1_700_000_000_001L, 7, BOB));
        entries.put(Bytes.utf8("user:21"), Bytes.EMPTY, Stamp.of(1_699_999_999_999L, 1, ANN));
        PageHeader header = new PageHeader(
                new PageId(TREE, 0xbeefL),
                PageKind.LEAF,
                0,
                12,
                0xcafeL,
                0xf00dL,
                Bytes.utf8("user:5"),
                new Origin(1, 11),
                1_700_000_000_002L,
                Bytes.wrap(new byte[] {100, 3, 7, 8, 9}));
        return entries.build().layout(header, 0, 3).encode().bytes();
    }

    private static Bytes compressed() {
        LeafEntries.Builder entries = LeafEntries.builder(null);
        for (int i = 0; i < 20; i++) {
            Stamp stamp = Stamp.of(1_700_000_000_000L + i, 0, ANN);
            entries.put(Bytes.utf8("user:%02d".formatted(i)), Bytes.utf8("Ada, countess of Lovelace " + i), stamp);
        }
        PageHeader header = PageHeader.of(new PageId(TREE, 0xbeefL), PageKind.LEAF, 0, 12, 0xcafeL);
        return StoredPage.encode(entries.build().layout(header, 0, 20).encode(), Compression.ZSTD);
    }

    private static Bytes inner() {
        PageHeader header = PageHeader.of(PageId.root(TREE), PageKind.INNER, 1, 3, 0x1dL);
        InnerEntries entries = InnerEntries.of(List.of(
                new InnerEntries.Entry(Bytes.EMPTY, 0xbeefL), new InnerEntries.Entry(Bytes.utf8("user:5"), 0xf00dL)));
        return entries.layout(header, 0, 2).encode().bytes();
    }

    private static List<LogRecord> records() {
        Stamp stamp = Stamp.of(1_700_000_000_003L, 2, BOB);
        return List.of(
                new LogRecord(TREE, new RecordChange.Put(Bytes.utf8("user:3"), Bytes.utf8("Grace"), stamp)),
                new LogRecord(TREE, new RecordChange.Delete(Bytes.utf8("user:4"), stamp)),
                new LogRecord(new TreeId(9), new RecordChange.Put(Bytes.utf8("k"), Bytes.EMPTY, stamp)));
    }

    private static AtomicMessage atomic() {
        Stamp stamp = Stamp.of(1_700_000_000_003L, 2, BOB);
        Stamp later = Stamp.of(1_700_000_000_004L, 0, BOB);
        return new AtomicMessage(List.of(
                new AtomicMessage.Part(stamp, 0, 1, records()),
                new AtomicMessage.Part(
                        later,
                        1,
                        2,
                        List.of(new LogRecord(TREE, new RecordChange.Delete(Bytes.utf8("user:1"), later))))));
    }

    private static void write(Path directory, String name, Bytes bytes) throws IOException {
        Files.write(directory.resolve(name), bytes.toArray());
    }
}
