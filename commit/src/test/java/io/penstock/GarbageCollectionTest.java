package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.Listing;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.LeafEntries;
import io.penstock.core.page.PageHeader;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.report.CompactionReport;
import io.penstock.report.GcReport;
import io.penstock.report.GcReport.Reason;
import io.penstock.testkit.CallWatcher;
import io.penstock.testkit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Garbage collection at the front door: what it removes, keeps and reports. */
class GarbageCollectionTest {
    private static final String PAGES = "penstock/pages/";
    private static final String DEFINITION = "penstock/catalog/words.json";

    /** Puts a page as a split of a tree's root would, which then never put the root. */
    static String plantOrphan(ObjectStore objects, TreeId tree, long number) {
        String rootKey = PAGES + tree.hex() + "/" + PageId.root(tree).hex();
        PageHeader root = objects.get(rootKey)
                .map(object -> PageImage.decode(object.body(), PageId.root(tree), rootKey)
                        .header())
                .orElseGet(() -> PageHeader.of(PageId.root(tree), PageKind.LEAF, 0, 0, 0));
        PageHeader split = root.splitOff(number, 5, 0);
        PageHeader leaf = new PageHeader(
                split.id(), PageKind.LEAF, 0, root.version(), 5, PageId.NONE, null, split.origin(), 0, Bytes.EMPTY);
        String key = PAGES + tree.hex() + "/" + leaf.id().hex();
        Bytes page =
                LeafEntries.builder(null).build().layout(leaf, 0, 0).encode().bytes();
        objects.put(key, page, WriteCondition.IF_ABSENT);
        return key;
    }

    static TreeId anyTree(ObjectStore objects) {
        String key = objects.list(PAGES, "", 1).entries().getFirst().key();
        return TreeId.fromHex(key.substring(PAGES.length(), PAGES.length() + 16));
    }

    private static List<String> pages(SimulatedStore store) {
        return store.objects().list(PAGES, "", 1000).entries().stream()
                .map(Listing.Entry::key)
                .toList();
    }

    private static void fill(Penstock store) {
        for (int i = 0; i < 200; i++) {
            SimulatedStore.words(store).put("k" + i, "value " + i);
        }
        store.admin().checkpoint();
    }

    @Test
    void orphansGoAndNothingElse() {
        new SimulatedStore(1, World.CALM).run(servers -> {
            try (Penstock store = servers.open("a")) {
                fill(store);
                List<String> before = pages(servers);
                Map<String, String> content = SimulatedStore.content(store);
                String orphan = plantOrphan(servers.objects(), anyTree(servers.objects()), 99);
                long bytes = servers.objects().get(orphan).orElseThrow().body().length();

                GcReport seen = store.admin().findGarbage(Duration.ZERO);
                assertThat(seen).isEqualTo(new GcReport(before.size() + 1, 1, bytes, 0, 0, Map.of()));
                assertThat(pages(servers)).hasSize(before.size() + 1);

                assertThat(store.admin().removeGarbage(Duration.ofHours(1)).kept())
                        .containsKey(Reason.YOUNG);
                assertThat(pages(servers)).hasSize(before.size() + 1);

                assertThat(store.admin().removeGarbage(Duration.ZERO))
                        .isEqualTo(new GcReport(before.size() + 1, 1, bytes, 1, 0, Map.of()));
                assertThat(pages(servers)).isEqualTo(before);
                assertThat(store.admin().verify().violations()).isEmpty();
                assertThat(SimulatedStore.content(store)).isEqualTo(content);
                assertThat(store.admin().removeGarbage(Duration.ZERO).orphans()).isZero();
            }
        });
    }

    /** Records come and go; a month later compaction and collection leave as many pages as it takes. */
    @Test
    @Tag("slow")
    void compactionGivesSpaceBack() {
        new SimulatedStore(6, World.CALM).run(servers -> {
            try (Penstock store = servers.open("a")) {
                fill(store);
                RecordCollection<String, String> words = SimulatedStore.words(store);
                for (int i = 0; i < 200; i++) {
                    if (i % 20 > 0) {
                        words.delete("k" + i);
                    }
                }
                store.admin().checkpoint();
                Map<String, String> content = SimulatedStore.content(store);
                assertThat(store.admin().compact()).isEqualTo(CompactionReport.NONE);
                servers.sleep(Duration.ofDays(31));
                int before = pages(servers).size();
                CompactionReport report = store.admin().compact();
                assertThat(report.purged()).isEqualTo(190);
                assertThat(report.joined()).isPositive();
                assertThat(SimulatedStore.content(store)).isEqualTo(content);
                assertThat(store.admin().removeGarbage(Duration.ZERO).deleted()).isEqualTo(report.joined());
                assertThat(pages(servers)).hasSize(before - (int) report.joined());
                assertThat(SimulatedStore.content(store)).isEqualTo(content);
                assertThat(store.admin().verify().violations()).isEmpty();
            }
        });
    }

