package io.penstock.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import io.penstock.core.PageId;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.testing.Changes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChangeApplierTest {
    private static final PageHeader HEADER = PageHeader.of(PageId.root(new TreeId(1)), PageKind.LEAF, 0, 1, 1);

    private static PageImage empty() {
        return LeafEntries.builder(null).build().layout(HEADER, 0, 0).encode();
    }

    private static PageImage page(ChangeApplier.Applied applied) {
        LeafEntries entries = applied.entries();
        return entries.layout(HEADER, 0, entries.count()).encode();
    }

    private static Stamp at(long millis) {
        return Stamp.of(millis, 0, new ClientId(1));
    }

    private static RecordChange put(String key, String payload, long millis) {
        return new RecordChange.Put(Bytes.utf8(key), Bytes.utf8(payload), at(millis));
    }

    private static RecordChange delete(String key, long millis) {
        return new RecordChange.Delete(Bytes.utf8(key), at(millis));
    }

    /** Messages may come twice, so what they bring must be harmless the second time. */
    @Test
    void everyKindGivesTheSameWhenAppliedTwice() {
        for (RecordChange change : Changes.ofEachKind(Bytes.utf8("a"), at(20))) {
            PageImage page = page(ChangeApplier.apply(empty(), List.of(put("a", "old", 10)), 0));
            ChangeApplier.Applied once = ChangeApplier.apply(page, List.of(change), 0);
            assertThat(once.applied()).as("%s", change).isEqualTo(1);
            ChangeApplier.Applied twice = ChangeApplier.apply(page(once), List.of(change), 0);
            assertThat(twice.applied()).as("%s", change).isZero();
        }
    }

    @Test
    void theNewestStampWins() {
        PageImage page = page(ChangeApplier.apply(empty(), List.of(put("a", "new", 20)), 0));
        ChangeApplier.Applied older = ChangeApplier.apply(page, List.of(put("a", "old", 10)), 0);
        assertThat(older.applied()).isZero();
        assertThat(older.superseded()).isEqualTo(1);
        ChangeApplier.Applied same = ChangeApplier.apply(page, List.of(put("a", "new", 20)), 0);
        assertThat(same.applied()).isZero();
        PageImage newer = page(ChangeApplier.apply(page, List.of(delete("a", 30)), 0));
        assertThat(newer.isTombstone(0)).isTrue();
        assertThat(ChangeApplier.apply(newer, List.of(put("a", "late", 25)), 0).applied())
                .isZero();
    }

    @Test
    void equalTimesAreDecidedByTheClient() {
        RecordChange one = new RecordChange.Put(Bytes.utf8("a"), Bytes.utf8("1"), Stamp.of(5, 0, new ClientId(1)));
        RecordChange two = new RecordChange.Put(Bytes.utf8("a"), Bytes.utf8("2"), Stamp.of(5, 0, new ClientId(-2)));
        for (List<RecordChange> order : List.of(List.of(one, two), List.of(two, one))) {
            PageImage page = empty();
            for (RecordChange change : order) {
                ChangeApplier.Applied applied = ChangeApplier.apply(page, List.of(change), 0);
                page = applied.applied() > 0 ? page(applied) : page;
            }
            assertThat(page.payload(0)).isEqualTo(Bytes.utf8("2"));
        }
    }

    private static OverflowReference object(long number) {
        return new OverflowReference(new ClientId(1), number, 1_000_000);
    }

    private static Bytes reference(long number) {
        return OverflowParts.of(object(number)).encode();
    }

    private static RecordChange putObjects(long millis, Long... numbers) {
        OverflowParts parts = new OverflowParts(
                Stream.of(numbers).map(ChangeApplierTest::object).toList(), Bytes.utf8("tail"));
        return new RecordChange.Put(Bytes.utf8("a"), parts.encode(), true, at(millis));
    }

    private static RecordChange putReference(String key, long number, long millis) {
        return new RecordChange.Put(Bytes.utf8(key), reference(number), true, at(millis));
    }

    private static List<OverflowReference> unreferenced(PageImage page, RecordChange... changes) {
        return ChangeApplier.apply(page, List.of(changes), 0).unreferenced();
    }

    /** A reference is unreferenced as soon as something newer takes its place, and not before. */
    @Test
    void referencesThatLoseAreTold() {
        PageImage page = page(ChangeApplier.apply(empty(), List.of(putReference("a", 1, 20)), 0));
        assertThat(page.isReference(0)).isTrue();
        assertThat(page.payload(0)).isEqualTo(reference(1));
        assertThat(unreferenced(page, put("a", "small", 30))).containsExactly(object(1));
        assertThat(unreferenced(page, delete("a", 30))).containsExactly(object(1));
        assertThat(unreferenced(page, putReference("a", 2, 30))).containsExactly(object(1));
        assertThat(unreferenced(page, putReference("a", 0, 10))).containsExactly(object(0));
        assertThat(unreferenced(page, putReference("a", 1, 20), putReference("a", 1, 20)))
                .as("come again")
                .isEmpty();
        assertThat(unreferenced(page, putReference("b", 3, 10), put("b", "small", 20)))
                .containsExactly(object(3));
        assertThat(unreferenced(page, put("b", "small", 20), putReference("b", 3, 10)))
                .containsExactly(object(3));
        assertThat(unreferenced(page, putReference("a", 1, 20), putReference("a", 2, 30)))
                .containsOnly(object(1));
        assertThat(unreferenced(page, put("c", "small", 20))).isEmpty();
    }

    /** What was appended to has objects of its own no more: those of the winner stay, whatever comes late or again. */
    @Test
    void objectsOfTheWinnerStay() {
        PageImage page = page(ChangeApplier.apply(empty(), List.of(putObjects(20, 1L, 2L)), 0));
        assertThat(unreferenced(page, putObjects(30, 1L, 2L, 3L))).isEmpty();
        assertThat(unreferenced(page, putObjects(30, 1L, 4L))).containsExactly(object(2));
        assertThat(unreferenced(page, putObjects(10, 1L))).isEmpty();
        assertThat(unreferenced(page, putObjects(10, 1L, 9L))).containsExactly(object(9));
        assertThat(unreferenced(page, putObjects(20, 1L, 2L), putObjects(30, 1L, 2L, 3L), putObjects(40, 1L, 5L)))
                .containsOnly(object(2), object(3));
        assertThat(unreferenced(page, putObjects(40, 1L, 5L), putObjects(20, 1L, 2L), putObjects(30, 1L, 2L, 3L)))
                .containsOnly(object(2), object(3));
        assertThat(unreferenced(page, delete("a", 30))).containsExactly(object(1), object(2));
    }

    @Test
    void oldTombstonesGo() {
        PageImage page = page(ChangeApplier.apply(
                empty(), List.of(delete("a", 10), delete("b", 90), put("c", "old but alive", 5)), 0));
        ChangeApplier.Applied applied = ChangeApplier.apply(page, List.of(put("d", "x", 100)), 50);
        assertThat(applied.purged()).isEqualTo(1);
        assertThat(page(applied).count()).isEqualTo(3);
        assertThat(page(applied).find(Bytes.utf8("a"))).isNegative();
    }

    private static RecordChange expiring(String key, Bytes payload, boolean isReference, long expiry, long millis) {
        Stamp stamp = put(key, "", millis).stamp();
        return new RecordChange.Put(Bytes.utf8(key), payload, isReference, expiry, stamp);
    }

    /** The tombstone has the stamp of the record, so what lost to that still loses, and is purged as any other is. */
    @Test
    void expiredRecordsBecomeTombstones() {
        Bytes payload = Bytes.utf8("x");
        PageImage page = page(ChangeApplier.apply(
                empty(),
                List.of(
                        expiring("a", payload, false, 70, 60),
                        expiring("b", reference(1), true, 70, 60),
                        expiring("c", payload, false, 70, 10),
                        expiring("d", payload, false, 90, 60),
                        put("e", "stays", 10)),
                0));
        ChangeApplier.Applied applied = ChangeApplier.apply(page, List.of(), 50, 80);
        PageImage purged = page(applied);
        assertThat(applied.purged()).isEqualTo(3);
        assertThat(applied.unreferenced()).containsExactly(object(1));
        assertThat(purged.count()).as("one was old enough to go at once").isEqualTo(4);
        assertThat(purged.isTombstone(0)).isTrue();
        assertThat(purged.stamp(0)).isEqualTo(page.stamp(0));
        assertThat(purged.isTombstone(1)).isTrue();
        assertThat(purged.expiryMillis(2)).isEqualTo(90);
        for (RecordChange late : List.of(put("a", "older", 59), expiring("a", payload, false, 70, 60))) {
            ChangeApplier.Applied again = ChangeApplier.apply(purged, List.of(late), 50, 80);
            assertThat(again.applied()).isZero();
            assertThat(again.superseded()).isEqualTo(1);
        }
        assertThat(ChangeApplier.apply(page, List.of(put("a", "anew", 61)), 50, 80)
                        .purged())
                .isEqualTo(2);
    }

    /** Also where it finds nothing it counts as applied, so that the page is written and no older put succeeds. */
    @Test
    void anOldDeleteRemovesWithoutATrace() {
        PageImage page = page(ChangeApplier.apply(empty(), List.of(put("a", "x", 10)), 0));
        ChangeApplier.Applied applied = ChangeApplier.apply(page, List.of(delete("a", 20), delete("b", 20)), 50);
        assertThat(applied.applied()).isEqualTo(2);
        assertThat(applied.superseded()).isZero();
        assertThat(page(applied).count()).isZero();
    }

    /** Any order, any grouping, any repetition: the same page. */
    @Test
    void isIdempotentAndCommutative() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<RecordChange> changes = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                String key = "k" + random.nextInt(15);
                changes.add(random.nextInt(3) == 0 ? delete(key, i) : put(key, "p" + i, i));
            }
            Bytes expected = applyInBatches(changes, random);
            List<RecordChange> shuffled = new ArrayList<>(changes);
            shuffled.addAll(changes.subList(0, 30));
            Collections.shuffle(shuffled, random);
            assertThat(applyInBatches(shuffled, random)).as("seed=" + seed).isEqualTo(expected);
        }
    }

    private static Bytes applyInBatches(List<RecordChange> changes, Random random) {
        PageImage page = empty();
        for (int from = 0; from < changes.size(); ) {
            int to = Math.min(changes.size(), from + 1 + random.nextInt(20));
            List<RecordChange> batch = new ArrayList<>(changes.subList(from, to));
            batch.sort(Comparator.comparing(RecordChange::key));
            ChangeApplier.Applied applied = ChangeApplier.apply(page, batch, 0);
            assertThat(applied.applied() + applied.superseded()).isEqualTo(batch.size());
            page = applied.applied() > 0 ? page(applied) : page;
            from = to;
        }
        return page.bytes();
    }
}
