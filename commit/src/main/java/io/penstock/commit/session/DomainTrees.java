package io.penstock.commit.session;

import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.RecordManager;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The trees of domains, for readers that read a commit log too: a key that is not in the log's tail was not written
 * since the tail dropped it, so pages that were checked since count, whatever their TTL. Safe for use by many threads.
 */
public final class DomainTrees {
    private final PageManager pages;
    private final Function<TreeId, RecordManager> trees;
    private final Map<TreeId, Long> required = new ConcurrentHashMap<>();

    /**
     * @param pages the pages, for readers that learn of changes
     * @param trees on these pages
     */
    public DomainTrees(PageManager pages, Function<TreeId, RecordManager> trees) {
        this.pages = pages;
        this.trees = trees;
    }

    /**
     * A tree, to be read after the tail was.
     *
     * @param sinceNanos the time, as of {@link io.penstock.core.task.Timekeeper#nanoTime}, from which on its pages must
     *     have been checked: an older one, however young, may lack what the tail has no more
     */
    RecordManager records(TreeId tree, long sinceNanos) {
        require(tree, sinceNanos);
        return trees.apply(tree);
    }

    /** The versions, as in {@link PageVersions#begin}, of the pages that {@link #records} reads. */
    Supplier<Map<Long, ObjectVersion>> versions(TreeId tree, long expected, long sinceNanos) {
        return kept(tree, sinceNanos).orElseGet(() -> pages.versions(tree, expected));
    }

    /** The versions of these pages whose listing began before, if they still count. */
    Optional<Supplier<Map<Long, ObjectVersion>>> kept(TreeId tree, long sinceNanos) {
        require(tree, sinceNanos);
        return pages.keptVersions(tree);
    }

    private void require(TreeId tree, long sinceNanos) {
        Long known = required.get(tree);
        if (known == null || sinceNanos - known > 0) {
            pages.pool().checkAgain(tree, pages.nanoTimeAt(sinceNanos));
            required.put(tree, sinceNanos);
        }
    }
}
