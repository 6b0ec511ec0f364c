package io.penstock.commit.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.domain.LogProbe;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.log.PuMessage;
import io.penstock.commit.token.TokenProbe;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.page.Expiry;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.RecordChange;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** As {@link GoldenFilesTest}, with records that expire. */
class GoldenExpiryTest {
    private static final TreeId TREE = new TreeId(0x1122334455667788L);
    private static final ClientId ANN = new ClientId(0xa11L);
    private static final ClientId BOB = new ClientId(0xb0bL);
    private static final Stamp STAMP = Stamp.of(1_700_000_000_003L, 2, BOB);
    private static final Bytes REFERENCE =
            OverflowParts.of(new OverflowReference(ANN, 4, 5_000_000)).encode();

    private static Bytes golden(String name) throws IOException {
        try (InputStream in = GoldenExpiryTest.class.getResourceAsStream("/golden/v1/" + name)) {
            return Bytes.wrap(Objects.requireNonNull(in, name).readAllBytes());
        }
    }

    private static List<LogRecord> records() {
        return List.of(
                new LogRecord(
                        TREE,
                        new RecordChange.Put(
                                Bytes.utf8("user:2"), Bytes.utf8("Grace"), false, 1_700_000_600_000L, STAMP),
                        3),
                new LogRecord(TREE, new RecordChange.Delete(Bytes.utf8("user:4"), STAMP)),
                new LogRecord(
                        TREE, new RecordChange.Put(Bytes.utf8("user:3"), REFERENCE, true, 1_700_000_600_001L, STAMP)));
    }

    @Test
    void leaf() throws IOException {
        Bytes stored = golden("leaf-expiry.bin");
        PageImage page = PageImage.decode(stored, new PageId(TREE, 0xbeefL), "pages/leaf");
        assertThat(page.count()).isEqualTo(3);
        assertThat(page.payload(0)).isEqualTo(Bytes.utf8("Ada"));
        assertThat(page.expiryMillis(0)).isEqualTo(Expiry.NEVER);
        assertThat(page.payload(1)).isEqualTo(Bytes.utf8("Grace"));
        assertThat(page.expiryMillis(1)).isEqualTo(1_700_000_600_000L);
        assertThat(page.isReference(1)).isFalse();
        assertThat(page.payload(2)).isEqualTo(REFERENCE);
        assertThat(page.expiryMillis(2)).isEqualTo(1_700_000_600_001L);
        assertThat(page.isReference(2)).isTrue();
        LeafEntries kept = LeafEntries.builder(page).keepAll().build();
        assertThat(kept.layout(page.header(), 0, 3).encode().bytes()).isEqualTo(stored);
    }

    @Test
    void messages() throws IOException {
        PuMessage message = new PuMessage(BOB, 41, records());
        assertThat(PuMessage.decode(golden("pu-message-expiry.bin"), "queue")).isEqualTo(message);
        assertThat(message.encode()).isEqualTo(golden("pu-message-expiry.bin"));

        PuMessage renewed = new PuMessage(BOB, 1, new PuMessage.Predecessor(ANN, 300), records());
        assertThat(PuMessage.decode(golden("pu-message-after-expiry.bin"), "queue"))
                .isEqualTo(renewed);
        assertThat(renewed.encode()).isEqualTo(golden("pu-message-after-expiry.bin"));

        AtomicMessage atomic = new AtomicMessage(List.of(new AtomicMessage.Part(STAMP, 0, 1, records())));
        assertThat(AtomicMessage.decode(golden("atomic-message-expiry.bin"), "queue"))
                .isEqualTo(atomic);
        assertThat(atomic.encode()).isEqualTo(golden("atomic-message-expiry.bin"));
    }

    @Test
    void segmentOfACommitLog() throws IOException {
        Bytes segment = golden("segment-expiry.bin");
        assertThat(LogProbe.isSegment(segment, BOB, records())).isTrue();
        assertThat(LogProbe.segment(BOB, records())).isEqualTo(segment);
    }

    @Test
    void sessionToken() throws IOException {
        String signed = golden("session-token-expiry.bin").toUtf8();
        assertThat(TokenProbe.isSigned(signed, BOB, records())).isTrue();
        assertThat(TokenProbe.signed(BOB, records())).isEqualTo(signed);
    }
}
