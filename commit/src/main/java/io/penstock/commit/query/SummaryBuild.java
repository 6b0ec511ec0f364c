package io.penstock.commit.query;

import io.penstock.commit.engine.Trees;
import io.penstock.commit.session.KnownLeaf;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.page.Expiry;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.PageIndex;
import io.penstock.core.record.RecordChange;
import io.penstock.query.Field;
import io.penstock.query.FieldType;
import io.penstock.report.SummaryReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A build of the summaries of a collection's leaves, or a refresh: leaves that have not changed since they were
 * summarized are not read. Beside any writer: each summary names the version of the page that it is of. For one thread.
 */
public final class SummaryBuild {
    private static final Logger LOG = LoggerFactory.getLogger(SummaryBuild.class);

    /** The number of leaves whose summaries are in one object. */
    private static final int LEAVES_MAX = 1_024;

    private final SummaryStore store;
    private final Trees trees;
    private final TreeId tree;
    private final List<Field<?>> fields;
    private List<Field<?>> bloomed;
    private int bloomBits;
    private final List<SummaryPart.Named> named;
    private final Subject<?, ?> subject;
    private final List<LeafSummary> part = new ArrayList<>();
    private int parts;
    private long leaves;
    private long read;
    private long left;

    /**
     * @param trees on an empty pool
     * @param bloomed the fields that get Bloom filters; none: those that have them
     * @param falsePositives the part of other values that filters take for theirs
     */
    public SummaryBuild(
            SummaryStore store,
            Trees trees,
            TreeId tree,
            List<Field<?>> fields,
            List<Field<?>> bloomed,
            double falsePositives,
            Subject<?, ?> subject) {
        this.store = store;
        this.trees = trees;
        this.tree = tree;
        this.fields = fields;
        this.bloomed = bloomed;
        this.bloomBits = Bloom.bits(falsePositives);
        this.named = fields.stream().map(SummaryPart.Named::of).toList();
        this.subject = subject;
    }

    /** Builds them; without fields it removes what is there. */
    public SummaryReport run() {
        if (!fields.isEmpty()) {
            walk();
            if (!part.isEmpty()) {
                put();
            }
        }
        store.removeFrom(tree, parts);
        return new SummaryReport(leaves, read, left);
    }

    private void walk() {
        store.forget(tree);
        List<LeafSummary> known = store.of(tree).stream()
                .filter(each -> each.fields().equals(named))
                .flatMap(each -> each.leaves().stream())
                .toList();
        Map<Bytes, LeafSummary> before = new HashMap<>();
        if (bloomed.isEmpty()) {
            known.forEach(leaf -> before.put(leaf.leaf().range().from(), leaf));
            bloomed = fields.stream().filter(field -> bits(field, known) > 0).toList();
            bloomBits =
                    bloomed.stream().mapToInt(field -> bits(field, known)).max().orElse(bloomBits);
        }
        Map<Long, ObjectVersion> now = before.isEmpty() ? Map.of() : trees.versions(tree);
        PageIndex index = trees.reader(tree).whole();
        try (PageIndex.Readahead ahead = index.readahead(KeyRange.all(), Direction.ASCENDING)) {
            Bytes low = Bytes.EMPTY;
            while (low != null) {
                LeafSummary same = before.get(low);
                if (same != null
                        && same.leaf().version().equals(now.get(same.leaf().page()))) {
                    add(same);
                    low = same.leaf().range().to();
                } else {
                    low = read(index, low, ahead);
                }
            }
        }
    }

    /** The bits for each value of the filters that a field has; 0 without. */
    private int bits(Field<?> field, List<LeafSummary> known) {
        int at = fields.indexOf(field);
        // Of few values the last byte makes more.
        return known.stream()
                .mapToInt(leaf -> bits(leaf, at))
                .filter(bits -> bits > 0)
                .min()
                .orElse(0);
    }

    private int bits(LeafSummary leaf, int at) {
        FieldStats stats = leaf.fields(fields.size()).get(at);
        return (int) (stats.bloom().length() * 8L / Math.max(1, leaf.records() - stats.nulls()));
    }

    /** Reads a leaf, and returns where the next one begins; null at the end. */
    private @Nullable Bytes read(PageIndex index, Bytes low, PageIndex.Readahead ahead) {
        Optional<PageIndex.Leaf> found = index.leafFor(low);
        if (found.isEmpty()) {
            return null;
        }
        PageImage page = found.get().page().image();
        Bytes high = page.header().highKey();
        KeyRange range = new KeyRange(found.get().low(), high);
        read++;
        try {
            if (page.isRetired()) {
                // Its neighbour will take it over, and it keeps its version.
                throw new InvalidRequestException("a leaf is being merged");
            }
            add(summary(
                    page, new KnownLeaf(page.id().number(), found.get().page().version(), range, newest(page))));
        } catch (InvalidRequestException | CorruptDataException unreadable) {
            LOG.info("a leaf has no summary page={} why={}", page.id(), unreadable.getMessage());
            left++;
        }
        if (high != null) {
            ahead.coming(high, false, page);
        }
        return high;
    }

    private static long newest(PageImage page) {
        long newest = 0;
        for (int i = 0; i < page.count(); i++) {
            newest = Math.max(newest, page.time(i));
        }
        return newest;
    }

    private LeafSummary summary(PageImage page, KnownLeaf leaf) {
        List<FieldStats.Gathered> gathered = fields.stream()
                .map(field -> new FieldStats.Gathered(bloomed.contains(field) ? bloomBits : 0))
                .toList();
        long records = 0;
        boolean expires = false;
        for (int i = 0; i < page.count(); i++) {
            if (!page.isTombstone(i)) {
                records++;
                expires |= page.expiryMillis(i) != Expiry.NEVER;
                look(page, i, gathered);
            }
        }
        return LeafSummary.of(
                leaf,
                records,
                expires,
                gathered.stream().map(FieldStats.Gathered::stats).toList());
    }

    private void look(PageImage page, int at, List<FieldStats.Gathered> gathered) {
        RecordChange record = new RecordChange.Put(
                page.key(at), page.payload(at), page.isReference(at), page.expiryMillis(at), page.stamp(at));
        Bytes payload = trees.payload(tree, record)
                .orElseThrow(() -> new InvalidRequestException("a large payload was replaced meanwhile"));
        subject.at(page.key(at), payload);
        for (int i = 0; i < gathered.size(); i++) {
            gathered.get(i).add(bytes(fields.get(i)));
        }
    }

    private <T> @Nullable Bytes bytes(Field<T> field) {
        Object value = subject.field(field);
        FieldType<T> type = field.type();
        return value == null ? null : type.encode(type.javaType().cast(value));
    }

    private void add(LeafSummary leaf) {
        leaves++;
        part.add(leaf);
        if (part.size() == LEAVES_MAX) {
            put();
        }
    }

    private void put() {
        store.put(parts++, new SummaryPart(tree, named, part));
        part.clear();
    }
}
