package io.penstock.core.pool;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.ConflictException;
import io.penstock.core.CorruptDataException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.PageId;
import io.penstock.core.StoreException;
import io.penstock.core.TreeId;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.object.Refreshed;
import io.penstock.core.object.StoredObject;
import io.penstock.core.object.WriteCondition;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.PageKind;
import io.penstock.core.page.StoredPage;
import io.penstock.core.task.SingleFlight;
import io.penstock.core.task.Task;
import io.penstock.core.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads pages through the pool and writes them. Cheap to create: several may share a pool, each over an object store
 * with its own meters.
 *
 * <p>Every method may throw {@link io.penstock.core.UnavailableException} (nothing was done) and {@link
 * CorruptDataException} (a stored page fails a check).
 *
 * <p>Safe for use by many threads; holds no lock while it waits.
 */
public final class PageManager {
    private static final Logger LOG = LoggerFactory.getLogger(PageManager.class);

    /** The content of a mark. No program reads it; it is for people who come upon the object. */
    private static final Bytes MARK =
            Bytes.utf8("this tree has a root, 0000000000000001; without it readers are told that it was lost\n");

    /** The time after which a put of a page is not that of its writer, but of a copy. */
    private static final Duration PUT_MAX = Duration.ofHours(1);

    private final ObjectStore store;
    private final BufferPool pool;
    private final Tasks tasks;
    private final String prefix;
    private final TieredPages tiered;
    private final PartialReads partial;
    private final PageWrites writes;

    /** Reads under way: callers that miss the same page share one request. */
    private final SingleFlight<PageId, Optional<PageFrame>> loading;

    /** The time before which answers of the store are ignored; null: they count for the pool's TTL. */
    private final @Nullable Long notBefore;

    /** The versions whose listing began last. */
    private final AtomicReference<@Nullable Versions> versions = new AtomicReference<>();

    /** The age from which a pooled page does not count. */
    private final long ageMaxNanos;

    /** @param prefix the common prefix of all object keys of the store */
    public PageManager(ObjectStore store, BufferPool pool, Tasks tasks, String prefix) {
        this(store, pool, tasks, prefix, null, pool.ttlNanos());
        // A caller that has seen a page by then must not get the answer of a read that began earlier.
        pool.watch(PoolWatcher.detaching(loading));
    }

    private PageManager(
            ObjectStore store,
            BufferPool pool,
            Tasks tasks,
            String prefix,
            @Nullable Long notBefore,
            long ageMaxNanos) {
        this.store = store;
        this.pool = pool;
        this.tasks = tasks;
        this.prefix = prefix;
        this.notBefore = notBefore;
        this.ageMaxNanos = ageMaxNanos;
        this.tiered = new TieredPages(pool.tier(), this::objectKey);
        this.partial = new PartialReads(store, pool, tasks, this::objectKey, this::take);
        this.writes = new PageWrites(store, pool, tasks, this);
        this.loading = new SingleFlight<>(tasks);
    }

    /**
     * Returns a view of these pages for a reader that accepts only pages validated after a time. Other readers of the
     * pool go on as before, and profit from its requests. It reads leaves whole.
     *
     * @param nanos a time by {@link #nanoTime}, not in the future
     */
    public PageManager notBefore(long nanos) {
        return new PageManager(store, pool, tasks, prefix, nanos, ageMaxNanos);
    }

    /**
     * Returns a view of these pages for a reader that learns which trees have changed, and calls {@link
     * BufferPool#checkAgain} before it reads them: other pages count for minutes, whatever the TTL. Parts of leaves
     * count for a TTL as ever.
     */
    public PageManager forNotifiedReaders() {
        PageManager told = new PageManager(store, pool, tasks, prefix, null, pool.ageMaxNanos());
        pool.watch(PoolWatcher.detaching(told.loading));
        return told;
    }

    /** The key of a page's object: {@code <prefix>pages/<tree>/<page>}. */
    public String objectKey(PageId id) {
        return PageNames.key(prefix, id);
    }

    /** The common prefix of the keys of all pages. */
    public String objectKeyPrefix() {
        return PageNames.all(prefix);
    }

    /** The page whose object has this key; empty when it is not a page's key. */
    public Optional<PageId> pageAt(String key) {
        return PageNames.at(prefix, key);
    }

    /** Lists some pages of a tree, by number, in one request. */
    public List<PageId> listed(TreeId tree, int limit) {
        return store.list(PageNames.ofTree(prefix, tree), "", limit).entries().stream()
                .flatMap(entry -> pageAt(entry.key()).stream())
                .toList();
    }

