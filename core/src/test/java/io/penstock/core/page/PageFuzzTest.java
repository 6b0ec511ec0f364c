package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are, decoding gives a page on which every accessor works, or CorruptDataException. */
class PageFuzzTest {
    private static final long SEEDS = Long.getLong("seeds", 60);

    /** Decodes, and if that succeeds uses everything. */
    private static boolean decodes(byte[] bytes, String what) {
        PageImage page;
        try {
            page = PageImage.decode(Bytes.wrap(bytes), SamplePages.ID, "pages/x");
        } catch (CorruptDataException expected) {
            return false;
        } catch (RuntimeException | Error other) {
            return fail(what, other);
        }
        try {
            PageTargets.use(page);
            return true;
        } catch (RuntimeException | Error other) {
            return fail(what, other);
        }
    }

    @Test
    void everySingleByteFlipIsDetected() {
        for (int seed = 0; seed < 12; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] valid = SamplePages.any(random).bytes().toArray();
            for (int at = 0; at < valid.length; at++) {
                byte[] flipped = valid.clone();
                flipped[at] ^= (byte) (1 + random.nextInt(255));
                int where = at;
                int which = seed;
                assertThatExceptionOfType(CorruptDataException.class)
                        .as(() -> "seed=" + which + " at=" + where)
                        .isThrownBy(() -> PageImage.decode(Bytes.wrap(flipped), SamplePages.ID, "pages/x"));
            }
        }
    }

    @Test
    void truncatedPagesAreDetected() {
        byte[] valid = SamplePages.any(new SplittableRandom(3)).bytes().toArray();
        for (int length = 0; length < valid.length; length++) {
            if (decodes(java.util.Arrays.copyOf(valid, length), "length=" + length)) {
                fail("length=" + length);
            }
        }
    }

    @Test
    void randomBytesAreCorruptData() {
        for (long seed = 0; seed < SEEDS * 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = new byte[random.nextInt(600)];
            random.nextBytes(bytes);
            if (decodes(bytes, "seed=" + seed)) {
                fail("seed=" + seed);
            }
        }
    }

    /** Damage with a checksum that fits: only the structural checks stand between it and the accessors. */
    @Test
    void adversarialBytesWithAGoodChecksumAreSafe() {
        int survived = 0;
        for (long seed = 0; seed < SEEDS * 2000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes =
                    SamplePages.any(new SplittableRandom(seed % 512)).bytes().toArray();
            int changes = 1 + random.nextInt(4);
            for (int i = 0; i < changes; i++) {
                boolean inLengths = random.nextInt(3) == 0;
                int at = inLengths
                        ? PageFormat.AT_BASE_TIME + random.nextInt(PageFormat.FIXED_BYTES - PageFormat.AT_BASE_TIME)
                        : random.nextInt(bytes.length);
                int[] tricky = {0, 1, 2, 0x7f, 0x80, 0xff, random.nextInt(256)};
                bytes[at] = (byte) tricky[random.nextInt(tricky.length)];
            }
            PageFormat.putI64(bytes, PageFormat.AT_TREE, SamplePages.ID.tree().value());
            PageFormat.putI64(bytes, PageFormat.AT_NUMBER, SamplePages.ID.number());
            PageFormat.putI32(bytes, PageFormat.AT_MAGIC, PageFormat.MAGIC);
            PageFormat.putU16(bytes, PageFormat.AT_FORMAT, PageFormat.VERSION + random.nextInt(2));
            SamplePages.seal(bytes);
            survived += decodes(bytes, "seed=" + seed) ? 1 : 0;
        }
        if (survived == 0) {
            fail("the damage never got past the checks: the test tests nothing");
        }
    }
}
