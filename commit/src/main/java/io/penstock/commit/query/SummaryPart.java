package io.penstock.commit.query;

import io.penstock.commit.log.Frame;
import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of one object with summaries of leaves of a tree, in the order of their keys. Immutable.
 *
 * @param fields that the summaries have
 */
record SummaryPart(TreeId tree, List<Named> fields, List<LeafSummary> leaves) {
    private static final int KIND = 'U';

    /** The least bytes of a field, and of a leaf. */
    private static final int FIELD_BYTES_MIN = 2;

    private static final int LEAF_BYTES_MIN = Long.BYTES + 6;

    /** A field as a summary knows it: by its meaning. */
    record Named(String meaning, FieldType.Kind kind) {
        static Named of(Field<?> field) {
            return new Named(field.meaning(), field.type().kind());
        }
    }

    SummaryPart {
        fields = List.copyOf(fields);
        leaves = List.copyOf(leaves);
    }

    /**
     * Encodes it as {@code u64 tree | varint(fields) (bytes(meaning) | u8 kind)* | varint(leaves) (u64 page |
     * bytes(version) | bytes(from) | u8 bounded | [bytes(to)] | varint newest time | varint records |
     * bytes(statistics))*} after a frame; statistics are for each field {@code varint nulls | u8 valued | [bytes(min) |
     * bytes(max)] | bytes(bloom)}.
     */
    Bytes encode() {
        WireWriter out = new WireWriter(1 << 16).u64(tree.value()).varint(fields.size());
        fields.forEach(field -> out.bytes(Bytes.utf8(field.meaning)).u8(field.kind.ordinal()));
        out.varint(leaves.size());
        leaves.forEach(leaf -> leaf.write(out));
        return Frame.wrap(KIND, out.toBytes());
    }

    /**
     * Decodes an object.
     *
     * @param what names it in the error when it is damaged
     */
    static SummaryPart decode(Bytes object, String what) {
        WireReader in = Frame.unwrap(KIND, object, what);
        TreeId tree = new TreeId(in.u64());
        List<Named> fields = new ArrayList<>();
        for (int left = in.count(FIELD_BYTES_MIN); left > 0; left--) {
            String meaning = in.bytes().toUtf8();
            int kind = in.u8();
            if (kind >= FieldType.Kind.values().length) {
                throw in.corrupt("a field has an impossible type");
            }
            fields.add(new Named(meaning, FieldType.Kind.values()[kind]));
        }
        List<LeafSummary> leaves = new ArrayList<>();
        for (int left = in.count(LEAF_BYTES_MIN); left > 0; left--) {
            LeafSummary leaf = LeafSummary.read(in);
            var unused = leaf.fields(fields.size()); // what is damaged is found here, and not by a query
            leaves.add(leaf);
        }
        in.end();
        return new SummaryPart(tree, fields, leaves);
    }
}
