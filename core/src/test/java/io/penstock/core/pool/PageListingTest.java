package io.penstock.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.WriteCondition;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageListingTest {
    private static final TreeId TREE = new TreeId(5);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000, 1001, 3000, 20_000})
    void allPagesAreListedInFewRequests(int pages) {
        InlineTasks tasks = new InlineTasks(1);
        MemoryObjectStore store = new MemoryObjectStore();
        Random random = new Random(pages);
        Map<Long, ObjectVersion> expected = new HashMap<>();
        for (int i = 0; i < pages; i++) {
            PageId page = i == 0 ? PageId.root(TREE) : new PageId(TREE, random.nextLong());
            expected.put(page.number(), put(store, page));
        }
        put(store, new PageId(new TreeId(4), -1));
        put(store, new PageId(new TreeId(6), 1));
        for (long said : new long[] {0, pages, pages / 2, 3L * pages}) {
            AtomicInteger requests = new AtomicInteger();
            Map<Long, ObjectVersion> found =
                    new PageListing(store, tasks, "p/", TREE, requests::incrementAndGet).versions(said);
            assertThat(found).as("said to be %d", said).isEqualTo(expected);
            assertThat(requests.get()).isLessThanOrEqualTo(2 + (int) (Math.max(said, pages) * 3 / 2000));
        }
    }

    private static ObjectVersion put(MemoryObjectStore store, PageId page) {
        return store.put(PageNames.key("p/", page), Bytes.utf8(page.hex()), WriteCondition.ALWAYS)
                .version();
    }
}
