package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowReference;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Random valid pages of every kind. */
final class SamplePages {
    static final PageId ID = new PageId(new TreeId(0x1234), 0x5678);

    private SamplePages() {}

    static Stamp stamp(long millis, int counter, long client) {
        return Stamp.of(millis, counter, new ClientId(client));
    }

    static PageHeader header(PageKind kind, int level) {
        return PageHeader.of(ID, kind, level, 7, 0x9abcdef012345678L);
    }

    record Value(Bytes payload, Stamp stamp) {}

    static TreeMap<Bytes, Value> records(SplittableRandom random, int count, int payloadMax) {
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

    static LeafEntries entries(TreeMap<Bytes, Value> records) {
        LeafEntries.Builder builder = LeafEntries.builder(null);
        records.forEach((key, value) -> {
            if (value.payload() == null) {
                builder.tombstone(key, value.stamp());
            } else if (value.payload().length() == OverflowReference.BYTES) {
                // As good as any other bytes: what a page knows of a reference is its length.
                builder.putReference(key, value.payload(), value.stamp());
            } else {
                builder.put(key, value.payload(), value.stamp());
            }
        });
        return builder.build();
    }

    static PageImage leaf(PageHeader header, TreeMap<Bytes, Value> records) {
        return entries(records).layout(header, 0, records.size()).encode();
    }

    static PageImage inner(SplittableRandom random, int count) {
        TreeMap<Bytes, Value> keys = records(random, count, 0);
        List<InnerEntries.Entry> children = new ArrayList<>();
        keys.keySet().forEach(key -> children.add(new InnerEntries.Entry(key, 1 + random.nextInt(1000))));
        return InnerEntries.of(children)
                .layout(header(PageKind.INNER, 1 + random.nextInt(3)), 0, children.size())
                .encode();
    }

    static PageImage any(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> inner(random, 1 + random.nextInt(60));
            case 1 -> LedgerPages.encode(header(PageKind.LEDGER, 0), Bytes.wrap(new byte[random.nextInt(200)]));
            default -> leaf(header(PageKind.LEAF, 0), records(random, random.nextInt(60), 40));
        };
    }
}
