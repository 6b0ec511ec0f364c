package io.penstock.commit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.catalog.Catalog;
import io.penstock.core.TreeId;
import io.penstock.core.object.Listing;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.pool.BufferPool;
import io.penstock.core.pool.PageManager;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.InlineTasks;
import io.penstock.testing.MemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreesTest {
    private static final TreeId TREE = new TreeId(7);

    /** A call that held a lock while it read the catalog would block others or, as here, fail. */
    @Test
    void whileTheCatalogIsReadForATreeOthersMayAskForItToo() {
        List<Trees> asked = new ArrayList<>();
        MemoryObjectStore objects = new MemoryObjectStore() {
            @Override
            public Listing list(String prefix, String startAfter, int limit) {
                if (asked.size() == 1) {
                    asked.add(asked.getFirst());
                    asked.getFirst().records(TREE);
                }
                return super.list(prefix, startAfter, limit);
            }
        };
        InlineTasks tasks = new InlineTasks(1);
        BufferPool pool = new BufferPool(1 << 20, Duration.ofSeconds(10));
        PageManager pages = new PageManager(objects, pool, tasks, "s/");
        Trees trees = new Trees(
                new Catalog(new ThreadTasks(), objects, "s/", false, Duration.ZERO),
                pages,
                new OverflowStore(objects, tasks, "s/"),
                tasks,
                new Trees.Bounds(1, 0, 64 << 10));
        asked.add(trees);
        assertThat(trees.records(TREE)).isSameAs(trees.records(TREE));
        assertThat(trees.reader(TREE)).isSameAs(trees.reader(TREE));
        assertThat(asked).as("the catalog was read").hasSize(2);
    }
}
