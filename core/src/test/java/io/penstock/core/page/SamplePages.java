package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Random valid pages of every kind. */
public final class SamplePages {
    public static final PageId ID = new PageId(new TreeId(0x1234), 0x5678);

    private static final int VARINT_BYTES_MAX = 10;

    private SamplePages() {}

    public static Stamp stamp(long millis, int counter, long client) {
        return Stamp.of(millis, counter, new ClientId(client));
    }

    public static PageHeader header(PageKind kind, int level) {
        return PageHeader.of(ID, kind, level, 7, 0x9abcdef012345678L);
    }

    public record Value(Bytes payload, Stamp stamp) {
        /** The records of some clients above the tenth expire. */
        long expiryMillis() {
            return stamp.client().value() > 10 && stamp.client().value() % 4 == 3 ? stamp.millis() : Expiry.NEVER;
        }
    }

    public static TreeMap<Bytes, Value> records(SplittableRandom random, int count, int payloadMax) {
        TreeMap<Bytes, Value> records = new TreeMap<>();
        byte[] prefix = new byte[random.nextInt(20)];
        random.nextBytes(prefix);
        for (int i = 0; i < count; i++) {
            byte[] suffix = new byte[random.nextInt(12)];
            random.nextBytes(suffix);
            byte[] payload = new byte[random.nextInt(payloadMax + 1)];
            random.nextBytes(payload);
            boolean dead = random.nextInt(5) == 0;
            long time = random.nextInt(10) == 0 ? random.nextLong() : (1L << 56) + random.nextInt();
            Stamp stamp = new Stamp(time, new ClientId(random.nextInt(300)));
            records.put(
                    Bytes.wrap(prefix).concat(Bytes.wrap(suffix)), new Value(dead ? null : Bytes.wrap(payload), stamp));
        }
        return records;
    }

    public static LeafEntries entries(TreeMap<Bytes, Value> records) {
        LeafEntries.Builder builder = LeafEntries.builder(null);
        records.forEach((key, value) -> {
            if (value.payload() == null) {
                builder.tombstone(key, value.stamp());
            } else {
                // As good as any other bytes: what a page knows of references is their length.
                Bytes payload = value.payload();
                boolean reference = payload.length() % 7 == 4
                        && OverflowParts.isWellFormed(payload.array(), payload.offset(), payload.length());
                builder.put(key, value.payload(), reference, value.expiryMillis(), value.stamp());
            }
        });
        return builder.build();
    }

    public static PageImage leaf(PageHeader header, TreeMap<Bytes, Value> records) {
        return entries(records).layout(header, 0, records.size()).encode();
    }

    public static PageImage inner(SplittableRandom random, int count) {
        TreeMap<Bytes, Value> keys = records(random, count, 0);
        List<InnerEntries.Entry> children = new ArrayList<>();
        keys.keySet().forEach(key -> children.add(new InnerEntries.Entry(key, 1 + random.nextInt(1000))));
        return InnerEntries.of(children)
                .layout(header(PageKind.INNER, 1 + random.nextInt(3)), 0, children.size())
                .encode();
    }

