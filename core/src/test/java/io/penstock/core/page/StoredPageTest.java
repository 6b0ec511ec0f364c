package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A page is read from its object as it was written, or not at all. */
class StoredPageTest {
    private static final PageId ID = SamplePages.ID;

    private static io.penstock.core.Stamp stamp(int i) {
        return SamplePages.stamp(1_000 + i, 0, i % 5);
    }

    /** A leaf of payloads that cannot be compressed. */
    private static PageImage noise(int records) {
        SplittableRandom random = new SplittableRandom(1);
        LeafEntries.Builder builder = LeafEntries.builder(null);
        for (int i = 0; i < records; i++) {
            byte[] payload = new byte[500];
            random.nextBytes(payload);
            builder.put(Bytes.utf8("%08d".formatted(i)), Bytes.wrap(payload), stamp(i));
        }
        return builder.build()
                .layout(SamplePages.header(PageKind.LEAF, 0), 0, records)
                .encode();
    }

    private static Bytes zstd(PageImage page) {
        return StoredPage.encode(page, Compression.ZSTD);
    }

    private static PageImage decode(byte[] bytes) {
        return StoredPage.decode(Bytes.wrap(bytes), ID, "pages/x");
    }

    /** The object with something changed, and a checksum that fits. */
    private static byte[] changed(Bytes stored, Consumer<byte[]> change) {
        byte[] bytes = stored.toArray();
        change.accept(bytes);
        PageFormat.putI32(bytes, PageFormat.AT_CRC, PageFormat.checksum(bytes, 0, bytes.length));
        return bytes;
    }

    private static void assertRefused(byte[] bytes, String check) {
        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("key=pages/x")
                .hasMessageContaining("check=" + check + " ");
    }

    @Test
    void comesOutAsItWentIn() {
        PageImage page = SamplePages.words(1, 400);
        Bytes stored = zstd(page);
        assertThat(stored.length()).isLessThan(page.bytes().length() / 3);
        assertThat(stored.slice(0, 4)).isEqualTo(Bytes.utf8("PNSZ"));
        assertThat(StoredPage.decode(stored, ID, "x").bytes()).isEqualTo(page.bytes());
        assertThat(StoredPage.describe(stored.slice(0, StoredPage.HEAD_BYTES)))
                .contains(new StoredPage.Description(stored.length(), Compression.ZSTD));
    }

    /** The page may be anywhere in its array. */
    @Test
    void isReadFromTheMiddleOfAnArray() {
        PageImage page = SamplePages.words(2, 100);
        Bytes stored = zstd(page);
        Bytes within = Bytes.wrap(new byte[13]).concat(stored).concat(Bytes.wrap(new byte[7]));
        Bytes slice = within.slice(13, 13 + stored.length());
        assertThat(StoredPage.decode(slice, ID, "x").bytes()).isEqualTo(page.bytes());
    }

    @Test
    void withoutCompressionThePageIsTheObject() {
        PageImage page = SamplePages.words(1, 400);
        assertThat(StoredPage.encode(page, Compression.NONE)).isSameAs(page.bytes());
        assertThat(StoredPage.decode(page.bytes(), ID, "x").bytes()).isEqualTo(page.bytes());
        assertThat(StoredPage.describe(page.bytes().slice(0, StoredPage.HEAD_BYTES)))
                .contains(new StoredPage.Description(page.bytes().length(), Compression.NONE));
    }

    @Test
    void whatGetsNoSmallerStaysAsItIs() {
        PageImage page = noise(100);
        assertThat(zstd(page)).isSameAs(page.bytes());
    }

    /** Compression must save an eighth or more to be worth it. */
    @Test
    void atLeastAnEighthIsSpared() {
        int compressed = 0;
        for (int noisy = 0; noisy <= 60; noisy += 2) {
            LeafEntries.Builder builder = LeafEntries.builder(null);
            SplittableRandom random = new SplittableRandom(noisy);
            for (int i = 0; i < 100; i++) {
                byte[] payload = new byte[64];
                for (int at = 0; at < noisy; at++) {
                    payload[at] = (byte) random.nextInt();
                }
                builder.put(Bytes.utf8("%08d".formatted(i)), Bytes.wrap(payload), stamp(i));
            }
            PageImage page = builder.build()
                    .layout(SamplePages.header(PageKind.LEAF, 0), 0, 100)
                    .encode();
            Bytes stored = zstd(page);
            int plain = page.bytes().length();
            assertThat(stored.length() == plain || stored.length() <= plain - plain / 8)
                    .as("noisy=%s", noisy)
                    .isTrue();
            compressed += stored.length() < plain ? 1 : 0;
            assertThat(StoredPage.decode(stored, ID, "x").bytes()).isEqualTo(page.bytes());
        }
        assertThat(compressed).isBetween(5, 30);
    }

