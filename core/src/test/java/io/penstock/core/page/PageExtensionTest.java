package io.penstock.core.page;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PageExtensionTest {
    private static final Bytes UNKNOWN = Bytes.wrap(new byte[] {9, 3, 1, 2, 3});

    @Test
    void aNumberIsKeptBesideFieldsThatAreNotKnown() {
        for (long epoch : new long[] {1, 127, 128, 1L << 40, Long.MAX_VALUE}) {
            Bytes with = PageExtension.with(UNKNOWN, PageExtension.INDEX_EPOCH, epoch);
            assertThat(PageExtension.isSound(with)).isTrue();
            assertThat(PageExtension.number(with, PageExtension.INDEX_EPOCH)).isEqualTo(epoch);
            assertThat(PageExtension.with(with, PageExtension.INDEX_EPOCH, 0)).isEqualTo(UNKNOWN);
            Bytes again = PageExtension.with(with, PageExtension.INDEX_EPOCH, epoch);
            assertThat(again).isEqualTo(with);
        }
        assertThat(PageExtension.number(UNKNOWN, PageExtension.INDEX_EPOCH)).isZero();
    }

    @Test
    void whatIsNoFieldsIsNotSound() {
        for (byte[] bytes : new byte[][] {
            {1},
            {9, 1},
            {9, (byte) 200, 0},
            {1, 0},
            {1, 1, (byte) 0x80},
            {1, 2, 0, 0},
            {1, 11, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
        }) {
            assertThat(PageExtension.isSound(Bytes.wrap(bytes))).isFalse();
        }
        assertThat(PageExtension.isSound(Bytes.EMPTY)).isTrue();
    }

    @Test
    void aPageKeepsItsIndexEpochAndHandsItOn() {
        TreeMap<Bytes, SamplePages.Value> records = SamplePages.records(new SplittableRandom(1), 20, 10);
        PageHeader header = SamplePages.header(PageKind.LEAF, 0).withIndexEpoch(300);
        PageImage leaf = SamplePages.leaf(header, records);
        PageImage read = PageImage.decode(leaf.bytes(), SamplePages.ID, "key");
        assertThat(read.header().indexEpoch()).isEqualTo(300);
        assertThat(read.header().next(1, 2).indexEpoch()).isEqualTo(300);
        assertThat(read.header().splitOff(5, 6, 7).indexEpoch()).isEqualTo(300);
        assertThat(read.header().asInner(1).indexEpoch()).isZero();
        assertThat(SamplePages.header(PageKind.LEAF, 0).indexEpoch()).isZero();
    }

    @Test
    void anExtensionThatIsNoFieldsIsDamage() {
        PageHeader plain = SamplePages.header(PageKind.LEAF, 0);
        PageHeader bad = new PageHeader(
                plain.id(),
                plain.kind(),
                plain.level(),
                plain.version(),
                plain.writeId(),
                plain.right(),
                plain.highKey(),
                plain.origin(),
                plain.checkpointMillis(),
                Bytes.wrap(new byte[] {1, 9}));
        Bytes stored = SamplePages.leaf(bad, new TreeMap<>()).bytes();
        assertThatThrownBy(() -> PageImage.decode(stored, SamplePages.ID, "key"))
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.PAGE_DAMAGED));
    }

    /** Fields that are there once cost nothing; very many of them would cost the square of their number. */
    @Test
    void aNumberThatIsThereTwiceIsDamage() {
        byte[] takeover = new byte[2 + LeafMerge.BYTES];
        takeover[0] = PageExtension.TAKEOVER;
        takeover[1] = LeafMerge.BYTES;
        Bytes once = Bytes.wrap(takeover);
        assertThat(PageExtension.isSound(once)).isTrue();
        assertThat(PageExtension.isSound(once.concat(once))).isFalse();
        Bytes epoch = Bytes.wrap(new byte[] {PageExtension.INDEX_EPOCH, 1, 5});
        assertThat(PageExtension.isSound(epoch.concat(once))).isTrue();
        assertThat(PageExtension.isSound(epoch.concat(once).concat(epoch))).isFalse();
    }

    @Test
    void aLongBoundIsReadAsItWasWritten() {
        byte[] bound = new byte[1 << 20];
        new SplittableRandom(1).nextBytes(bound);
        PageHeader retired =
                SamplePages.header(PageKind.LEAF, 0).withIndexEpoch(7).retired(Bytes.wrap(bound));
        assertThat(PageExtension.isSound(retired.extension())).isTrue();
        assertThat(retired.retiredLow()).isEqualTo(Bytes.wrap(bound));
        assertThat(retired.indexEpoch()).isEqualTo(7);
    }
}
