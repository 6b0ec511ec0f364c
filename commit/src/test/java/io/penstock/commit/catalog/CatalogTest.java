package io.penstock.commit.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.Listing;
import io.penstock.core.object.StoredObject;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The first use of a collection by several clients at once. */
class CatalogTest {
    /** An object store whose reads do not show objects until they were asked so often. */
    private static final class LateReads extends MemoryObjectStore {
        private int missesLeft;

        LateReads(int misses) {
            missesLeft = misses;
        }

        @Override
        public Optional<StoredObject> get(String key) {
            return key.endsWith(".json") && missesLeft-- > 0 ? Optional.empty() : super.get(key);
        }
    }

    /** Sixteen are read at a time, so that even a few large objects would fill a heap. */
    @Test
    void whatIsTooLargeForADefinitionIsNotRead() {
        Counted objects = new Counted();
        Catalog catalog = new Catalog(new ThreadTasks(), objects, "store/", true, Duration.ZERO);
        catalog.define(wanted(1));
        io.penstock.core.Bytes large = io.penstock.core.Bytes.wrap(new byte[2 << 20]);
        objects.put("store/catalog/large.json", large, io.penstock.core.object.WriteCondition.IF_ABSENT);
        objects.reset();
        assertThat(catalog.listAgain()).hasSize(1);
        assertThat(catalog.unreadable()).containsOnlyKeys("large");
        assertThat(objects.gets).hasValue(1);
    }

    private static CollectionDefinition wanted(long tree) {
        return Declaration.definition("words", new TreeId(tree), "string", 1024, List.of());
    }

    private static Catalog catalogAfterOther(LateReads objects) {
        objects.put("store/catalog/words.json", written(wanted(1)), io.penstock.core.object.WriteCondition.IF_ABSENT);
        return new Catalog(new ThreadTasks(), objects, "store/", true, Duration.ZERO);
    }

    private static io.penstock.core.Bytes written(CollectionDefinition definition) {
        MemoryObjectStore scratch = new MemoryObjectStore();
        new Catalog(new ThreadTasks(), scratch, "store/", true, Duration.ZERO).define(definition);
        return scratch.get("store/catalog/words.json").orElseThrow().body();
    }

    /** An object store that counts its requests. */
    private static final class Counted extends MemoryObjectStore {
        private final AtomicInteger gets = new AtomicInteger();
        private final AtomicInteger lists = new AtomicInteger();

        @Override
        public Optional<StoredObject> get(String key) {
            gets.incrementAndGet();
            return super.get(key);
        }

        @Override
        public Listing list(String keyPrefix, String startAfter, int limit) {
            lists.incrementAndGet();
            return super.list(keyPrefix, startAfter, limit);
        }

        void reset() {
            gets.set(0);
            lists.set(0);
        }
    }

    private static final int COLLECTIONS = 300;

    private static Catalog catalog(Counted objects, Duration unknownFor) {
        objects.reset();
        return new Catalog(new ThreadTasks(), objects, "store/", true, unknownFor);
    }

    private static Counted filled() {
        Counted objects = new Counted();
        Catalog catalog = catalog(objects, Duration.ZERO);
        for (int i = 1; i <= COLLECTIONS; i++) {
            catalog.define(Declaration.definition("c" + i, new TreeId(i), "string", 1024, List.of()));
        }
        return objects;
    }

    /** It used to cost a GET for each collection of the store. */
    @Test
    void theFirstLookAtATreeCostsAsMuchInAStoreOfAnySize() {
        Counted objects = filled();
        assertThat(catalog(objects, Duration.ZERO).ofTree(new TreeId(77)).map(CollectionDefinition::name))
                .hasValue("c77");
        assertThat(objects.gets).hasValue(2);
        assertThat(objects.lists).hasValue(0);
    }

    @Test
    void aStoreWithoutNamesOfTreesIsReadOnceAndGetsThem() {
        Counted objects = filled();
        for (int i = 1; i <= COLLECTIONS; i++) {
            objects.delete("store/trees/" + new TreeId(i).hex());
        }
        assertThat(catalog(objects, Duration.ZERO).ofTree(new TreeId(77))).isPresent();
        assertThat(objects.gets.get()).isGreaterThanOrEqualTo(COLLECTIONS);
        assertThat(catalog(objects, Duration.ZERO).ofTree(new TreeId(78))).isPresent();
        assertThat(objects.gets).hasValue(2);
    }

