package io.penstock.commit.session;

import io.penstock.commit.client.StampObserver;
import io.penstock.commit.index.AddedIndex;
import io.penstock.commit.log.RecentChanges;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.object.ObjectVersion;
import io.penstock.core.overflow.ByteRange;
import io.penstock.core.overflow.OverflowParts;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.Expiry;
import io.penstock.core.page.LeafRun;
import io.penstock.core.page.PageImage;
import io.penstock.core.record.Content;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordManager;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reader of a session: sees a transaction's own writes; then the newer, by stamp, of overlay and page. Safe for
 * use by many threads, each with its own write set.
 *
 * @param time by which records have expired
 */
public record LayeredReader(
        Function<TreeId, RecordManager> trees,
        OverflowStore overflows,
        RecentChanges overlay,
        StampObserver clock,
        ExpiryTime time,
        PageVersions versions)
        implements RecordReader {
    /** The most times that a payload which others keep replacing is looked for. */
    private static final int ATTEMPTS_MAX = 32;

    @Override
    public Optional<Bytes> find(TreeId tree, Bytes key, WriteSet writes) {
        Content found = unexpired(tree, key, look(tree, key, writes), writes);
        if (found == null || !found.isReference()) {
            return found == null ? Optional.empty() : Optional.of(found.bytes()); // most reads, so nothing else is made
        }
        return load(tree, key, writes, found, payload -> payload, overflows::read);
    }

    @Override
    public Optional<Content> content(TreeId tree, Bytes key, WriteSet writes) {
        return Optional.ofNullable(unexpired(tree, key, look(tree, key, writes), writes));
    }

    @Override
    public Optional<InputStream> open(TreeId tree, Bytes key, ByteRange range, WriteSet writes) {
        Content found = unexpired(tree, key, look(tree, key, writes), writes);
        return load(
                tree,
                key,
                writes,
                found,
                payload -> stream(payload, range.within(payload.length())),
                (of, parts) -> overflows.open(of, parts, range, () -> requireReplaced(of, key, writes, parts)));
    }

    /** @throws CorruptDataException when the record still names the objects, of which one is gone */
    private void requireReplaced(TreeId tree, Bytes key, WriteSet writes, OverflowParts parts) {
        Content fresh;
        try {
            fresh = lookFresh(tree, key, writes);
        } catch (Snapshot.Moved replaced) {
            return;
        }
        if (new Content(parts.encode(), true, Expiry.NEVER).isSame(fresh)) {
            throw lost(overflows, tree, parts);
        }
    }

    public static CorruptDataException lost(OverflowStore overflows, TreeId tree, OverflowParts parts) {
        return new CorruptDataException(
                "an object of a record is not there; do not trust the record, restore it or run verify",
                "object",
                overflows.objectKey(tree, parts.objects().getFirst()),
                "of",
                parts.objects().size());
    }

    private static InputStream stream(Bytes payload, ByteRange part) {
        return new ByteArrayInputStream(payload.array(), payload.offset() + (int) part.offset(), (int) part.length());
    }

    /** The content, unless it has expired for this transaction. */
    private @Nullable Content unexpired(TreeId tree, Bytes key, @Nullable Content found, WriteSet writes) {
        if (found == null || found.expiryMillis() == Expiry.NEVER) {
            return found;
        }
        if (found.hasExpired(time.asOfMillis(writes))) {
            return null;
        }
        if (writes.find(tree, key) == null) { // its own may expire before it commits, and harms nobody
            time.sawAlive(tree, found.expiryMillis());
        }
        return found;
    }

    /** The content of a record, expired or not; null when there is none. Reads the leaf's bytes in place. */
    private @Nullable Content look(TreeId tree, Bytes key, WriteSet writes) {
        RecordChange own = writes.find(tree, key);
        if (own != null) {
            return Content.of(own);
        }
        // The overlay first: what is dropped from it between the two reads is on the page by then.
        RecordChange sessions = overlay.find(tree, key);
        if (sessions != null && overlay.isAhead()) {
            return Content.of(sessions);
        }
        PageImage page = trees.apply(tree).leafFor(key);
        int at = page == null ? -1 : page.find(key);
        if (page == null || at < 0) {
            return sessions == null ? null : Content.of(sessions);
        }
        if (!clock.observe(page.time(at))) {
            writes.readFromFuture(tree, key, page.stamp(at));
        }
        if (sessions != null && page.isNewer(sessions.stamp(), at)) {
            return Content.of(sessions);
        }
        return page.isTombstone(at) ? null : new Content(page.payload(at), page.isReference(at), page.expiryMillis(at));
    }

    /**
     * Looks a record up as {@link #look} does, but on a page that was read just now. So it does for the transaction's
     * own write, which names objects of what it was appended to: the page tells whether that was replaced.
     */
    private @Nullable Content lookFresh(TreeId tree, Bytes key, WriteSet writes) {
        RecordChange sessions = overlay.find(tree, key);
        Optional<RecordChange> stored = trees.apply(tree).findFresh(key);
        observe(tree, key, writes, stored);
        RecordChange own = writes.find(tree, key);
        return own == null ? newer(sessions, stored) : Content.of(own);
    }

    /**
     * Follows references. An object that is not there was replaced, and the page or the overlay that names it is old:
     * so the page is read again, until it says something else.
     */
    private <T> Optional<T> load(
            TreeId tree,
            Bytes key,
            WriteSet writes,
            @Nullable Content found,
            Function<Bytes, T> small,
            BiFunction<TreeId, OverflowParts, Optional<T>> large) {
        if (found == null || !found.isReference()) {
            return Optional.ofNullable(found).map(Content::bytes).map(small);
        }
        Content content = found;
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            OverflowParts parts = OverflowParts.decode(content.bytes());
            Optional<T> loaded = large.apply(tree, parts);
            if (loaded.isPresent()) {
                return loaded;
            }
            Content fresh = unexpired(tree, key, lookFresh(tree, key, writes), writes);
            if (content.isSame(fresh)) {
                throw lost(overflows, tree, parts);
            }
            if (fresh == null || !fresh.isReference()) {
                return Optional.ofNullable(fresh).map(Content::bytes).map(small);
            }
            content = fresh;
        }
        throw new UnavailableException(
                "a large payload was replaced again and again while it was read; retry later", "tree", tree.hex());
    }

    @Override
    public List<Supplier<Optional<Bytes>>> findAll(TreeId tree, List<Bytes> keys, WriteSet writes) {
        List<Bytes> unwritten =
                keys.stream().filter(key -> writes.find(tree, key) == null).toList();
        // The overlay first, as above.
        Map<Bytes, RecordChange> sessions = new HashMap<>();
        for (Bytes key : unwritten) {
            RecordChange change = overlay.find(tree, key);
            if (change != null) {
                sessions.put(key, change);
            }
        }
        Iterator<Optional<RecordChange>> stored =
                trees.apply(tree).findAll(unwritten).iterator();
        List<Supplier<Optional<Bytes>>> found = new ArrayList<>(keys.size());
        for (Bytes key : keys) {
            RecordChange own = writes.find(tree, key);
            Content newest;
            if (own == null) {
                Optional<RecordChange> next = stored.next();
                observe(tree, key, writes, next);
                newest = newer(sessions.get(key), next);
            } else {
                newest = Content.of(own);
            }
            Content content = unexpired(tree, key, newest, writes);
            found.add(() -> load(tree, key, writes, content, payload -> payload, overflows::read));
        }
        return found;
    }

    private void observe(TreeId tree, Bytes key, WriteSet writes, Optional<RecordChange> stored) {
        if (stored.isPresent() && !clock.observe(stored.get().stamp())) {
            writes.readFromFuture(tree, key, stored.get().stamp());
        }
    }

    /** The content of the newer of the two; null when that is a delete, or there is neither. */
    private static @Nullable Content newer(@Nullable RecordChange sessions, Optional<RecordChange> stored) {
        boolean ahead = sessions != null
                && (stored.isEmpty() || sessions.stamp().isAfter(stored.get().stamp()));
        RecordChange newer = ahead ? sessions : stored.orElse(null);
        return newer == null ? null : Content.of(newer);
    }

    @Override
    public void prefetch(TreeId tree, KeyRange range, Direction direction, long leaf) {
        trees.apply(tree).index().prefetch(range, direction, leaf);
    }

    @Override
    public OptionalLong enterIndex(TreeId collection) {
        return OptionalLong.empty();
    }

    @Override
    public Set<Bytes> unindexed(AddedIndex index, WriteSet writes) {
        Set<Bytes> keys = new HashSet<>(writes.writtenBefore(index.collection(), index.epoch()));
        // Before the pending ones: what is no longer in the overlay is among these.
        keys.addAll(overlay.writtenBefore(index.collection(), index.epoch()));
        try (RecordScan pending = scan(index.pending(), KeyRange.all(), Direction.ASCENDING, writes)) {
            for (LeafRun run = pending.advance(); run != null; run = pending.advance()) {
                while (run.left() > 0) {
                    run.next();
                    keys.add(run.key());
                }
            }
        }
        return keys;
    }

    @Override
    public RecordScan scan(TreeId tree, KeyRange range, Direction direction, WriteSet writes) {
        long asOfMillis = time.asOfMillis(writes);
        return new LayeredScan(
                writes.iterate(tree, range, direction),
                overlay.iterate(tree, range, direction),
                trees.apply(tree).cursor(range, direction, asOfMillis),
                direction,
                clock,
                asOfMillis);
    }

    @Override
    public Unchanged unchanged(TreeId tree, KeyRange range, long pages, WriteSet writes) {
        TreeSet<Bytes> changed = new TreeSet<>();
        writes.iterate(tree, range, Direction.ASCENDING).forEachRemaining(change -> changed.add(change.key()));
        // The overlay before the pages, as above.
        overlay.iterate(tree, range, Direction.ASCENDING).forEachRemaining(change -> changed.add(change.key()));
        Supplier<Map<Long, ObjectVersion>> listed = versions.begin(tree, pages);
        return leaves -> leaves.isEmpty() ? List.of() : unchanged(leaves, changed, listed.get());
    }

    private List<KnownLeaf> unchanged(List<KnownLeaf> leaves, TreeSet<Bytes> changed, Map<Long, ObjectVersion> now) {
        List<KnownLeaf> unchanged = new ArrayList<>();
        for (KnownLeaf leaf : leaves) {
            Bytes next = changed.ceiling(leaf.range().from());
            boolean isSame = leaf.version().equals(now.get(leaf.page()));
            if (isSame && (next == null || !leaf.range().contains(next))) {
                clock.observe(leaf.newestTime());
                unchanged.add(leaf);
            }
        }
        return unchanged;
    }

    @Override
    public boolean isListed(TreeId tree) {
        return versions.areKnown(tree);
    }

    @Override
    public Optional<Bytes> large(TreeId tree, Bytes key, Bytes reference, WriteSet writes) {
        return load(tree, key, writes, new Content(reference, true, Expiry.NEVER), payload -> payload, overflows::read);
    }
}
