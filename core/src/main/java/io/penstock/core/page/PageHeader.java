package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.PageId;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All a page says of itself. Immutable.
 *
 * @param id the page
 * @param kind what the body holds
 * @param level 0 for leaves and ledgers; an inner page is one above its children
 * @param version grows by one with each write of the page
 * @param writeId random, drawn for each write: by it a writer finds out whether a write whose answer was lost is its
 *     own
 * @param right the number of the next page of the level, {@link PageId#NONE} when this is the last
 * @param highKey every key of the page is below it; null stands for +infinity, exactly when {@code right} is NONE
 * @param origin the page this one was split from
 * @param checkpointMillis when the page was last written by a checkpoint, milliseconds since 1970, by the writer's
 *     clock
 * @param extension kept as it is by whoever does not know it; reserved for later levels
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

    /** The same page with another right sibling. */
    public PageHeader withRight(long nextRight, @Nullable Bytes nextHighKey) {
        return new PageHeader(
                id, kind, level, version, writeId, nextRight, nextHighKey, origin, checkpointMillis, extension);
    }

    /** The same page as an inner page of {@code nextLevel}: what a root becomes when it splits. */
    public PageHeader asInner(int nextLevel) {
        return new PageHeader(
                id, PageKind.INNER, nextLevel, version, writeId, right, highKey, origin, checkpointMillis, extension);
    }

    /** A fresh page split off this one: same kind, level, version and right sibling, and this page as its origin. */
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
                extension);
    }

    /** The same page, given up; {@code low} is the lower bound of its keys. */
    public PageHeader retired(Bytes low) {
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
                Takeover.encodeLow(low));
    }

    /** The lower bound of a retired page's keys. */
    public Bytes retiredLow() {
        return Takeover.decodeLow(extension);
    }

    /** The same page with the keys of its right sibling, which is retired. */
    public PageHeader takingOver(PageHeader retired, long nowMillis) {
        return new PageHeader(
                id,
                kind,
                level,
                version,
                writeId,
                retired.right,
                retired.highKey,
                origin,
                checkpointMillis,
                new Takeover(retired.id.number(), retired.version, nowMillis).encode());
    }

    /** The last page that this one, or the one it was split from, took over. */
    public Optional<Takeover> takeover() {
        return kind == PageKind.RETIRED ? Optional.empty() : Takeover.decode(extension);
    }

    /** How many bytes the header takes in the page, high key and extension included. */
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
