package io.penstock.core.overflow;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OverflowStoreTest {
    private static final TreeId TREE = new TreeId(7);
    private static final ClientId CLIENT = new ClientId(9);

    private final MemoryObjectStore objects = new MemoryObjectStore();

    /** Blocks of 64 bytes, four to a part, for cases that otherwise need many megabytes. */
    private final OverflowStore overflows = new OverflowStore(objects, new InlineTasks(1), "shop/", 64, 256);

    private static Bytes payload(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private static InputStream stream(Bytes payload) {
        return new ByteArrayInputStream(payload.array(), payload.offset(), payload.length());
    }

    private Optional<Bytes> read(OverflowReference only) {
        return overflows.read(TREE, OverflowParts.of(only));
    }

    private Optional<InputStream> open(OverflowReference only) {
        return overflows.open(TREE, OverflowParts.of(only), ByteRange.ALL, () -> {});
    }

    private Bytes readStream(OverflowReference only) throws IOException {
        return readStream(OverflowParts.of(only), ByteRange.ALL);
    }

    private Bytes readStream(OverflowParts payload, ByteRange range) throws IOException {
        try (InputStream in = overflows.open(TREE, payload, range, () -> {}).orElseThrow()) {
            return Bytes.wrap(in.readAllBytes());
        }
    }

    @Test
    void whatIsWrittenIsReadWholeAndAsAStream() throws IOException {
        Random random = new Random(1);
        for (int length = 1; length < 1200; length++) {
            Bytes payload = payload(random, length);
            OverflowReference whole = overflows.write(TREE, CLIENT, payload);
            OverflowReference streamed = overflows.write(TREE, CLIENT, stream(payload));
            assertThat(whole.length()).isEqualTo(length);
            for (OverflowReference reference : List.of(whole, streamed)) {
                assertThat(read(reference)).as("length=" + length).hasValue(payload);
                assertThat(readStream(reference)).as("length=" + length).isEqualTo(payload);
            }
        }
    }

    @Test
    void aStreamIsReadByteByByteToo() throws IOException {
        Bytes payload = payload(new Random(2), 700);
        OverflowReference reference = overflows.write(TREE, CLIENT, payload);
        try (InputStream in = open(reference).orElseThrow()) {
            assertThat(in.available()).isPositive();
            for (int i = 0; i < payload.length(); i++) {
                assertThat(in.read()).isEqualTo(payload.at(i) & 0xff);
            }
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(new byte[4], 0, 4)).isEqualTo(-1);
        }
    }

    @Test
    void keysAreOfTheTreeAndNeverTheSame() {
        Bytes payload = Bytes.utf8("x");
        OverflowReference one = overflows.write(TREE, CLIENT, payload);
        OverflowReference two = overflows.write(TREE, CLIENT, payload);
        assertThat(overflows.objectKey(TREE, one)).startsWith("shop/overflow/0000000000000007/0000000000000009");
        assertThat(overflows.objectKey(TREE, two)).isNotEqualTo(overflows.objectKey(TREE, one));
        OverflowParts parts = new OverflowParts(List.of(one, two), Bytes.utf8("tail"));
        assertThat(OverflowParts.decode(parts.encode())).isEqualTo(parts);
    }

    /** Whichever bit is turned, and wherever an object is cut: never a wrong payload. */
    @Test
    void damageIsFound() {
        Bytes payload = payload(new Random(3), 300);
        OverflowReference reference = overflows.write(TREE, CLIENT, payload);
        String key = overflows.objectKey(TREE, reference);
        Bytes good = objects.get(key).map(StoredObject::body).orElseThrow();
        for (int bit = 0; bit < good.length() * 8; bit++) {
            byte[] bad = good.toArray();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertCorrupt(reference, key, Bytes.wrap(bad), "bit=" + bit);
        }
        for (int length = 0; length < good.length(); length++) {
            assertCorrupt(reference, key, good.slice(0, length), "length=" + length);
        }
        OverflowReference other = overflows.write(TREE, CLIENT, payload);
        Bytes same = objects.get(overflows.objectKey(TREE, other))
                .map(StoredObject::body)
                .orElseThrow();
        assertCorrupt(reference, key, same, "another object with the same payload");
    }

    private void assertCorrupt(OverflowReference reference, String key, Bytes stored, String what) {
        objects.put(key, stored, WriteCondition.ALWAYS);
        assertThatThrownBy(() -> read(reference)).as(what).isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> readStream(reference)).as(what).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void aReferenceToOtherContentIsFound() throws IOException {
        OverflowReference reference = overflows.write(TREE, CLIENT, payload(new Random(7), 200));
        for (long length : new long[] {1, 50, 199, 201, 300}) {
            OverflowReference wrong = new OverflowReference(CLIENT, reference.number(), length);
            assertThatThrownBy(() -> read(wrong)).as("length=" + length).isInstanceOf(CorruptDataException.class);
            assertThatThrownBy(() -> readStream(wrong)).isInstanceOf(CorruptDataException.class);
        }
    }

    /** Whatever the objects, the tail and the range: the bytes of the range, by requests for what covers it. */
    @Test
    void anyRangeOfManyObjectsAndATailIsRead() throws IOException {
        Random random = new Random(8);
        for (int round = 0; round < 300; round++) {
            List<OverflowReference> written = new ArrayList<>();
            Bytes whole = Bytes.EMPTY;
            for (int i = 0; i <= random.nextInt(5); i++) {
                Bytes part = payload(random, 1 + random.nextInt(400));
                written.add(overflows.write(TREE, CLIENT, part));
                whole = whole.concat(part);
            }
            Bytes tail = payload(random, random.nextInt(50));
            whole = whole.concat(tail);
            OverflowParts parts = new OverflowParts(written, tail);
            assertThat(parts.length()).isEqualTo(whole.length());
            assertThat(overflows.read(TREE, parts)).hasValue(whole);
            assertThat(readStream(parts, ByteRange.ALL)).isEqualTo(whole);
            for (int i = 0; i < 10; i++) {
                int offset = random.nextInt(whole.length() + 1);
                int length = random.nextInt(whole.length() - offset + 1);
                assertThat(readStream(parts, ByteRange.of(offset, length)))
                        .as("round=" + round + " offset=" + offset + " length=" + length)
                        .isEqualTo(whole.slice(offset, offset + length));
            }
        }
    }

    @Test
    void aRangeReadsNoMoreThanItsBlocksAndNeedsNoOthers() throws IOException {
        Bytes payload = payload(new Random(9), 2000);
        OverflowReference reference = overflows.write(TREE, CLIENT, payload);
        String key = overflows.objectKey(TREE, reference);
        byte[] stored = objects.get(key).orElseThrow().body().toArray();
        stored[5 * 64 + 20] ^= 1;
        objects.put(key, Bytes.wrap(stored), WriteCondition.ALWAYS);
        OverflowParts parts = OverflowParts.of(reference);
        assertThat(readStream(parts, ByteRange.of(0, 5 * 56))).isEqualTo(payload.slice(0, 5 * 56));
        assertThat(readStream(parts, ByteRange.of(6 * 56, 1000))).isEqualTo(payload.slice(6 * 56, 6 * 56 + 1000));
        assertThatThrownBy(() -> readStream(parts, ByteRange.of(5 * 56, 1))).isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> readStream(parts, ByteRange.of(200, 200))).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void aRangeOutsideIsRefusedInOneLine() {
        OverflowParts parts = OverflowParts.of(overflows.write(TREE, CLIENT, Bytes.utf8("content")));
        for (long[] range : new long[][] {{-1, 1}, {0, -1}, {0, 8}, {8, 0}, {7, 1}, {1, Long.MAX_VALUE}}) {
            assertThatThrownBy(() -> overflows.open(TREE, parts, ByteRange.of(range[0], range[1]), () -> {}))
                    .as("%d %d", range[0], range[1])
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("offset=" + range[0]);
        }
    }

    /** Each byte is written once, and again as often as the logarithm of the number of appends, not with each. */
    @Test
    void appendsRewriteLittle() {
        Random random = new Random(10);
        for (int objectsMax : new int[] {1, 2, 8, 64}) {
            OverflowParts parts = OverflowParts.of(new OverflowReference(CLIENT, 0, 20_000));
            long written = 20_000;
            for (int i = 1; parts.length() < 90_000_000; i++) {
                long added = 10_000 + random.nextInt(20_000);
                int kept = parts.firstRewritten(objectsMax, added);
                long next = parts.length() - parts.start(kept) + added;
                written += next;
                parts = parts.with(kept, new OverflowReference(CLIENT, i, next));
                assertThat(parts.objects().size()).isLessThanOrEqualTo(objectsMax);
            }
            if (objectsMax == 64) {
                assertThat(written / parts.length()).isLessThan(8);
            }
        }
    }

    @Test
    void bytesThatAreNoReference() {
        for (byte[] bytes : List.of(new byte[0], new byte[60], new byte[] {1, 0, 0}, new byte[] {-1, 0, 0})) {
            assertThatThrownBy(() -> OverflowParts.decode(Bytes.wrap(bytes))).isInstanceOf(CorruptDataException.class);
        }
        OverflowReference half = new OverflowReference(CLIENT, 1, OverflowStore.PAYLOAD_BYTES_MAX / 2);
        Bytes full = new OverflowParts(List.of(half, half), Bytes.EMPTY).encode();
        assertThat(OverflowParts.decode(full).length()).isEqualTo(OverflowStore.PAYLOAD_BYTES_MAX);
        assertThatThrownBy(() -> OverflowParts.decode(full.concat(Bytes.utf8("x"))))
                .isInstanceOf(CorruptDataException.class);
        for (long length : new long[] {-1, OverflowStore.PAYLOAD_BYTES_MAX + 1, Long.MAX_VALUE}) {
            Bytes encoded =
                    OverflowParts.of(new OverflowReference(CLIENT, 1, length)).encode();
            assertThatThrownBy(() -> OverflowParts.decode(encoded)).isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void whatIsNotThereIsEmptyAndWhatGoesMeanwhileIsAConflict() throws IOException {
        Bytes payload = payload(new Random(4), 1000);
        OverflowReference reference = overflows.write(TREE, CLIENT, payload);
        InputStream begun = open(reference).orElseThrow();
        assertThat(begun.read()).isEqualTo(payload.at(0) & 0xff);
        overflows.delete(TREE, List.of(reference));
        overflows.delete(TREE, List.of(reference));
        assertThat(read(reference)).isEmpty();
        assertThat(open(reference)).isEmpty();
        assertThatThrownBy(begun::readAllBytes)
                .isInstanceOf(ConflictException.class)
                .is(code(ErrorCode.CONFLICT));
    }

    @Test
    void aFailingSourceLeavesNothing() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("torn");
            }
        };
        for (int length : new int[] {10, 100, 1000}) {
            InputStream source = new SequenceInputStream(stream(payload(new Random(5), length)), broken);
            assertThatThrownBy(() -> overflows.write(TREE, CLIENT, source)).isInstanceOf(UncheckedIOException.class);
        }
        assertThat(objects.size()).isZero();
    }

    @Test
    void aFailingPartFailsTheWriteAndLeavesNothing() {
        objects.setHook(new MemoryObjectStore.Hook() {
            private int puts;

            @Override
            public void before(MemoryObjectStore.Call call, String key) {
                if (call == MemoryObjectStore.Call.PUT && ++puts == 3) {
                    throw new UnavailableException("down");
                }
            }
        });
        assertThatThrownBy(() -> overflows.write(TREE, CLIENT, payload(new Random(6), 2000)))
                .isInstanceOf(UnavailableException.class);
        assertThat(objects.size()).isZero();
    }

    /** A hundred mebibytes of nothing, and a byte more: the stream is never in memory whole. */
    @Test
    void aStreamAboveTheLimitIsRefused() {
        OverflowStore real = new OverflowStore(objects, new InlineTasks(1), "shop/");
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 0;
            }

            @Override
            public int read(byte[] target, int at, int length) {
                return length;
            }
        };
        assertThatThrownBy(() -> real.write(TREE, CLIENT, endless))
                .isInstanceOf(InvalidRequestException.class)
                .is(code(ErrorCode.TOO_LARGE))
                .hasMessageContaining("payloadBytesMax=104857600");
        assertThat(objects.size()).isZero();
    }

    /** The payload of 100 MiB that a reference named was gone: nothing could be read, but all of it was allocated. */
    @Test
    void aReferenceAloneTakesNoMemory() {
        OverflowStore real = new OverflowStore(objects, new InlineTasks(1), "shop/");
        OverflowParts gone = OverflowParts.of(new OverflowReference(CLIENT, 1, OverflowStore.PAYLOAD_BYTES_MAX));
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThat(real.read(TREE, gone)).isEmpty();
        assertThat(real.open(TREE, gone, ByteRange.ALL, () -> {})).isEmpty();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(2 << 20);
    }
}
