package io.penstock.commit.query;

import io.penstock.commit.session.KnownLeaf;
import io.penstock.core.Bytes;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.record.KeyRange;
import io.penstock.query.FieldType;
import java.util.List;

/** An example of an object with summaries, for tests of its format. */
public final class SummaryProbe {
    private SummaryProbe() {}

    public static Bytes encoded() {
        return example().encode();
    }

    /** Whether an object decodes to the example. */
    public static boolean isExample(Bytes object) {
        return SummaryPart.decode(object, "summaries").equals(example());
    }

    private static SummaryPart example() {
        FieldStats.Gathered name = new FieldStats.Gathered(Bloom.BITS_PER_VALUE);
        FieldStats.Gathered day = new FieldStats.Gathered(0);
        List.of("ant", "bee").forEach(each -> name.add(FieldType.STRING.encode(each)));
        day.add(null);
        day.add(FieldType.LONG.encode(7L));
        KeyRange range = new KeyRange(Bytes.EMPTY, Bytes.utf8("m"));
        KnownLeaf leaf = new KnownLeaf(0x1234, new ObjectVersion("etag"), range, 99);
        KnownLeaf last = new KnownLeaf(0x5678, new ObjectVersion("other"), KeyRange.atLeast(Bytes.utf8("m")), 0);
        List<FieldStats> stats = List.of(name.stats(), day.stats());
        List<FieldStats> none = List.of(
                new FieldStats.Gathered(Bloom.BITS_PER_VALUE).stats(),
                new FieldStats.Gathered(Bloom.BITS_PER_VALUE).stats());
        List<SummaryPart.Named> fields = List.of(
                new SummaryPart.Named("name", FieldType.Kind.STRING),
                new SummaryPart.Named("day", FieldType.Kind.LONG));
        return new SummaryPart(
                new TreeId(5),
                fields,
                List.of(LeafSummary.of(leaf, 2, true, stats), LeafSummary.of(last, 0, false, none)));
    }

    /** Reads an object as a query does. */
    public static void read(Bytes object) {
        SummaryPart part = SummaryPart.decode(object, "summaries");
        Pruning pruning = new Pruning(
                io.penstock.query.Field.of("name", FieldType.STRING, Object::toString)
                        .eq("ant"),
                part.fields());
        part.leaves().forEach(pruning::of);
    }
}
