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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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

    /** The least that is read and checked: small beside what a request takes, and large beside its head. */
    private static final int BLOCK_BYTES = 16 << 10;

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

    /** The length of the object with a payload. */
    public long objectBytes(OverflowReference reference) {
        return format.objectBytes(reference.length());
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

    /** Writes the payload of a record of another store, as one object; empty when an object of it is gone. */
    public Optional<OverflowReference> copy(TreeId tree, ClientId client, OverflowStore from, OverflowParts payload) {
        try {
            return from.open(tree, payload, ByteRange.ALL, () -> {})
                    .map(stream -> writer(tree, client).write(stream, payload.length()));
        } catch (ConflictException gone) {
            return Optional.empty();
        }
    }

    private OverflowWriter writer(TreeId tree, ClientId client) {
        long number = tasks.random().nextLong();
        OverflowReference unwritten = new OverflowReference(client, number, 0);
        return new OverflowWriter(objects, tasks, format, partBytes, name(tree, unwritten));
    }

    private OverflowName name(TreeId tree, OverflowReference reference) {
        return new OverflowName(objectKey(tree, reference), reference.client(), reference.number());
    }

    /**
     * The whole payload; empty when an object is gone, because it was replaced since the reference was read.
     *
     * @throws CorruptDataException when an object is damaged
     */
    public Optional<Bytes> read(TreeId tree, OverflowParts payload) {
        Room room = new Room(Math.toIntExact(payload.length()));
        int step = dataBytes(partBytes);
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < payload.objects().size(); i++) {
            OverflowReference object = payload.objects().get(i);
            long start = payload.start(i);
            for (long at = 0; at < object.length(); at += step) {
                pieces.add(new Piece(object, at, start + at));
            }
        }
        // The largest object first: if a damaged length names one that is not there, no memory is taken for it.
        pieces.sort(Comparator.comparingLong((Piece piece) -> -piece.object.length()));
        List<Boolean> found = Parallel.map(tasks, PARALLEL_READS, pieces, piece -> read(tree, piece, room));
        if (found.contains(false)) {
            return Optional.empty();
        }
        byte[] whole = room.array();
        Bytes tail = payload.tail();
        System.arraycopy(tail.array(), tail.offset(), whole, whole.length - tail.length(), tail.length());
        return Optional.of(Bytes.wrap(whole));
    }

    /**
     * Some blocks of an object, read by one request.
     *
     * @param at the place of their payload in that of the object
     * @param target its place in the whole payload
     */
    private record Piece(OverflowReference object, long at, long target) {}

    private boolean read(TreeId tree, Piece piece, Room room) {
        if (room.isUseless()) {
            return false;
        }
        OverflowName name = name(tree, piece.object);
        Optional<Bytes> blocks = Optional.empty();
        try {
            blocks = blocks(name, piece.object.length(), piece.at, partBytes);
        } finally {
            if (blocks.isEmpty()) {
                room.forget();
            }
        }
        if (blocks.isEmpty()) {
            return false;
        }
        format.open(blocks.get(), name, block(piece.at), room.array(), Math.toIntExact(piece.target));
        return true;
    }

    /**
     * The target of a payload whose parts are read in parallel. Allocated when the first part is there, because a
     * reference of a few bytes may name an object that is gone.
     */
    private static final class Room {
        private final int length;
        private final MemoryLock making = new MemoryLock();
        private byte @Nullable [] array;

        /** Whether an object is gone or damaged, so that no payload will fill it. */
        private boolean useless;

        Room(int length) {
            this.length = length;
        }

        void forget() {
            making.run(() -> useless = true);
        }

        boolean isUseless() {
            return making.with(() -> useless);
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
     * A range of the payload, read some blocks at a time; empty as with {@link #read}. When an object is removed
     * meanwhile, a read throws {@link io.penstock.core.ConflictException}. For one thread.
     *
     * @param requireReplaced called when an object is gone after the first bytes: throws when the record still names it
     * @throws io.penstock.core.InvalidRequestException when the range does not lie within the payload
     */
    public Optional<InputStream> open(TreeId tree, OverflowParts payload, ByteRange range, Runnable requireReplaced) {
        OverflowStream stream =
                new OverflowStream(this, tree, payload, range.within(payload.length()), requireReplaced);
        return stream.fill() ? Optional.of(stream) : Optional.empty();
    }

    /**
     * Some payload of an object from {@code at} on, checked.
     *
     * @param most to return, in bytes; less where it is more than a request should have
     * @return empty when there is no such object
     */
    Optional<Bytes> range(TreeId tree, OverflowReference object, long at, long most) {
        long first = block(at) * format.dataBytes();
        int skipped = (int) (at - first);
        int step = dataBytes(partBytes / 2);
        int wanted = (int) Math.min(Math.min(skipped + most, step), object.length() - first);
        OverflowName name = name(tree, object);
        int blockBytes = Math.ceilDiv(wanted, format.dataBytes()) * format.blockBytes();
        return blocks(name, object.length(), first, blockBytes).map(blocks -> {
            byte[] data = new byte[blocks.length()];
            int length = format.open(blocks, name, block(first), data, 0);
            return Bytes.wrap(data, skipped, Math.min(length, wanted) - skipped);
        });
    }

    /** The payload in some bytes of whole blocks. */
    private int dataBytes(int bytes) {
        return bytes / format.blockBytes() * format.dataBytes();
    }

    /** The number of the block with the payload from {@code at} on. */
    private long block(long at) {
        return at / format.dataBytes();
    }

    /**
     * The blocks with the payload from {@code at} on, which is the beginning of a block; unchecked.
     *
     * @param rangeBytes blocks to read, in bytes
     * @return empty when there is no such object
     */
    private Optional<Bytes> blocks(OverflowName name, long length, long at, int rangeBytes) {
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

    /** Removes objects that nothing refers to any more. Idempotent. */
    public void delete(TreeId tree, List<OverflowReference> dead) {
        objects.deleteAll(
                dead.stream().map(reference -> objectKey(tree, reference)).toList());
    }
}
