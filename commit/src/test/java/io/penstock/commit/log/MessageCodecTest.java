package io.penstock.commit.log;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.page.Expiry;
import io.penstock.core.record.RecordChange;
import io.penstock.testing.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The messages of PU and ATOMIC queues: what is written is read; anything else is refused in one way. */
class MessageCodecTest {
    private static final int ROUNDS = 200;

    @Test
    void puMessageRoundTrip() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            PuMessage message = puMessage(new Random(seed));
            assertThat(PuMessage.decode(message.encode(), "q"))
                    .as("seed=%d", seed)
                    .isEqualTo(message);
        }
    }

    @Test
    void everyKindOfChangeIsReadAsItWasWritten() {
        List<LogRecord> records = Changes.ofEachKind(Bytes.utf8("k"), stamp(new Random(1))).stream()
                .map(change -> new LogRecord(new TreeId(7), change))
                .toList();
        AtomicMessage message = new AtomicMessage(List.of(new AtomicMessage.Part(stamp(new Random(1)), 0, 1, records)));
        assertThat(AtomicMessage.decode(message.encode(), "q")).isEqualTo(message);
    }

    @Test
    void atomicMessageRoundTrip() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            AtomicMessage message = atomicMessage(new Random(seed));
            assertThat(AtomicMessage.decode(message.encode(), "q"))
                    .as("seed=%d", seed)
                    .isEqualTo(message);
        }
    }

    @Test
    void aSliceOfALargerArrayIsReadAlike() {
        PuMessage message = puMessage(new Random(1));
        byte[] encoded = message.encode().toArray();
        byte[] shifted = new byte[encoded.length + 20];
        System.arraycopy(encoded, 0, shifted, 9, encoded.length);
        assertThat(PuMessage.decode(Bytes.wrap(shifted, 9, encoded.length), "q"))
                .isEqualTo(message);
    }

    @Test
    void sizesAreUpperBounds() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Random random = new Random(seed);
            PuMessage pu = puMessage(random);
            int puMax = PuMessage.overheadBytesMax()
                    + pu.records().stream().mapToInt(PuMessage::recordBytesMax).sum();
            assertThat(pu.encode().length()).as("seed=%d", seed).isLessThanOrEqualTo(puMax);
            AtomicMessage.Part part = new AtomicMessage.Part(stamp(random), 0, 1, records(random, 5));
            int atomicMax = AtomicMessage.overheadBytesMax()
                    + part.records().stream()
                            .mapToInt(AtomicMessage::recordBytesMax)
                            .sum();
            assertThat(new AtomicMessage(List.of(part)).encode().length())
                    .as("seed=%d", seed)
                    .isLessThanOrEqualTo(atomicMax)
                    .isLessThanOrEqualTo(AtomicMessage.overheadBytesMax() + part.bytesMax());
        }
    }

    @Test
    void everySingleByteFlipIsFound() {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            flipAll(puMessage(random).encode(), bytes -> PuMessage.decode(bytes, "q"), seed);
            flipAll(atomicMessage(random).encode(), bytes -> AtomicMessage.decode(bytes, "q"), seed);
        }
    }

    private static void flipAll(Bytes encoded, Consumer<Bytes> decode, long seed) {
        for (int at = 0; at < encoded.length(); at++) {
            byte[] damaged = encoded.toArray();
            damaged[at] ^= (byte) (1 << (at % 8));
            assertCorrupt(Bytes.wrap(damaged), decode, "seed=" + seed + " at=" + at);
        }
    }

    @Test
    void everyTruncationIsFound() {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            Bytes pu = puMessage(random).encode();
            Bytes atomic = atomicMessage(random).encode();
            for (int length = 0; length < pu.length(); length++) {
                assertCorrupt(pu.slice(0, length), b -> PuMessage.decode(b, "q"), "seed=" + seed + " of=" + length);
            }
            for (int length = 0; length < atomic.length(); length++) {
                assertCorrupt(
                        atomic.slice(0, length), b -> AtomicMessage.decode(b, "q"), "seed=" + seed + " of=" + length);
            }
        }
    }

    @Test
    void oneKindIsNotTakenForTheOther() {
        Random random = new Random(1);
        assertCorrupt(puMessage(random).encode(), b -> AtomicMessage.decode(b, "q"), "pu as atomic");
        assertCorrupt(atomicMessage(random).encode(), b -> PuMessage.decode(b, "q"), "atomic as pu");
    }

    @Test
    void randomBytesAreRefused() {
        for (long seed = 1; seed <= 2000; seed++) {
            Random random = new Random(seed);
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            assertCorrupt(Bytes.wrap(noise), b -> PuMessage.decode(b, "q"), "seed=" + seed);
            assertCorrupt(Bytes.wrap(noise), b -> AtomicMessage.decode(b, "q"), "seed=" + seed);
        }
    }

    /** A correct checksum does not make the content valid: the decoders behind the frame check it themselves. */
    @Test
    void randomBytesInAGoodFrameAreRefusedOrRead() {
        for (long seed = 1; seed <= 5000; seed++) {
            Random random = new Random(seed);
            byte[] noise = new byte[random.nextInt(60)];
            random.nextBytes(noise);
            if (random.nextBoolean()) {
                // Small numbers make sense more often.
                for (int i = 0; i < noise.length; i++) {
                    noise[i] &= 7;
                }
            }
            Bytes rest = Bytes.wrap(noise);
            assertReadOrCorrupt(Frame.wrap('U', rest), b -> PuMessage.decode(b, "q"), seed);
            assertReadOrCorrupt(Frame.wrap('A', rest), b -> AtomicMessage.decode(b, "q"), seed);
        }
    }

    @Test
    void anotherFormatVersionSaysWhatToDo() {
        byte[] newer = puMessage(new Random(1)).encode().toArray();
        newer[2] = 9;
        assertThatThrownBy(() -> PuMessage.decode(Bytes.wrap(newer), "the-queue"))
                .isInstanceOf(CorruptDataException.class)
                .is(code(ErrorCode.OTHER_RELEASE))
                .hasMessageContaining("the-queue");
    }

    /** No message holds bytes of keys or payloads. */
    @Test
    void errorsQuoteNoData() {
        LogRecord record = new LogRecord(
                new TreeId(7), new RecordChange.Put(Bytes.utf8("secret"), Bytes.utf8("hush"), Stamp.ZERO));
        byte[] damaged =
                new PuMessage(new ClientId(1), 1, List.of(record)).encode().toArray();
        damaged[damaged.length - 1] ^= 1;
        assertThatThrownBy(() -> PuMessage.decode(Bytes.wrap(damaged), "q"))
                .isInstanceOf(CorruptDataException.class)
                .message()
                .doesNotContain("secret", "hush");
    }

    @Test
    void aReferenceTravels() {
        Bytes reference = OverflowParts.of(new OverflowReference(new ClientId(3), 4, 5_000_000))
                .encode();
        LogRecord large = new LogRecord(
                new TreeId(7), new RecordChange.Put(Bytes.utf8("k"), reference, true, Stamp.of(1, 0, new ClientId(2))));
        LogRecord small = new LogRecord(
                new TreeId(7), new RecordChange.Put(Bytes.utf8("l"), Bytes.utf8("v"), Stamp.of(1, 0, new ClientId(2))));
        PuMessage both = new PuMessage(new ClientId(1), 1, List.of(small, large));
        assertThat(PuMessage.decode(both.encode(), "q")).isEqualTo(both);
        AtomicMessage atomic = new AtomicMessage(
                List.of(new AtomicMessage.Part(Stamp.of(1, 0, new ClientId(2)), 0, 1, List.of(large))));
        assertThat(AtomicMessage.decode(atomic.encode(), "q")).isEqualTo(atomic);
        LogRecord cut = new LogRecord(
                new TreeId(7),
                new RecordChange.Put(Bytes.utf8("k"), reference.slice(0, 24), true, Stamp.of(1, 0, new ClientId(2))));
        Bytes damaged = new PuMessage(new ClientId(1), 1, List.of(cut)).encode();
        assertCorrupt(damaged, b -> PuMessage.decode(b, "q"), "a reference of 24 bytes");
    }

    @Test
    void anExpiryIsATimeOfAPut() {
        Stamp stamp = Stamp.of(1, 0, new ClientId(2));
        for (int flags : new int[] {2 + 4 + 32 + 1, 2 + 4 + 32}) {
            WireWriter run =
                    new WireWriter(64).u64(1).varint(1).varint(1).u8(flags).u64(7);
            run.u64(stamp.time()).u64(2).varint(flags % 2 == 1 ? 5 : Expiry.NEVER);
            Bytes message = Frame.wrap(
                    'U', run.bytes(Bytes.utf8("k")).bytes(Bytes.utf8("v")).toBytes());
            assertThatThrownBy(() -> PuMessage.decode(message, "q"))
                    .isInstanceOf(CorruptDataException.class)
                    .is(code(ErrorCode.OBJECT_DAMAGED));
        }
    }

    @Test
    void aPuMessageWithoutRecordsIsRefused() {
        Bytes empty =
                Frame.wrap('U', new WireWriter(16).u64(1).varint(1).varint(0).toBytes());
        assertCorrupt(empty, b -> PuMessage.decode(b, "q"), "no records");
    }

    @Test
    void numbersOfAMessage() {
        Random random = new Random(4);
        PuMessage message = new PuMessage(new ClientId(1), 5, records(random, 3));
        assertThat(message.last()).isEqualTo(7);
        assertThat(message.ordered()).isTrue();
        assertThat(new PuMessage(new ClientId(1), PuMessage.UNORDERED, records(random, 1)).ordered())
                .isFalse();
    }

    private static void assertCorrupt(Bytes bytes, Consumer<Bytes> decode, String run) {
        assertThatThrownBy(() -> decode.accept(bytes)).as(run).isInstanceOf(CorruptDataException.class);
    }

    private static void assertReadOrCorrupt(Bytes bytes, Consumer<Bytes> decode, long seed) {
        assertThatCode(() -> {
                    try {
                        decode.accept(bytes);
                    } catch (CorruptDataException expected) {
                        assertThat(expected.getMessage()).contains("q");
                    }
                })
                .as("seed=%d", seed)
                .doesNotThrowAnyException();
    }

    private static PuMessage puMessage(Random random) {
        long first =
                random.nextInt(3) == 0 ? PuMessage.UNORDERED : 1 + (random.nextLong() >>> (1 + random.nextInt(62)));
        PuMessage.Predecessor after = new PuMessage.Predecessor(
                new ClientId(random.nextLong()), 1 + (random.nextLong() >>> 1 >>> random.nextInt(62)));
        return random.nextInt(4) == 0
                ? new PuMessage(new ClientId(random.nextLong()), 1, after, records(random, 1 + random.nextInt(8)))
                : new PuMessage(new ClientId(random.nextLong()), first, records(random, 1 + random.nextInt(8)));
    }

    private static AtomicMessage atomicMessage(Random random) {
        List<AtomicMessage.Part> parts = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            int of = 1 + random.nextInt(300);
            parts.add(
                    new AtomicMessage.Part(stamp(random), random.nextInt(of), of, records(random, random.nextInt(6))));
        }
        return new AtomicMessage(parts);
    }

    private static List<LogRecord> records(Random random, int count) {
        List<LogRecord> records = new ArrayList<>();
        TreeId tree = new TreeId(random.nextLong());
        Stamp stamp = stamp(random);
        for (int i = 0; i < count; i++) {
            tree = random.nextInt(3) == 0 ? new TreeId(random.nextLong()) : tree;
            stamp = random.nextInt(3) == 0 ? stamp(random) : stamp;
            Bytes key = bytes(random, 20);
            RecordChange change = random.nextInt(4) == 0
                    ? new RecordChange.Delete(key, stamp)
                    : new RecordChange.Put(key, bytes(random, 200), false, expiry(random), stamp);
            long epoch = random.nextInt(3) == 0 ? random.nextLong() >>> (1 + random.nextInt(62)) : 0;
            records.add(new LogRecord(tree, change, epoch));
        }
        return records;
    }

    private static long expiry(Random random) {
        return random.nextInt(4) == 0 ? random.nextLong() >>> (1 + random.nextInt(62)) : Expiry.NEVER;
    }

    private static Stamp stamp(Random random) {
        return new Stamp(random.nextLong(), new ClientId(random.nextLong()));
    }

    private static Bytes bytes(Random random, int max) {
        byte[] bytes = new byte[random.nextInt(max)];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    /** The last number overflowed to a negative one, so that the ledger took the message for applied. */
    @Test
    void numbersBeyondTheLastAreRefused() {
        List<LogRecord> two = records(new Random(1), 2);
        Bytes message = new PuMessage(new ClientId(1), Long.MAX_VALUE - 1, two).encode();
        assertThatThrownBy(() -> PuMessage.decode(message, "q")).isInstanceOf(CorruptDataException.class);
    }

    /** A checkpoint wrote the page that referred to the damaged reference, and then failed every time. */
    @Test
    void referencesThatLeadNowhereAreRefused() {
        Bytes reference =
                OverflowParts.of(new OverflowReference(new ClientId(1), 2, -3)).encode();
        RecordChange put = new RecordChange.Put(Bytes.utf8("k"), reference, true, stamp(new Random(1)));
        Bytes message = new PuMessage(new ClientId(1), 1, List.of(new LogRecord(new TreeId(1), put))).encode();
        assertThatThrownBy(() -> PuMessage.decode(message, "q")).isInstanceOf(CorruptDataException.class);
    }
}