    /**
     * Begins to list the versions of all pages of a tree, by their numbers: a request for a thousand pages.
     *
     * @param expected the number of pages, roughly; 0 when it is not known
     * @return waits for them
     */
    public Supplier<Map<Long, ObjectVersion>> versions(TreeId tree, long expected) {
        long now = pool.nanoTime(tasks);
        PageListing listing = new PageListing(store, tasks, prefix, tree, pool::countRevalidation);
        Versions begun = new Versions(tree, now, tasks.fork("listing", () -> listing.versions(expected)));
        versions.set(begun);
        return () -> await(begun);
    }

    /** The versions whose listing began before, if they count as pages do in {@link #get}. */
    public Optional<Supplier<Map<Long, ObjectVersion>>> keptVersions(TreeId tree) {
        Versions last = versions.get();
        return last == null
                        || !last.tree.equals(tree)
                        || pool.isDue(PageId.root(tree), last.listedNanos, pool.nanoTime(tasks) - ageMaxNanos)
                ? Optional.empty()
                : Optional.of(() -> await(last));
    }

    private Map<Long, ObjectVersion> await(Versions begun) {
        try {
            return begun.byNumber.join();
        } catch (RuntimeException failed) {
            versions.compareAndSet(begun, null);
            throw failed;
        }
    }

    /** The versions of a tree's pages, and when their listing began. */
    private record Versions(TreeId tree, long listedNanos, Task<Map<Long, ObjectVersion>> byNumber) {}

    public BufferPool pool() {
        return pool;
    }

    /** A random number for a page or a write; never 0 and never that of a root. */
    public long newNumber() {
        long number = tasks.random().nextLong();
        return number == PageId.NONE || number == PageId.ROOT ? newNumber() : number;
    }

    /** The page from the pool if it counts, that is, for a TTL as a rule; otherwise from the store. Empty: no page. */
    public Optional<PageFrame> get(PageId id) {
        long now = pool.nanoTime(tasks);
        PageFrame pooled = pool.find(id);
        if (pooled != null && !isDue(pooled, now)) {
            return Optional.of(pooled);
        }
        // A request that another caller has begun may be from before the time that counts.
        return notBefore == null ? loading.call(id, shared -> isYoung(shared, now), () -> load(id)) : load(id);
    }

    /**
     * Whether an answer to another caller counts at {@code nowNanos}. A page is as old as its request, however late the
     * answer; and it is unknown since when a missing page has been missing.
     */
    private boolean isYoung(Optional<PageFrame> shared, long nowNanos) {
        return shared.isPresent() && !isDue(shared.get(), nowNanos);
    }

    private boolean isDue(PageFrame pooled, long nowNanos) {
        return pool.isDue(pooled.image().id(), pooled.checkedNanos(), nowNanos - ageMaxNanos) || isTooEarly(pooled);
    }

    private boolean isTooEarly(PageFrame pooled) {
        // At the same moment the store may have been asked before.
        return notBefore != null && pooled.checkedNanos() - notBefore <= 0;
    }

    /**
     * The page if {@link #get} would answer from the pool at {@code nowNanos}, otherwise null. A descent over such
     * pages alone creates no object; at its end the caller reports their number to {@link #countPooled}.
     */
    public @Nullable PageImage pooled(PageId id, long nowNanos) {
        PageFrame young = pool.findYoung(id, nowNanos - ageMaxNanos);
        return young == null || isTooEarly(young) ? null : young.image();
    }

    /** Counts, as hits, the pages from {@link #pooled} of a read that needed nothing else. */
    public void countPooled(int pages) {
        pool.countHits(pages);
    }

    /**
     * A part of a leaf that was read without the rest.
     *
     * @param page the part as a page of its own, which must be neither pooled nor written
     * @param low the lower bound of its keys; null when it is that of the leaf
     */
    public record LeafPart(PageFrame page, @Nullable Bytes low) {}

    /**
     * The part of a leaf that covers {@code key}, or ({@code before}) the largest keys below it (null: the last part),
     * with the same age as from {@link #get}.
     *
     * @param blockBytes the bytes to read at first
     * @return empty when the leaf should be read whole: it is small, mostly read already, or pooled; or when its right
     *     sibling covers the key
     */
    public Optional<LeafPart> part(PageId id, @Nullable Bytes key, boolean before, int blockBytes) {
        boolean whole = notBefore != null
                || pool.peek(id) != null
                || loading.isUnderWay(id)
                || pool.tier().holds(id);
        return whole ? Optional.empty() : partial.find(id, key, before, blockBytes);
    }

