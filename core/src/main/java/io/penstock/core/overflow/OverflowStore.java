package io.penstock.core.overflow;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.StoredObject;
import io.penstock.core.task.MemoryLock;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.Tasks;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The store of payloads that are too large for a page, each an object of its own, {@code
 * <prefix>overflow/<tree>/<name>}. An object is written once, under a key that is never reused, before the log record
 * that names it is sent. So a reference never changes its meaning, and writing the object twice is harmless.
 *
 * <p>Objects are removed by a checkpointer, once it has put a page with a newer value, and by garbage collection, if no
 * page names them and they are older than {@link #LIFE_MIN}. Decision 0017 says why that is safe.
 *
 * <p>Every method may throw {@link io.penstock.core.UnavailableException}. Safe for use by many threads.
 */
public final class OverflowStore {
    /** The largest payload. */
    public static final long PAYLOAD_BYTES_MAX = 100L << 20;

    /**
     * The time limit of a transaction from its first overflow object to its commit: no log record is younger than the
     * objects it names by more than that.
     */
    public static final Duration COMMIT_WITHIN = Duration.ofDays(1);

    /**
     * The age at which an object that no page names is garbage: the 29 days after which no log record is applied any
     * more, {@link #COMMIT_WITHIN}, one day for a checkpointer that pauses between its look at a record's age and its
     * put, and one for clocks.
     */
    public static final Duration LIFE_MIN = Duration.ofDays(32);

    private static final int BLOCK_BYTES = 1 << 20;

    /** The bytes of one request; above the minimum of S3, and a multiple of a block. */
    private static final int PART_BYTES = 8 << 20;

    /** The number of ranges of one object that are read at a time. */
    private static final int PARALLEL_READS = 4;

    private final ObjectStore objects;
    private final Tasks tasks;
    private final String prefix;
    private final BlockFormat format;
    private final int partBytes;

    /** @param storePrefix the common prefix of all object keys of the store */
    public OverflowStore(ObjectStore objects, Tasks tasks, String storePrefix) {
        this(objects, tasks, storePrefix, BLOCK_BYTES, PART_BYTES);
    }

    /** @param partBytes a multiple of {@code blockBytes} */
    OverflowStore(ObjectStore objects, Tasks tasks, String storePrefix, int blockBytes, int partBytes) {
        this.objects = objects;
        this.tasks = tasks;
        this.prefix = storePrefix + "overflow/";
        this.format = new BlockFormat(blockBytes);
        this.partBytes = partBytes;
    }

    /** The common prefix of the keys of all overflow objects. */
    public String prefix() {
        return prefix;
    }

    /** The key of the object with a payload of {@code tree}. */
    public String objectKey(TreeId tree, OverflowReference reference) {
        return prefix + tree.hex() + "/" + reference.name();
    }

    /**
     * Writes a payload as an object of its own.
     *
     * @throws io.penstock.core.InvalidRequestException when it has more than {@link #PAYLOAD_BYTES_MAX}
     */
    public OverflowReference write(TreeId tree, ClientId client, Bytes payload) {
        long lengthMax = Math.min(payload.length(), PAYLOAD_BYTES_MAX);
        InputStream in = new ByteArrayInputStream(payload.array(), payload.offset(), payload.length());
        return writer(tree, client).write(in, lengthMax);
    }

    /**
     * Writes a payload from a stream, with only a few parts in memory; otherwise like {@link #write(TreeId, ClientId,
     * Bytes)}. The stream is read to its end, not closed.
     *
     * @throws java.io.UncheckedIOException when the stream fails; then nothing is written
     */
    public OverflowReference write(TreeId tree, ClientId client, InputStream payload) {
        return writer(tree, client).write(payload, PAYLOAD_BYTES_MAX);
    }

    private OverflowWriter writer(TreeId tree, ClientId client) {
        long number = tasks.random().nextLong();
        OverflowReference unwritten = new OverflowReference(client, number, 0, 0);
        return new OverflowWriter(objects, tasks, format, partBytes, name(tree, unwritten));
    }

    private OverflowName name(TreeId tree, OverflowReference reference) {
        return new OverflowName(objectKey(tree, reference), reference.client(), reference.number());
    }

    /**
     * The whole payload; empty when the object is gone, because it was replaced since the reference was read.
     *
     * @throws CorruptDataException when the object is damaged
     */
    public Optional<Bytes> read(TreeId tree, OverflowReference reference) {
        Room room = new Room(Math.toIntExact(reference.length()));
        OverflowName name = name(tree, reference);
        int step = partBytes / format.blockBytes() * format.dataBytes();
        List<Long> starts = LongStream.iterate(0, at -> at < reference.length(), at -> at + step)
                .boxed()
                .toList();
        List<Boolean> found = Parallel.map(
                tasks,
                PARALLEL_READS,
                starts,
                at -> blocks(name, reference.length(), at, partBytes)
                        .map(blocks -> format.open(blocks, name, block(at), room.array(), at.intValue()))
                        .isPresent());
        if (found.contains(false)) {
            return Optional.empty();
        }
        byte[] payload = room.array();
        CRC32C checksum = new CRC32C();
        checksum.update(payload);
        require(reference, name, (int) checksum.getValue());
        return Optional.of(Bytes.wrap(payload));
    }

    /**
     * The target of a payload whose parts are read in parallel. Allocated when the first part is there, because a
     * reference of a few bytes may name an object that is gone.
     */
    private static final class Room {
        private final int length;
        private final MemoryLock making = new MemoryLock();
        private byte @Nullable [] array;

        Room(int length) {
            this.length = length;
        }

        byte[] array() {
            return making.with(() -> {
                byte[] made = array == null ? new byte[length] : array;
                array = made;
                return made;
            });
        }
    }

    /**
     * The payload, read range by range; empty as with {@link #read}. When the object is removed meanwhile, a read
     * throws {@link io.penstock.core.ConflictException}. For one thread.
     */
    public Optional<InputStream> open(TreeId tree, OverflowReference reference) {
        OverflowStream stream = new OverflowStream(this, name(tree, reference), reference, format);
        return stream.fill() ? Optional.of(stream) : Optional.empty();
    }

    /** The number of the block with the payload from {@code at} on. */
    long block(long at) {
        return at / format.dataBytes();
    }

    /**
     * The blocks with the payload from {@code at} on, which is the beginning of a block; unchecked.
     *
     * @param rangeBytes blocks to read, in bytes
     * @return empty when there is no such object
     */
    Optional<Bytes> blocks(OverflowName name, long length, long at, int rangeBytes) {
        long from = block(at) * format.blockBytes();
        int wanted = (int) Math.min(rangeBytes, format.objectBytes(length) - from);
        Optional<Bytes> found = objects.getRange(name.key(), from, wanted).map(StoredObject::body);
        if (found.isPresent() && found.get().length() != wanted) {
            throw new CorruptDataException(
                    "an overflow object is shorter than its reference says; restore it or run verify",
                    "key",
                    name.key(),
                    "offset",
                    from,
                    "bytes",
                    found.get().length(),
                    "expected",
                    wanted);
        }
        return found;
    }

    static void require(OverflowReference reference, OverflowName name, int checksum) {
        if (reference.checksum() != checksum) {
            throw new CorruptDataException(
                    "a payload does not match its reference; restore its object or run verify", "key", name.key());
        }
    }

    /** Removes objects that nothing refers to any more. Idempotent. */
    public void delete(TreeId tree, List<OverflowReference> dead) {
        objects.deleteAll(
                dead.stream().map(reference -> objectKey(tree, reference)).toList());
    }

    /**
     * A stream of an overflow object that reads a few blocks at a time, and checks each before it returns a byte of it.
     */
    private static final class OverflowStream extends InputStream {
        /** The number of blocks per request: enough to amortise its latency, few enough to be held in memory. */
        private static final int BLOCKS = 4;

        private final OverflowStore store;
        private final OverflowName name;
        private final OverflowReference reference;
        private final BlockFormat format;
        private final CRC32C checksum = new CRC32C();
        private byte[] buffer = new byte[0];
        private int next;
        private long fetched;

        OverflowStream(OverflowStore store, OverflowName name, OverflowReference reference, BlockFormat format) {
            this.store = store;
            this.name = name;
            this.reference = reference;
            this.format = format;
        }

        /** Fetches the next range; false when the object does not exist. */
        boolean fill() {
            Optional<Bytes> blocks = store.blocks(name, reference.length(), fetched, BLOCKS * format.blockBytes());
            if (blocks.isEmpty()) {
                return false;
            }
            int length = (int) Math.min((long) BLOCKS * format.dataBytes(), reference.length() - fetched);
            byte[] range = new byte[length];
            format.open(blocks.get(), name, store.block(fetched), range, 0);
            checksum.update(range);
            fetched += length;
            if (fetched == reference.length()) {
                OverflowStore.require(reference, name, (int) checksum.getValue());
            }
            buffer = range;
            next = 0;
            return true;
        }

        @Override
        public int read() {
            return hasMore() ? buffer[next++] & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int at, int length) {
            Objects.checkFromIndexSize(at, length, target.length);
            if (length == 0) {
                return 0;
            }
            if (!hasMore()) {
                return -1;
            }
            int count = Math.min(length, buffer.length - next);
            System.arraycopy(buffer, next, target, at, count);
            next += count;
            return count;
        }

        @Override
        public int available() {
            return buffer.length - next;
        }

        private boolean hasMore() {
            if (next < buffer.length) {
                return true;
            }
            if (fetched == reference.length()) {
                return false;
            }
            if (!fill()) {
                throw new ConflictException(
                        "a payload was replaced or deleted while it was read; open it again",
                        "bytes",
                        reference.length(),
                        "read",
                        fetched);
            }
            return true;
        }
    }
}
