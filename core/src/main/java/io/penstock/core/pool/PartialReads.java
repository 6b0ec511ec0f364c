package io.penstock.core.pool;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.StoredObject;
import io.penstock.core.page.LeafHead;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.StoredPage;
import io.penstock.core.task.Parallel;
import io.penstock.core.task.SingleFlight;
import io.penstock.core.task.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads parts of large leaves: the head, then the wanted blocks, all of one version of the object. An empty result
 * means that the page must be read whole: it has no blocks, is compressed, keeps changing, or fails a check that the
 * whole page will then fail too. Safe for use by many threads; holds no lock while it waits.
 */
final class PartialReads {
    /** The first range requested of a page: it holds the head of all but very large pages, and small pages whole. */
    private static final int FRONT_BYTES = 16 << 10;

    /** The number of attempts to read a part while the page changes. */
    private static final int ATTEMPTS_MAX = 2;

    private final ObjectStore store;
    private final BufferPool pool;
    private final Tasks tasks;
    private final Function<PageId, String> objectKey;
    private final ObjLongConsumer<PageFrame> whole;
    private final SingleFlight<PageId, Optional<PartialLeaf>> heads;
    private final SingleFlight<Wanted, Optional<PageImage>> blocks;

    private record Wanted(PageId id, ObjectVersion version, PartialLeaf.Span span) {}

    /** @param whole receives small pages that were read whole by the first request, with the pool's mark before it */
    PartialReads(
            ObjectStore store,
            BufferPool pool,
            Tasks tasks,
            Function<PageId, String> objectKey,
            ObjLongConsumer<PageFrame> whole) {
        this.store = store;
        this.pool = pool;
        this.tasks = tasks;
        this.objectKey = objectKey;
        this.whole = whole;
        this.heads = new SingleFlight<>(tasks);
        this.blocks = new SingleFlight<>(tasks);
    }

    /** The part of a leaf that covers {@code key}, or ({@code before}) the largest keys below it; null: the last. */
    Optional<LeafPart> find(PageId id, @Nullable Bytes key, boolean before, int blockBytes) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<PartialLeaf> known = leaf(id);
            if (known.isEmpty()) {
                return Optional.empty();
            }
            PartialLeaf leaf = known.get();
            int block = before || key == null
                    ? leaf.head().blockBefore(key)
                    : leaf.head().blockFor(key);
            if (block < 0) {
                return Optional.empty();
            }
            PartialLeaf.Excerpt excerpt = pool.parts().find(leaf, block);
            if (excerpt != null) {
                return Optional.of(part(leaf, excerpt));
            }
            PartialLeaf.Span span = pool.parts().plan(leaf, block, before, blockBytes);
            if (span == null) {
                return Optional.empty();
            }
            Optional<PageImage> image = blocks.call(new Wanted(id, leaf.version(), span), () -> fetch(leaf, span));
            if (image.isPresent()) {
                PartialLeaf.Excerpt fresh = new PartialLeaf.Excerpt(span, image.get());
                pool.parts().add(leaf, fresh);
                return Optional.of(part(leaf, fresh));
            }
            pool.parts().forget(id);
        }
        return Optional.empty();
    }

    private static LeafPart part(PartialLeaf leaf, PartialLeaf.Excerpt excerpt) {
        int first = excerpt.span().from();
        return new LeafPart(
                new PageFrame(excerpt.image(), leaf.version(), leaf.checkedNanos()),
                first == 0 ? null : leaf.head().low(first));
    }

    /** The leaf's head, at most as old as the pool's TTL. */
    private Optional<PartialLeaf> leaf(PageId id) {
        PartialLeaf known = pool.parts().find(id);
        if (known != null && !isDue(known)) {
            return Optional.of(known);
        }
        Optional<PartialLeaf> read = heads.call(id, () -> load(id));
        // A call that was under way may have asked too early.
        return read.isPresent() && isDue(read.get()) ? load(id) : read;
    }

    private boolean isDue(PartialLeaf leaf) {
        return pool.isDue(leaf.id(), leaf.checkedNanos(), pool.nanoTime(tasks) - pool.ttlNanos());
    }

    private Optional<PartialLeaf> load(PageId id) {
        long now = pool.nanoTime(tasks);
        long begun = pool.mark();
        PartialLeaf known = pool.parts().find(id);
        Optional<StoredObject> front = store.getRange(objectKey.apply(id), 0, FRONT_BYTES);
        if (front.isEmpty()) {
            return Optional.empty();
        }
        if (known != null && known.version().equals(front.get().version())) {
            PartialLeaf checked = known.checkedAt(now);
            pool.parts().put(checked);
            return Optional.of(checked);
        }
        Bytes bytes = front.get().body();
        if (bytes.length() == LeafHead.pageBytes(bytes) || isWholeCompressed(bytes)) {
            PageImage image = StoredPage.decode(bytes, id, objectKey.apply(id));
            whole.accept(new PageFrame(image, front.get().version(), now), begun);
            return Optional.empty();
        }
        Optional<LeafHead> head = head(id, front.get());
        // An answer may be older than what was seen; reading the whole page resolves that.
        if (head.isEmpty()
                || known != null && known.head().version() > head.get().version()) {
            return Optional.empty();
        }
        PartialLeaf leaf = new PartialLeaf(head.get(), front.get().version(), now);
        leaf.head().outdated().forEach(old -> pool.distrust(id.tree(), old, now));
        pool.parts().put(leaf);
        return Optional.of(leaf);
    }

    private static boolean isWholeCompressed(Bytes front) {
        return StoredPage.isCompressed(front) && StoredPage.length(front) == front.length();
    }

    private Optional<LeafHead> head(PageId id, StoredObject front) {
        int length = LeafHead.headBytes(front.body());
        int missing = length - front.body().length();
        if (missing <= 0) {
            return LeafHead.of(front.body(), id);
        }
        return store.getRange(objectKey.apply(id), front.body().length(), missing)
                .filter(rest -> rest.version().equals(front.version()))
                .flatMap(rest -> LeafHead.of(front.body().concat(rest.body()), id));
    }

    /**
     * The page of some blocks, slots and heap fetched at once; empty when one of them has another version than the
     * head, or fails a check.
     */
    private Optional<PageImage> fetch(PartialLeaf leaf, PartialLeaf.Span span) {
        String key = objectKey.apply(leaf.id());
        List<LeafHead.Range> ranges =
                List.of(leaf.head().slots(span.from(), span.to()), leaf.head().heap(span.from(), span.to()));
        List<Optional<StoredObject>> found = Parallel.map(
                tasks,
                2,
                ranges,
                range -> store.getRange(key, range.offset(), range.length())
                        .filter(object -> object.version().equals(leaf.version())));
        return found.getFirst().isEmpty() || found.getLast().isEmpty()
                ? Optional.empty()
                : leaf.head()
                        .excerpt(
                                span.from(),
                                span.to(),
                                found.getFirst().get().body(),
                                found.getLast().get().body(),
                                key);
    }
}
