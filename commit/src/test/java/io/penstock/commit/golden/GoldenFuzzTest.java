package io.penstock.commit.golden;

import static org.assertj.core.api.Assertions.fail;

import io.penstock.commit.catalog.Catalog;
import io.penstock.commit.checkpoint.LedgerProbe;
import io.penstock.commit.log.AtomicMessage;
import io.penstock.commit.log.PuMessage;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.PageImage;
import io.penstock.testing.MemoryObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Golden files with bytes changed, cut out, doubled and put in, and with checksums that fit again: each decoder reads
 * them or throws {@link CorruptDataException}, and nothing else.
 */
class GoldenFuzzTest {
    private static final int SEEDS = Integer.getInteger("seeds", 4000);

    /** Where a page has its length and its checksum, and a message its checksum. */
    private static final int PAGE_LENGTH_AT = 8;

    private static final int PAGE_CRC_AT = 12;
    private static final int MESSAGE_CRC_AT = 3;

    private static byte[] golden(String name) {
        try (InputStream in = GoldenFuzzTest.class.getResourceAsStream("/golden/v1/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static byte[] mutated(byte[] valid, SplittableRandom random) {
        byte[] bytes = valid.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0);
                case 2 -> bytes[at] = (byte) random.nextInt();
                case 3 -> bytes = Arrays.copyOf(bytes, at);
                case 4 -> bytes = spliced(bytes, at, random.nextInt(bytes.length - at + 1), 0);
                default -> bytes = spliced(bytes, at, 0, 1 + random.nextInt(12));
            }
        }
        return bytes;
    }

    /** Without {@code removed} bytes at {@code at}, and with {@code added} others there. */
    private static byte[] spliced(byte[] bytes, int at, int removed, int added) {
        byte[] next = new byte[bytes.length - removed + added];
        System.arraycopy(bytes, 0, next, 0, at);
        System.arraycopy(bytes, at + removed, next, at + added, bytes.length - at - removed);
        return next;
    }

    private static byte[] sealedPage(byte[] bytes) {
        if (bytes.length >= PAGE_CRC_AT + 4) {
            put(bytes, PAGE_LENGTH_AT, bytes.length);
            CRC32C crc = new CRC32C();
            crc.update(bytes, 0, PAGE_CRC_AT);
            crc.update(bytes, PAGE_CRC_AT + 4, bytes.length - PAGE_CRC_AT - 4);
            put(bytes, PAGE_CRC_AT, (int) crc.getValue());
        }
        return bytes;
    }

    private static byte[] sealedMessage(byte[] bytes) {
        if (bytes.length >= MESSAGE_CRC_AT + 4) {
            CRC32C crc = new CRC32C();
            crc.update(bytes, MESSAGE_CRC_AT + 4, bytes.length - MESSAGE_CRC_AT - 4);
            put(bytes, MESSAGE_CRC_AT, (int) crc.getValue());
        }
        return bytes;
    }

    private static void put(byte[] bytes, int at, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (value >>> 8 * i);
        }
    }

    private interface Seal {
        byte[] seal(byte[] bytes);
    }

    private static void fuzz(byte[] valid, Seal seal, Consumer<Bytes> decode) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = mutated(valid, random);
            bytes = random.nextInt(8) == 0 ? bytes : seal.seal(bytes);
            try {
                decode.accept(Bytes.wrap(bytes));
            } catch (CorruptDataException refused) {
                // As it must be.
            } catch (RuntimeException | Error other) {
                fail("seed=" + seed, other);
            }
        }
    }

    private static void use(PageImage page) {
        for (int i = 0; i < page.count(); i++) {
            Bytes key = page.key(i);
            if (page.find(key) != i) {
                throw new AssertionError("entry " + i + " is not found");
            }
            if (page.isLeaf()) {
                page.payload(i);
                page.stamp(i);
            } else {
                page.childFor(key);
            }
        }
    }

    @Test
    void leaf() {
        PageId id = new PageId(new TreeId(0x1122334455667788L), 0xbeefL);
        fuzz(golden("leaf.bin"), GoldenFuzzTest::sealedPage, bytes -> use(PageImage.decode(bytes, id, "pages/x")));
    }

    @Test
    void inner() {
        PageId id = PageId.root(new TreeId(0x1122334455667788L));
        fuzz(golden("inner.bin"), GoldenFuzzTest::sealedPage, bytes -> use(PageImage.decode(bytes, id, "pages/x")));
    }

    @Test
    void ledger() {
        PageId id = new PageId(new TreeId(0x1122334455667788L), 0x77L);
        byte[] valid = golden("ledger.bin");
        fuzz(valid, GoldenFuzzTest::sealedPage, bytes -> PageImage.decode(bytes, id, "pages/x"));
        byte[] body = PageImage.decode(Bytes.wrap(valid), id, "pages/x").body().toArray();
        fuzz(body, bytes -> bytes, LedgerProbe::decode);
    }

    @Test
    void messages() {
        fuzz(golden("pu-message.bin"), GoldenFuzzTest::sealedMessage, bytes -> PuMessage.decode(bytes, "queue"));
        fuzz(
                golden("atomic-message.bin"),
                GoldenFuzzTest::sealedMessage,
                bytes -> AtomicMessage.decode(bytes, "queue"));
    }

    /** And what follows from an entry: the numbers of its trees. */
    @Test
    void catalogEntry() {
        fuzz(golden("catalog-people.json"), bytes -> bytes, bytes -> {
            MemoryObjectStore objects = new MemoryObjectStore();
            objects.put("catalog/people.json", bytes, WriteCondition.ALWAYS);
            new Catalog(objects, "catalog/", false)
                    .find("people")
                    .ifPresent(definition -> definition.trees().forEach(TreeId::hex));
        });
    }
}