    @Test
    void aTreeThatNobodyHasIsNotLookedForAgainAtOnce() {
        Counted objects = filled();
        Catalog catalog = catalog(objects, Duration.ofHours(1));
        assertThat(catalog.ofTree(new TreeId(-1))).isEmpty();
        objects.reset();
        assertThat(catalog.ofTree(new TreeId(-1))).isEmpty();
        assertThat(objects.gets).hasValue(0);
        assertThat(catalog.ofTree(new TreeId(-2))).isEmpty();
        assertThat(objects.gets).as("the rest of the catalog is known").hasValue(1);
    }

    /** Who added it could not write its name, which is a hint. */
    @Test
    void anIndexThatWasAddedWithoutANameIsFound() {
        Counted objects = filled();
        Catalog catalog = catalog(objects, Duration.ofHours(1));
        assertThat(catalog.list()).hasSize(COLLECTIONS);
        IndexDefinition index = new IndexDefinition("by", new TreeId(1000).hex(), "string", 1, null, 0);
        new Catalog(new ThreadTasks(), objects, "store/", true, Duration.ZERO)
                .change("c5", was -> was.index("by").isPresent() ? was : was.adding(List.of(index)));
        objects.delete("store/trees/" + new TreeId(1000).hex());
        assertThat(catalog.ofTree(new TreeId(1000)).map(CollectionDefinition::name))
                .hasValue("c5");
        assertThat(objects.get("store/trees/" + new TreeId(1000).hex())).isPresent();
    }

    /** It used to be written anew, with an empty tree. */
    @Test
    void aLostEntryIsNotTakenForOneThatNeverWas() {
        Counted objects = filled();
        objects.delete("store/catalog/c7.json");
        Catalog catalog = catalog(objects, Duration.ZERO);
        assertLost(() -> catalog.define(Declaration.definition("c7", new TreeId(-7), "string", 1024, List.of())));
        assertLost(() -> catalog.find("c7"));
        assertLost(() -> catalog.rename("c8", "c7"));
        assertLost(() -> catalog.rename("c7", "other"));
        assertThat(catalog.list()).hasSize(COLLECTIONS - 1);
        assertThat(catalog.unreadable()).containsOnlyKeys("c7");
        assertThat(objects.get("store/catalog/c7.json")).isEmpty();
    }

    private static void assertLost(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("collection=c7 key=store/catalog/c7.json mark=store/catalog/c7.mark");
    }

    /** Entry and mark were written between the look for the one and the look for the other. */
    @Test
    void anEntryThatShowsAfterItsMarkIsFound() {
        LateReads objects = new LateReads(1);
        objects.put("store/catalog/words.json", written(wanted(1)), io.penstock.core.object.WriteCondition.IF_ABSENT);
        objects.put("store/catalog/words.mark", written(wanted(1)), io.penstock.core.object.WriteCondition.IF_ABSENT);
        Catalog catalog = new Catalog(new ThreadTasks(), objects, "store/", true, Duration.ZERO);
        assertThat(catalog.find("words")).isPresent();
    }

    /** A client that crashed just then has written the entry alone. */
    @Test
    void entriesWithoutAMarkAreMarked() {
        Counted objects = filled();
        objects.delete("store/catalog/c7.mark");
        catalog(objects, Duration.ZERO).mark();
        assertThat(objects.get("store/catalog/c7.mark")).isPresent();
        assertThat(objects.gets).as("nothing is read for it").hasValue(1);
    }

    /** The read after the last conflict shows what was in the way. */
    @Test
    void aDefinitionThatShowsLateIsFoundInTheEnd() {
        assertThat(catalogAfterOther(new LateReads(4)).define(wanted(2)).treeId())
                .isEqualTo(new TreeId(1));
    }

    /** No transaction has a conflict here: whoever reads or writes waits and tries again. */
    @Test
    void aDefinitionThatDoesNotShowIsUnavailable() {
        assertThatThrownBy(() -> catalogAfterOther(new LateReads(100)).define(wanted(2)))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("collection=words");
    }
}