    /** Whether {@link #get} would answer from the pool at once. */
    public boolean isPooled(PageId id) {
        PageFrame pooled = pool.peek(id);
        return pooled != null && !isDue(pooled, pool.nanoTime(tasks));
    }

    /**
     * Starts to read a page that will be needed soon, like {@link #readAhead}.
     *
     * @return false, and nothing starts, when it is pooled
     */
    public boolean prefetch(PageId id, Consumer<Boolean> ended) {
        if (isPooled(id)) {
            return false;
        }
        readAhead("page", () -> get(id).ifPresent(fetched -> pool.expect(id)), ended);
        return true;
    }

    /**
     * Starts a read whose result will be needed soon. A failure is left to the caller that needs it.
     *
     * @param ended receives from the reading task whether it succeeded
     */
    public void readAhead(String what, Runnable reading, Consumer<Boolean> ended) {
        tasks.start("readahead", () -> {
            boolean read = false;
            try {
                reading.run();
                read = true;
            } catch (StoreException failure) {
                LOG.debug("a {} could not be read ahead why={}", what, failure.getMessage());
            } finally {
                ended.accept(read);
            }
        });
    }

    private Optional<PageFrame> load(PageId id) {
        // Another load may have ended between the look into the pool and the start of this one.
        PageFrame pooled = pool.peek(id);
        return pooled != null && !isDue(pooled, pool.nanoTime(tasks)) ? Optional.of(pooled) : fetch(id, pooled);
    }

    /** The page as the store has it now; costs a request even if it is pooled. Empty: no page. */
    public Optional<PageFrame> refresh(PageId id) {
        return fetch(id, pool.peek(id));
    }

    /** The page as the store has it now, read whole and past the pool: for checks. Empty: no page. */
    public Optional<PageFrame> read(PageId id) {
        long now = pool.nanoTime(tasks);
        return store.get(objectKey(id)).map(object -> decode(id, object, now));
    }

    /** A condition under which exactly the page's present bytes are replaced, even if they are damaged. */
    public WriteCondition unchanged(PageId id) {
        try {
            return store.get(objectKey(id))
                    .map(object -> WriteCondition.ifVersion(object.version()))
                    .orElse(WriteCondition.IF_ABSENT);
        } catch (CorruptDataException damaged) {
            return WriteCondition.ALWAYS; // where stores sum objects themselves, not even its version can be read
        }
    }

    private Optional<PageFrame> fetch(PageId id, @Nullable PageFrame pooled) {
        long begun = pool.mark();
        if (pooled != null) {
            pool.countRevalidation();
            return askAgain(id, pooled, begun, () -> pool.forget(id, pooled)); // missing: it was removed
        }
        Optional<PageFrame> kept = tiered.find(id);
        return kept.isPresent()
                ? askAgain(id, kept.get(), begun, () -> pool.tier().drop(id))
                : read(id).map(found -> take(found, begun));
    }

    /** Pools what was read or written since {@code begun}. */
    PageFrame take(PageFrame read, long begun) {
        tiered.keep(read);
        return pool.offer(read, begun);
    }

    /** The store's current answer, without a transfer of the bytes if it is what is known. */
    private Optional<PageFrame> askAgain(PageId id, PageFrame known, long begun, Runnable missing) {
        long now = pool.nanoTime(tasks);
        return switch (store.getIfChanged(objectKey(id), known.version())) {
            case Refreshed.Unchanged unchanged -> Optional.of(pool.offer(known.checkedAt(now), begun));
            case Refreshed.Changed changed -> Optional.of(take(decode(id, changed.object(), now), begun));
            case Refreshed.Missing none -> {
                missing.run();
                yield Optional.empty();
            }
        };
    }

    /** The clock of the age of pages. */
    public long nanoTime() {
        return pool.nanoTime(tasks);
    }

    /** A time of {@link Tasks#nanoTime} by the clock of the age of pages, which machines that sleep do not stop. */
    public long nanoTimeAt(long nanos) {
        long now = tasks.nanoTime();
        // Not too early: a sleep since then counts as one before.
        return nanos + (pool.nanoTime(tasks) - now);
    }

