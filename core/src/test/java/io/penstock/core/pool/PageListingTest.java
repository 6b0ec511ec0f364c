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

    /** A copy of a page, left by somebody, was taken for the first page where a request ended with it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 998, 999})
    void whatIsNoPageCostsNoRequests(int before) {
        foreign(before, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 500})
    void manyThatAreNoPagesCostTheirOwnRequests(int before) {
        foreign(before, 2500);
    }

    /** Lists 3,000 pages, with objects that are none after some of them. */
    private static void foreign(int before, int objects) {
        MemoryObjectStore store = new MemoryObjectStore();
        Map<Long, ObjectVersion> expected = new HashMap<>();
        expected.put(PageId.ROOT, put(store, PageId.root(TREE)));
        new Random(1).longs(2999).forEach(number -> expected.put(number, put(store, new PageId(TREE, number))));
        String last = PageNames.ofTree("p/", TREE);
        if (before > 0) {
            last = store.list(last, "", before).entries().getLast().key();
        }
        for (int i = 0; i < objects; i++) {
            store.put(last + "." + i, Bytes.utf8("no page"), WriteCondition.ALWAYS);
        }
        AtomicInteger requests = new AtomicInteger();
        Runnable counted = () -> assertThat(requests.incrementAndGet()).isLessThan(20);
        assertThat(new PageListing(store, new InlineTasks(1), "p/", TREE, counted).versions(0))
                .isEqualTo(expected);
    }

    private static ObjectVersion put(MemoryObjectStore store, PageId page) {
        return store.put(PageNames.key("p/", page), Bytes.utf8(page.hex()), WriteCondition.ALWAYS)
                .version();
    }
}
