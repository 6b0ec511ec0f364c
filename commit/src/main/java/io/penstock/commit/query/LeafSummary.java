package io.penstock.commit.query;

import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.commit.session.KnownLeaf;
import io.penstock.core.Bytes;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.record.KeyRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The summary of one leaf: which version of which page it is of, and its fields. Expired records are among those that
 * it counts. Immutable.
 *
 * @param leaf that it is of
 * @param records the number of records, without tombstones
 * @param expires whether some of them will expire, or have
 * @param stats of the fields of its {@link SummaryPart}, as bytes
 */
record LeafSummary(KnownLeaf leaf, long records, boolean expires, Bytes stats) {
    private static final int BOUNDED = 1;
    private static final int EXPIRES = 2;

    static LeafSummary of(KnownLeaf leaf, long records, boolean expires, List<FieldStats> fields) {
        WireWriter out = new WireWriter(256);
        fields.forEach(field -> field.write(out));
        return new LeafSummary(leaf, records, expires, out.toBytes());
    }

    /** The statistics of the first {@code count} fields. */
    List<FieldStats> fields(int count) {
        WireReader in = new WireReader(stats, "a summary");
        List<FieldStats> fields = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fields.add(FieldStats.read(in));
        }
        return fields;
    }

    void write(WireWriter out) {
        Bytes to = leaf.range().to();
        out.u64(leaf.page())
                .bytes(Bytes.utf8(leaf.version().tag()))
                .bytes(leaf.range().from())
                .u8((to == null ? 0 : BOUNDED) | (expires ? EXPIRES : 0));
        if (to != null) {
            out.bytes(to);
        }
        out.varint(leaf.newestTime()).varint(records).bytes(stats);
    }

    static LeafSummary read(WireReader in) {
        long page = in.u64();
        ObjectVersion version = new ObjectVersion(in.bytes().toUtf8());
        Bytes from = in.bytes();
        int flags = in.u8();
        KeyRange range = new KeyRange(from, (flags & BOUNDED) != 0 ? in.bytes() : null);
        KnownLeaf leaf = new KnownLeaf(page, version, range, in.varint());
        return new LeafSummary(leaf, in.varint(), (flags & EXPIRES) != 0, in.bytes());
    }
}