    private PageFrame decode(PageId id, StoredObject object, long checkedNanos) {
        PageImage image = StoredPage.decode(object.body(), id, objectKey(id));
        long written = image.header().checkpointMillis();
        long later = object.modifiedMillis() - written;
        if (written > 0 && later > PUT_MAX.toMillis() && pool.noteCopied(id)) {
            LOG.warn(
                    "a page's object was put long after the page was written: it was restored or copied, alone or with"
                            + " the whole bucket; what was committed after that version is not in it key={} hours={}",
                    objectKey(id),
                    Duration.ofMillis(later).toHours());
        }
        return new PageFrame(image, object.version(), checkedNanos);
    }

    /** Writes a page uncompressed, and pools it. As {@link #put(PageImage, WriteCondition, Compression)}. */
    public PageFrame put(PageImage image, WriteCondition condition) {
        return putStored(image, condition, image.bytes());
    }

    private PageFrame putStored(PageImage image, WriteCondition condition, Bytes stored) {
        PageFrame put = writes.put(image, stored, condition);
        if (image.id().isRoot() && condition.equals(WriteCondition.IF_ABSENT)) {
            mark(image.id().tree());
        }
        return put;
    }

    /** The key of the object that says that a tree has, or had, a root. */
    public String markKey(TreeId tree) {
        return PageNames.root(prefix, tree);
    }

    /** The common prefix of the keys of all marks. */
    public String marksPrefix() {
        return PageNames.roots(prefix);
    }

    /** Whether a tree has, or had, a root, as far as that was noted; a request. */
    public boolean isMarked(TreeId tree) {
        try {
            return store.get(markKey(tree)).isPresent();
        } catch (CorruptDataException damaged) {
            return true; // it is there
        }
    }

    /**
     * Notes that a tree has a root. Afterwards, since a mark without a root is a lost root. A failure is left to the
     * next garbage collection.
     */
    public void mark(TreeId tree) {
        try {
            store.put(markKey(tree), MARK, WriteCondition.ALWAYS);
        } catch (StoreException failure) {
            LOG.debug("a tree was not marked tree={} why={}", tree.hex(), failure.getMessage());
        }
    }

    /**
     * Writes a page, and pools it. When the store refuses the write or its answer is lost, the page is read again: the
     * random write id shows whether the write took effect.
     *
     * @param compression of the stored bytes, if it makes them much smaller; the pool has the page itself
     * @throws ConflictException when the store now has another write of the page, which the pool then has too. The
     *     caller's write certainly never takes effect only if the other one has its page version: a higher version may
     *     be its successor, and at a lower one it may still be on its way
     * @throws OutcomeUnknownException when an answer was lost, and the page could not be read or (with {@link
     *     WriteCondition#ALWAYS}) is another
     * @throws CorruptDataException when what the store has now is damaged, whether it was this write or another one
     */
    public PageFrame put(PageImage image, WriteCondition condition, Compression compression) {
        return putStored(image, condition, StoredPage.encode(image, compression));
    }

    /** Whether {@link #put} with this compression would store a page in another form than it has now. A request. */
    public boolean isStoredOtherwise(PageImage image, Compression compression) {
        boolean compressed = StoredPage.isCompressed(StoredPage.encode(image, compression));
        return store.getRange(objectKey(image.id()), 0, StoredPage.HEAD_BYTES)
                .filter(front -> StoredPage.isCompressed(front.body()) != compressed)
                .isPresent();
    }

    /** Removes a page that nothing refers to. Idempotent. */
    public void delete(PageId id) {
        PageFrame pooled = pool.peek(id);
        store.delete(objectKey(id));
        pool.forget(id, pooled);
        pool.parts().forget(id);
        pool.tier().drop(id);
    }

    /** Encodes and decodes the pages of trees for the {@link PageTier}. Safe for use by many threads. */
    private record TieredPages(PageTier tier, Function<PageId, String> objectKey) {
        /**
         * A page of the second level that the store was not yet asked about. An entry that is not a page is dropped.
         */
        Optional<PageFrame> find(PageId id) {
            try {
                return tier.find(id)
                        .map(kept -> new PageFrame(
                                PageImage.decode(kept.bytes(), id, objectKey.apply(id)),
                                kept.version(),
                                Long.MIN_VALUE));
            } catch (CorruptDataException damaged) {
                tier.drop(id);
                return Optional.empty();
            }
        }

        /** Keeps a page, unless it is a ledger: those are rewritten with every checkpoint. */
        void keep(PageFrame frame) {
            if (frame.image().header().kind() != PageKind.LEDGER) {
                tier.keep(frame.image().id(), new PageTier.Kept(frame.image().bytes(), frame.version()));
            }
        }
    }
}