    /** A MiB of zeros would be some dozens of bytes: filled up, so that no few bytes stand for very many. */
    @Test
    void nothingStandsForMoreThanItsLengthAllows() {
        LeafEntries.Builder builder = LeafEntries.builder(null);
        builder.put(Bytes.utf8("zeros"), Bytes.wrap(new byte[1 << 20]), stamp(1));
        PageImage page = builder.build()
                .layout(SamplePages.header(PageKind.LEAF, 0), 0, 1)
                .encode();
        Bytes stored = zstd(page);
        assertThat(stored.length()).isBetween((1 << 20) / StoredPage.RATIO_MAX, (1 << 20) / StoredPage.RATIO_MAX + 2);
        assertThat(StoredPage.decode(stored, ID, "x").bytes()).isEqualTo(page.bytes());
        int used = PageFormat.i32(stored.array(), StoredPage.AT_COMPRESSED_BYTES) + StoredPage.HEAD_BYTES;
        byte[] cut = Arrays.copyOf(stored.toArray(), used);
        assertRefused(
                changed(Bytes.wrap(cut), bytes -> PageFormat.putI32(bytes, PageFormat.AT_LENGTH, bytes.length)),
                "length");
    }

    @Test
    void everySingleByteFlipIsDetected() {
        byte[] valid = zstd(SamplePages.words(3, 60)).toArray();
        SplittableRandom random = new SplittableRandom(3);
        for (int at = 0; at < valid.length; at++) {
            byte[] flipped = valid.clone();
            flipped[at] ^= (byte) (1 + random.nextInt(255));
            int where = at;
            assertThatExceptionOfType(CorruptDataException.class)
                    .as(() -> "at=" + where)
                    .isThrownBy(() -> decode(flipped));
        }
    }

    @Test
    void everyTruncationAndExtensionIsDetected() {
        byte[] valid = zstd(SamplePages.words(3, 60)).toArray();
        for (int length = 0; length <= valid.length + 3; length++) {
            byte[] cut = Arrays.copyOf(valid, length);
            int where = length;
            if (length != valid.length) {
                assertThatExceptionOfType(CorruptDataException.class)
                        .as(() -> "length=" + where)
                        .isThrownBy(() -> decode(cut));
            }
        }
    }

    @Test
    void liesWithAGoodChecksumAreRefused() {
        Bytes stored = zstd(SamplePages.words(4, 200));
        int length = stored.length();
        assertRefused(changed(stored, bytes -> PageFormat.putU16(bytes, PageFormat.AT_FORMAT, 2)), "format version");
        assertRefused(changed(stored, bytes -> PageFormat.putI32(bytes, PageFormat.AT_LENGTH, length - 1)), "length");
        assertRefused(changed(stored, bytes -> bytes[StoredPage.AT_ALGORITHM] = 2), "algorithm");
        assertRefused(changed(stored, bytes -> bytes[StoredPage.AT_ALGORITHM] = 0), "algorithm");
        assertRefused(changed(stored, bytes -> bytes[StoredPage.AT_ZERO] = 1), "byte 7");
        for (int pageBytes : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, (32 << 20) + 1}) {
            assertRefused(
                    changed(stored, bytes -> PageFormat.putI32(bytes, StoredPage.AT_PAGE_BYTES, pageBytes)),
                    "page length");
        }
        assertRefused(changed(stored, bytes -> PageFormat.putI32(bytes, StoredPage.AT_PAGE_BYTES, 32 << 20)), "length");
        for (int compressed : new int[] {0, -1, Integer.MAX_VALUE, length - StoredPage.HEAD_BYTES + 1}) {
            assertRefused(
                    changed(stored, bytes -> PageFormat.putI32(bytes, StoredPage.AT_COMPRESSED_BYTES, compressed)),
                    "compressed bytes");
        }
        int pageBytes = PageFormat.i32(stored.array(), StoredPage.AT_PAGE_BYTES);
        for (int wrong : new int[] {pageBytes - 1, pageBytes + 1}) {
            assertRefused(
                    changed(stored, bytes -> PageFormat.putI32(bytes, StoredPage.AT_PAGE_BYTES, wrong)),
                    "compressed page");
        }
        assertRefused(changed(stored, bytes -> bytes[StoredPage.HEAD_BYTES] ^= 1), "compressed page");
    }

    /** The content is checked like any page: a compressed page is not a page, nor is another page this one. */
    @Test
    void whatIsInsideIsCheckedToo() {
        PageImage page = SamplePages.words(5, 200);
        PageId other = new PageId(new TreeId(1), 2);
        assertThatThrownBy(() -> StoredPage.decode(zstd(page), other, "x"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("check=page ");
        Bytes stored = zstd(page);
        assertThatThrownBy(() -> PageImage.decode(stored, ID, "x"))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("check=magic ");
    }
}