    public static PageImage any(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> inner(random, 1 + random.nextInt(60));
            case 1 -> LedgerPages.encode(header(PageKind.LEDGER, 0), Bytes.wrap(new byte[random.nextInt(200)]));
            default -> leaf(header(PageKind.LEAF, 0), records(random, random.nextInt(60), 40));
        };
    }

    /** A leaf whose payloads are words of a few, so that they can be compressed. */
    public static PageImage words(long seed, int records) {
        SplittableRandom random = new SplittableRandom(seed);
        LeafEntries.Builder builder = LeafEntries.builder(null);
        for (int i = 0; i < records; i++) {
            StringBuilder text = new StringBuilder();
            for (int word = 0; word < 12; word++) {
                text.append("shipped pending parcel invoice ".split(" ")[random.nextInt(4)])
                        .append(' ');
            }
            builder.put(Bytes.utf8("order/%08d".formatted(i)), Bytes.utf8(text.toString()), stamp(1_000 + i, 0, i % 5));
        }
        return builder.build().layout(header(PageKind.LEAF, 0), 0, records).encode();
    }

    private static Bytes largeKey(int number) {
        return Bytes.utf8("key/%08d".formatted(number));
    }

    /** About 1 MiB: keys 0, 10, 20 ... each with a payload of about a KiB; every seventh is deleted. */
    public static PageImage large(long version, int records) {
        SplittableRandom random = new SplittableRandom(version);
        LeafEntries.Builder builder = LeafEntries.builder(null);
        for (int i = 0; i < records; i++) {
            if (i % 7 == 3) {
                builder.tombstone(largeKey(10 * i), stamp(1_000 + i, 0, i % 5));
            } else {
                byte[] payload = new byte[random.nextInt(2_000)];
                random.nextBytes(payload);
                builder.put(largeKey(10 * i), Bytes.wrap(payload), stamp(1_000 + i, 0, i % 5));
            }
        }
        PageHeader header =
                PageHeader.of(ID, PageKind.LEAF, 0, version, 1_000 + version).withRight(77, largeKey(10 * records + 5));
        return builder.build().layout(header, 0, records).encode();
    }

    /** The same bytes under another write id, as a writer that copies what it does not know would leave them. */
    public static PageImage withWriteId(PageImage page, long writeId) {
        byte[] bytes = page.bytes().toArray();
        PageFormat.putI64(bytes, PageFormat.AT_WRITE_ID, writeId);
        PageFormat.putI32(bytes, PageFormat.AT_CRC, PageFormat.checksum(bytes, 0, bytes.length));
        return PageImage.decode(Bytes.wrap(bytes), ID, "x");
    }

    /** Makes the length and the checksum of a page, or of a compressed one, fit its bytes. */
    static byte[] seal(byte[] bytes) {
        PageFormat.putI32(bytes, PageFormat.AT_LENGTH, bytes.length);
        PageFormat.putI32(bytes, PageFormat.AT_CRC, PageFormat.checksum(bytes, 0, bytes.length));
        return bytes;
    }

    /** The same leaf, one without blocks, by a writer that spends up to four bytes too many on a number. */
    public static PageImage wasteful(PageImage leaf, SplittableRandom random) {
        int count = leaf.count();
        byte[] thrifty = leaf.bytes().array();
        byte[] heap = new byte[5 * leaf.bytes().length() + 1];
        int[] slots = new int[count];
        int next = 0;
        for (int i = 0; i < count; i++) {
            slots[i] = next;
            next = putWasteful(leaf, i, random, heap, next);
        }
        int headEnd = count == 0 ? leaf.bytes().length() : leaf.entryAt(0) - count * width(leaf);
        int width = PageFormat.slotWidth(next);
        byte[] bytes = Arrays.copyOf(thrifty, headEnd + count * width + next);
        for (int i = 0; i < count; i++) {
            PageFormat.putSlot(bytes, headEnd, width, i, slots[i]);
        }
        System.arraycopy(heap, 0, bytes, headEnd + count * width, next);
        bytes[PageFormat.AT_SLOT_WIDTH] = (byte) width;
        return PageImage.decode(Bytes.wrap(seal(bytes)), leaf.id(), "pages/x");
    }

    private static int width(PageImage leaf) {
        return leaf.bytes().array()[PageFormat.AT_SLOT_WIDTH];
    }

    /** Copies an entry, with longer numbers. */
    private static int putWasteful(PageImage leaf, int index, SplittableRandom random, byte[] heap, int to) {
        byte[] from = leaf.bytes().array();
        int at = leaf.entryAt(index);
        heap[to] = from[at++];
        int suffix = (int) PageFormat.varint(from, at);
        int next = putLonger(suffix, random, heap, to + 1);
        at = PageFormat.behindVarint(from, at);
        System.arraycopy(from, at, heap, next, suffix);
        at += suffix;
        next += suffix;
        int numbers = (leaf.flags(index) & PageFormat.EXPIRES) == 0 ? 2 : 3;
        for (int i = 0; i < numbers; i++) {
            next = putLonger(PageFormat.varint(from, at), random, heap, next);
            at = PageFormat.behindVarint(from, at);
        }
        int rest = leaf.entryEnd(index) - at;
        System.arraycopy(from, at, heap, next, rest);
        return next + rest;
    }

    private static int putLonger(long value, SplittableRandom random, byte[] target, int at) {
        int next = PageFormat.putVarint(target, at, value);
        int more = Math.min(random.nextInt(5), VARINT_BYTES_MAX - (next - at));
        for (int i = 0; i < more; i++) {
            target[next - 1] |= (byte) 0x80;
            target[next++] = 0;
        }
        return next;
    }
}
