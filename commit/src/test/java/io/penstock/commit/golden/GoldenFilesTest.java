package io.penstock.commit.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.catalog.CollectionDefinition;
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
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.Origin;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.StoredPage;
import io.penstock.core.record.RecordChange;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.MemoryObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Files of each format, and their content. From the first release on a file here is never rewritten, so that each
 * release reads what an earlier one wrote; {@link GoldenWriter} wrote them.
 */
class GoldenFilesTest {
    private static final TreeId TREE = new TreeId(0x1122334455667788L);
    private static final ClientId ANN = new ClientId(0xa11L);
    private static final ClientId BOB = new ClientId(0xb0bL);
    private static final Stamp STAMP = Stamp.of(1_700_000_000_003L, 2, BOB);

    private static Bytes golden(String name) {
        try (InputStream in = GoldenFilesTest.class.getResourceAsStream("/golden/v1/" + name)) {
            return Bytes.wrap(Objects.requireNonNull(in, name).readAllBytes());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void includedPart() {
        Bytes included = golden("included-part.bin");
        assertThat(IncludedPart.decode("line", included)).hasValue(Bytes.utf8("Ada"));
        assertThat(IncludedPart.encode("line", Bytes.utf8("Ada"))).isEqualTo(included);
        assertThat(IncludedPart.decode("line.2", included)).isEmpty();
        Bytes ofLoad = IncludedPart.ofLoad(included);
        assertThat(ofLoad.at(0)).isEqualTo((byte) 2);
        assertThat(ofLoad.slice(1, ofLoad.length())).isEqualTo(included.slice(1, included.length()));
        assertThat(IncludedPart.decode("line", ofLoad)).hasValue(Bytes.utf8("Ada"));
        assertThat(IncludedPart.decode("line", Bytes.EMPTY)).isEmpty();
        assertThat(IncludedPart.decode("line", Bytes.wrap(new byte[] {2, 0, 0, 0, 0})))
                .isEmpty();
    }

    @Test
    void segmentOfACommitLog() {
        Bytes segment = golden("segment.bin");
        assertThat(LogProbe.isSegment(segment, BOB, records())).isTrue();
        assertThat(LogProbe.segment(BOB, records())).isEqualTo(segment);
    }

    @Test
    void horizonOfACommitLog() {
        Bytes horizon = golden("horizon.bin");
        assertThat(LogProbe.isHorizon(horizon, BOB)).isTrue();
        assertThat(LogProbe.horizon(BOB)).isEqualTo(horizon);
    }

    @Test
    void homeOfACommitLog() {
        Bytes home = golden("log-home.bin");
        assertThat(LogProbe.isHome(home)).isTrue();
        assertThat(LogProbe.home()).isEqualTo(home);
    }

    @Test
    void whatIsHandedInToACommitLog() {
        Bytes intake = golden("intake.bin");
        assertThat(LogProbe.isIntake(intake, BOB, records())).isTrue();
        assertThat(LogProbe.intake(BOB, records())).isEqualTo(intake);
    }

    @Test
    void summariesOfLeaves() {
        Bytes summaries = golden("summaries.bin");
        assertThat(SummaryProbe.isExample(summaries)).isTrue();
        assertThat(SummaryProbe.encoded()).isEqualTo(summaries);
    }

    @Test
    void positionInACommitLog() {
        String position = golden("position.bin").toUtf8();
        assertThat(PositionProbe.isExample(position)).isTrue();
        assertThat(PositionProbe.text()).isEqualTo(position);
    }

    @Test
    void sessionToken() {
        String signed = golden("session-token-signed.bin").toUtf8();
        assertThat(TokenProbe.isSigned(signed, BOB, records())).isTrue();
        assertThat(TokenProbe.signed(BOB, records())).isEqualTo(signed);
        String unsigned = golden("session-token.bin").toUtf8();
        assertThat(TokenProbe.isUnsigned(unsigned, BOB)).isTrue();
        assertThat(TokenProbe.unsigned(BOB)).isEqualTo(unsigned);
    }

    @Test
    void leaf() {
        PageImage page = PageImage.decode(golden("leaf.bin"), new PageId(TREE, 0xbeefL), "pages/leaf");
        assertThat(page.header())
                .isEqualTo(new PageHeader(
                        new PageId(TREE, 0xbeefL),
                        PageKind.LEAF,
                        0,
                        12,
                        0xcafeL,
                        0xf00dL,
                        Bytes.utf8("user:5"),
                        new Origin(1, 11),
                        1_700_000_000_002L,
                        Bytes.wrap(new byte[] {100, 3, 7, 8, 9})));
        assertThat(page.count()).isEqualTo(3);
        assertThat(page.key(0)).isEqualTo(Bytes.utf8("user:1"));
        assertThat(page.payload(0)).isEqualTo(Bytes.utf8("Ada"));
        assertThat(page.isTombstone(0)).isFalse();
        assertThat(page.stamp(0)).isEqualTo(Stamp.of(1_700_000_000_000L, 0, ANN));
        assertThat(page.key(1)).isEqualTo(Bytes.utf8("user:2"));
        assertThat(page.isTombstone(1)).isTrue();
        assertThat(page.stamp(1)).isEqualTo(Stamp.of(1_700_000_000_001L, 7, BOB));
        assertThat(page.key(2)).isEqualTo(Bytes.utf8("user:21"));
        assertThat(page.payload(2)).isEqualTo(Bytes.EMPTY);
        assertThat(page.isTombstone(2)).isFalse();
        assertThat(page.stamp(2)).isEqualTo(Stamp.of(1_699_999_999_999L, 1, ANN));
        assertThat(page.find(Bytes.utf8("user:2"))).isEqualTo(1);
        assertThat(page.find(Bytes.utf8("user:3"))).isEqualTo(-4);
    }

    /** Holds for any release of the library on the class path. */
    @Test
    void compressedLeaf() {
        Bytes stored = golden("leaf-zstd.bin");
        PageImage page = StoredPage.decode(stored, new PageId(TREE, 0xbeefL), "pages/leaf");
        assertThat(StoredPage.describe(stored)).contains(new StoredPage.Description(stored.length(), Compression.ZSTD));
        assertThat(stored.length()).isLessThan(page.bytes().length() / 2);
        assertThat(page.header()).isEqualTo(PageHeader.of(new PageId(TREE, 0xbeefL), PageKind.LEAF, 0, 12, 0xcafeL));
        assertThat(page.count()).isEqualTo(20);
        for (int i = 0; i < 20; i++) {
            assertThat(page.key(i)).isEqualTo(Bytes.utf8("user:%02d".formatted(i)));
            assertThat(page.payload(i)).isEqualTo(Bytes.utf8("Ada, countess of Lovelace " + i));
            assertThat(page.stamp(i)).isEqualTo(Stamp.of(1_700_000_000_000L + i, 0, ANN));
        }
    }

    @Test
    void inner() {
        PageImage page = PageImage.decode(golden("inner.bin"), PageId.root(TREE), "pages/root");
        assertThat(page.header()).isEqualTo(PageHeader.of(PageId.root(TREE), PageKind.INNER, 1, 3, 0x1dL));
        assertThat(page.count()).isEqualTo(2);
        assertThat(page.key(0)).isEqualTo(Bytes.EMPTY);
        assertThat(page.child(0)).isEqualTo(0xbeefL);
        assertThat(page.key(1)).isEqualTo(Bytes.utf8("user:5"));
        assertThat(page.child(1)).isEqualTo(0xf00dL);
        assertThat(page.childFor(Bytes.utf8("user:4"))).isEqualTo(0);
        assertThat(page.childFor(Bytes.utf8("user:50"))).isEqualTo(1);
    }

    /** Numbers 1 to 3 and 6 to 9 were applied. */
    @Test
    void ledger() {
        PageImage page = PageImage.decode(golden("ledger.bin"), new PageId(TREE, 0x77L), "pages/home");
        assertThat(page.header()).isEqualTo(PageHeader.of(new PageId(TREE, 0x77L), PageKind.LEDGER, 0, 4, 0x5eedL));
        assertThat(LedgerProbe.covers(page.body(), ANN, 1, 3)).isTrue();
        assertThat(LedgerProbe.covers(page.body(), ANN, 6, 9)).isTrue();
        assertThat(LedgerProbe.covers(page.body(), ANN, 4, 4)).isFalse();
        assertThat(LedgerProbe.covers(page.body(), ANN, 5, 6)).isFalse();
        assertThat(LedgerProbe.covers(page.body(), ANN, 9, 10)).isFalse();
        assertThat(LedgerProbe.covers(page.body(), BOB, 1, 1)).isFalse();
    }

    private static List<LogRecord> records() {
        return List.of(
                new LogRecord(TREE, new RecordChange.Put(Bytes.utf8("user:3"), Bytes.utf8("Grace"), STAMP)),
                new LogRecord(TREE, new RecordChange.Delete(Bytes.utf8("user:4"), STAMP)),
                new LogRecord(new TreeId(9), new RecordChange.Put(Bytes.utf8("k"), Bytes.EMPTY, STAMP)));
    }

    @Test
    void puMessage() {
        assertThat(PuMessage.decode(golden("pu-message.bin"), "queue")).isEqualTo(new PuMessage(BOB, 41, records()));
    }

    @Test
    void puMessageOfARenewedId() {
        assertThat(PuMessage.decode(golden("pu-message-after.bin"), "queue"))
                .isEqualTo(new PuMessage(BOB, 1, new PuMessage.Predecessor(ANN, 300), records()));
    }

    /** The only part of one transaction, and the second of two, the commit record, of another. */
    @Test
    void atomicMessage() {
        Stamp later = Stamp.of(1_700_000_000_004L, 0, BOB);
        LogRecord delete = new LogRecord(TREE, new RecordChange.Delete(Bytes.utf8("user:1"), later));
        assertThat(AtomicMessage.decode(golden("atomic-message.bin"), "queue"))
                .isEqualTo(new AtomicMessage(List.of(
                        new AtomicMessage.Part(STAMP, 0, 1, records()),
                        new AtomicMessage.Part(later, 1, 2, List.of(delete)))));
    }

    @Test
    void catalogEntryOfACompressedCollection() {
        MemoryObjectStore objects = new MemoryObjectStore();
        objects.put("catalog/orders.json", golden("catalog-orders.json"), WriteCondition.ALWAYS);
        CollectionDefinition orders = new Catalog(new ThreadTasks(), objects, "", false, Duration.ZERO)
                .find("orders")
                .orElseThrow();
        assertThat(orders)
                .isEqualTo(new CollectionDefinition(
                        1,
                        "orders",
                        "1122334455667788",
                        "string",
                        1048576,
                        List.of(),
                        0,
                        0,
                        List.of(),
                        "zstd",
                        null,
                        List.of(),
                        null,
                        null,
                        null,
                        0,
                        null));
        assertThat(orders.compressedBy()).isEqualTo(Compression.ZSTD);
    }

    @Test
    void catalogEntryOfACollectionOfOtherPages() {
        MemoryObjectStore objects = new MemoryObjectStore();
        objects.put("catalog/repaged.json", golden("catalog-repaged.json"), WriteCondition.ALWAYS);
        CollectionDefinition orders = new Catalog(new ThreadTasks(), objects, "", false, Duration.ZERO)
                .find("repaged")
                .orElseThrow();
        assertThat(orders.pageBytes()).isEqualTo(65536);
        assertThat(orders.leafBytesTarget()).isEqualTo(131072);
        assertThat(orders.leafBytesMax()).isEqualTo(1048576);
        assertThat(orders.compressedBy()).isEqualTo(Compression.ZSTD);
    }

    @Test
    void catalogEntriesOfARenamedCollection() {
        MemoryObjectStore objects = new MemoryObjectStore();
        for (String name : List.of("guests", "visitors")) {
            objects.put("catalog/" + name + ".json", golden("catalog-" + name + ".json"), WriteCondition.ALWAYS);
        }
        CollectionDefinition guests = new Catalog(new ThreadTasks(), objects, "", false, Duration.ZERO)
                .find("guests")
                .orElseThrow();
        assertThat(guests.name()).isEqualTo("visitors");
        assertThat(guests.tree()).isEqualTo("1122334455667788");
        assertThat(guests.revision()).isEqualTo(2);
    }

    @Test
    void catalogEntry() {
        MemoryObjectStore objects = new MemoryObjectStore();
        objects.put("catalog/people.json", golden("catalog-people.json"), WriteCondition.ALWAYS);
        assertThat(new Catalog(new ThreadTasks(), objects, "", false, Duration.ZERO).find("people"))
                .contains(new CollectionDefinition(
                        1,
                        "people",
                        "1122334455667788",
                        "string",
                        65536,
                        List.of(new IndexDefinition("by-age", "0000000000000009", "long")),
                        0,
                        0,
                        List.of(),
                        null,
                        null,
                        List.of(),
                        null,
                        null,
                        null,
                        0,
                        null));
    }
}