    @Test
    void theGraceAgeIsThatOfTheServersClock() {
        new SimulatedStore(2, World.CALM).run(servers -> {
            try (Penstock store = servers.open("a")) {
                fill(store);
                plantOrphan(servers.objects(), anyTree(servers.objects()), 99);
                servers.machine("a").skewClock(Duration.ofMinutes(4));
                servers.sleep(Duration.ofSeconds(40)); // for a heartbeat, whose answer tells the time
                assertThat(store.admin().removeGarbage(Duration.ofMinutes(2)).deleted())
                        .isZero();
                servers.sleep(Duration.ofMinutes(3));
                assertThat(store.admin().removeGarbage(Duration.ofMinutes(2)).deleted())
                        .isOne();
            }
        });
    }

    @Test
    void pagesOfATreeThatNoCollectionHasStay() {
        new SimulatedStore(3, World.CALM).run(servers -> {
            try (Penstock store = servers.open("a")) {
                fill(store);
                String stray = plantOrphan(servers.objects(), new TreeId(0x5712a7), 99);
                GcReport report = store.admin().removeGarbage(Duration.ZERO);
                assertThat(report.kept()).isEqualTo(Map.of(Reason.UNKNOWN_TREE, 1L));
                assertThat(report.deleted()).isZero();
                assertThat(pages(servers)).contains(stray);
            }
        });
    }

    @Test
    void aTreeThatIsNotWholeIsLeftAlone() {
        new SimulatedStore(4, World.CALM).run(servers -> {
            try (Penstock store = servers.open("a")) {
                fill(store);
                TreeId tree = anyTree(servers.objects());
                String orphan = plantOrphan(servers.objects(), tree, 99);
                String lost = pages(servers).stream()
                        .filter(key -> !key.equals(orphan) && !key.endsWith("0001"))
                        .findFirst()
                        .orElseThrow();
                servers.objects().delete(lost);
                int pages = pages(servers).size();
                GcReport report = store.admin().removeGarbage(Duration.ZERO);
                assertThat(report.kept()).containsOnlyKeys(Reason.UNREADABLE);
                assertThat(report.deleted()).isZero();
                assertThat(pages(servers)).hasSize(pages).contains(orphan);
            }
        });
    }

    /** Queues forget, and logs do not: a commit may wait for a checkpoint longer than any message. */
    @Test
    void aLargePayloadOfACommitThatIsNotOnPagesStays() {
        new SimulatedStore(6, World.CALM).run(servers -> {
            Settings settings = servers.settings("a").level(ConsistencyLevel.SERIALIZABLE);
            Penstock first = Penstock.open(settings.checkpointing(false));
            SimulatedStore.words(first).put("k", "x".repeat(5_000));
            servers.machine("a").crash();
            servers.sleep(Duration.ofDays(33));
            try (Penstock store = Penstock.open(
                    servers.settings("b").level(ConsistencyLevel.SERIALIZABLE).checkpointing(false))) {
                assertThat(store.admin().removeGarbage(Duration.ofHours(1)).deleted())
                        .isZero();
                assertThat(SimulatedStore.words(store).get("k").orElseThrow()).hasSize(5_000);
            }
        });
    }

    /** Between two looks at the catalog. */
    @Test
    void anIndexThatIsDroppedMeanwhileIsYoung() {
        new SimulatedStore(7, World.CALM).run(servers -> {
            try (Penstock store = servers.open("a");
                    Penstock collector = servers.open("gc")) {
                RecordCollection<String, String> words = SimulatedStore.words(store);
                var unused = words.index("by", Keys.string(), value -> value);
                for (int i = 0; i < 100; i++) {
                    words.put("k" + i, "value " + i);
                }
                store.admin().checkpoint();
                Bytes before = servers.objects().get(DEFINITION).orElseThrow().body();
                store.admin().dropIndex("words", "by");
                Bytes dropped = servers.objects().get(DEFINITION).orElseThrow().body();
                var taken = servers.cloud.replace(DEFINITION, before);
                servers.sleep(Duration.ofHours(3));
                AtomicBoolean looked = new AtomicBoolean();
                servers.cloud.watch((step, client, call, on, outcome) -> {
                    boolean of = client.name().equals("gc") && call.equals("list") && on.contains("/catalog/");
                    if (of && step == CallWatcher.Step.DONE && !looked.getAndSet(true)) {
                        var unread = servers.cloud.replace(DEFINITION, dropped);
                    }
                });
                assertThat(collector.admin().removeGarbage(Duration.ofHours(1)).deleted())
                        .isZero();
                assertThat(looked).isTrue();
            }
        });
    }

    @Test
    void aReadOnlyClientMayOnlyCountGarbage() {
        new SimulatedStore(5, World.CALM).run(servers -> {
            try (Penstock store = servers.open("a")) {
                fill(store);
            }
            plantOrphan(servers.objects(), anyTree(servers.objects()), 99);
            try (Penstock store = Penstock.open(servers.settings("b").readOnly(true))) {
                assertThat(store.admin().findGarbage(Duration.ZERO).orphans()).isOne();
                assertThatThrownBy(() -> store.admin().removeGarbage(Duration.ZERO))
                        .isInstanceOf(InvalidRequestException.class);
                assertThatThrownBy(() -> store.admin().findGarbage(Duration.ofSeconds(Long.MAX_VALUE)))
                        .isInstanceOf(InvalidRequestException.class);
            }
        });
    }
}
