package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The header of a page: its identity, version and neighbours. Immutable.
 *
 * @param id the page
 * @param kind the kind of the body
 * @param level 0 for leaves and ledgers; an inner page is one above its children
 * @param version grows by one with each write of the page
 * @param writeId random, drawn for each write: a writer that lost an answer recognises its own write by it
 * @param right the number of the next page of the level, {@link PageId#NONE} when this is the last
 * @param highKey every key of the page is below it; null stands for +infinity, exactly when {@code right} is NONE
 * @param origin the page this one was split from
 * @param checkpointMillis the time of the last write by a checkpoint, milliseconds since 1970, by the writer's clock
 * @param extension fields that only some pages have ({@link PageExtension}); writers that do not know them keep them
 */
public record PageHeader(
        PageId id,
        PageKind kind,
        int level,
        long version,
        long writeId,
        long right,
        @Nullable Bytes highKey,
        Origin origin,
        long checkpointMillis,
        Bytes extension) {

    /** The header of a page that has no right sibling, was not split off, and was never checkpointed. */
    public static PageHeader of(PageId id, PageKind kind, int level, long version, long writeId) {
        return new PageHeader(id, kind, level, version, writeId, PageId.NONE, null, Origin.NONE, 0, Bytes.EMPTY);
    }

    /** The header of the next write of this page: version + 1. */
    public PageHeader next(long nextWriteId, long nowMillis) {
        return new PageHeader(id, kind, level, version + 1, nextWriteId, right, highKey, origin, nowMillis, extension);
    }

    /** Returns this header with another right sibling. */
    public PageHeader withRight(long nextRight, @Nullable Bytes nextHighKey) {
        return new PageHeader(
                id, kind, level, version, writeId, nextRight, nextHighKey, origin, checkpointMillis, extension);
    }

    /** Returns this header with other fields in its extension. */
    PageHeader withExtension(Bytes next) {
        return new PageHeader(id, kind, level, version, writeId, right, highKey, origin, checkpointMillis, next);
    }

    /** Returns this header as that of an inner page of {@code nextLevel}: a root after its split. */
    public PageHeader asInner(int nextLevel) {
        PageHeader unindexed = withIndexEpoch(0);
        return new PageHeader(
                id,
                PageKind.INNER,
                nextLevel,
                version,
                writeId,
                right,
                highKey,
                origin,
                checkpointMillis,
                LeafBlocks.without(unindexed.extension));
    }

    /**
     * The epoch of the collection's definition up to which the records of this leaf are indexed: for each index added
     * at this epoch or before, the entries of all records are written or noted. 0 for a leaf that no build has visited.
     */
    public long indexEpoch() {
        return PageExtension.number(extension, PageExtension.INDEX_EPOCH);
    }

    /** Returns this header with another {@link #indexEpoch}. */
    public PageHeader withIndexEpoch(long epoch) {
        Bytes next = PageExtension.with(extension, PageExtension.INDEX_EPOCH, epoch);
        return new PageHeader(id, kind, level, version, writeId, right, highKey, origin, checkpointMillis, next);
    }

    /**
     * A fresh page split off this one: same kind, level, version, right sibling, index epoch and takeover, with this
     * page as its origin.
     */
    public PageHeader splitOff(long number, long nextWriteId, long nowMillis) {
        return new PageHeader(
                new PageId(id.tree(), number),
                kind,
                level,
                version,
                nextWriteId,
                right,
                highKey,
                new Origin(id.number(), version),
                nowMillis,
                handedOn());
    }

    private Bytes handedOn() {
        Bytes takeover = PageExtension.value(extension, PageExtension.TAKEOVER);
        Bytes epoch = PageExtension.with(Bytes.EMPTY, PageExtension.INDEX_EPOCH, indexEpoch());
        return PageExtension.with(epoch, PageExtension.TAKEOVER, takeover);
    }

    /** Returns this header as that of a retired page; {@code low} is the lower bound of its keys. */
    public PageHeader retired(Bytes low) {
        Bytes epoch = PageExtension.with(Bytes.EMPTY, PageExtension.INDEX_EPOCH, indexEpoch());
        return new PageHeader(
                id,
                PageKind.RETIRED,
                level,
                version,
                writeId,
                right,
                highKey,
                origin,
                checkpointMillis,
                PageExtension.with(epoch, PageExtension.LOWER_BOUND, low));
    }

    /** The lower bound of a retired page's keys. */
    public Bytes retiredLow() {
        return PageExtension.value(extension, PageExtension.LOWER_BOUND);
    }

    /** Returns this header as that of a page that takes over the keys of its right sibling, which is retired. */
    public PageHeader takingOver(PageHeader retired, long nowMillis) {
        return withRight(retired.right, retired.highKey).outdating(retired, nowMillis);
    }

    /** Returns this header with a declaration that images of the retired page are outdated. */
    public PageHeader outdating(PageHeader retired, long nowMillis) {
        LeafMerge takeover = new LeafMerge(new Origin(retired.id.number(), retired.version), nowMillis);
        return withExtension(PageExtension.with(extension, PageExtension.TAKEOVER, takeover.encode()));
    }

    /** The last page that this one, or the page it was split from, took over or replaced. */
    public Optional<LeafMerge> takeover() {
        return LeafMerge.decode(extension);
    }

    /** The pages that this one declares outdated, up to a version. */
    public List<Origin> outdated() {
        return LeafMerge.outdated(origin, extension);
    }

    /** The bytes of the header in the page, including high key and extension. */
    public int bytes() {
        return PageFormat.FIXED_BYTES + (highKey == null ? 0 : highKey.length()) + extension.length();
    }

    /** Whether two writes of one page cover the same keys: it was not split in between. */
    public boolean coversAs(PageHeader other) {
        return kind == other.kind
                && level == other.level
                && right == other.right
                && Objects.equals(highKey, other.highKey);
    }
}
