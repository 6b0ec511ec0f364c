package io.penstock.commit.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.StoredObject;
import io.penstock.testing.MemoryObjectStore;
import java.util.List;
import java.util.Optional;
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
            return missesLeft-- > 0 ? Optional.empty() : super.get(key);
        }
    }

    private static CollectionDefinition wanted(long tree) {
        return Catalog.definition("words", new TreeId(tree), "string", 1024, List.of());
    }

    private static Catalog catalogAfterOther(LateReads objects) {
        objects.put("store/catalog/words.json", written(wanted(1)), io.penstock.core.object.WriteCondition.IF_ABSENT);
        return new Catalog(objects, "store/catalog/", true);
    }

    private static io.penstock.core.Bytes written(CollectionDefinition definition) {
        MemoryObjectStore scratch = new MemoryObjectStore();
        new Catalog(scratch, "store/catalog/", true).define(definition);
        return scratch.get("store/catalog/words.json").orElseThrow().body();
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
