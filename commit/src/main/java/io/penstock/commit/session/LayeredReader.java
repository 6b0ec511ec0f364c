package io.penstock.commit.session;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.Bytes;
import io.penstock.core.CorruptDataException;
import io.penstock.core.TreeId;
import io.penstock.core.UnavailableException;
import io.penstock.core.overflow.OverflowReference;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.page.PageImage;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.Direction;
import io.penstock.core.record.KeyRange;
import io.penstock.core.record.RecordChange;
import io.penstock.core.record.RecordManager;
import io.penstock.core.record.VersionedRecord;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction sees: its own writes; then the newer, by stamp, of its session's overlay and the page. Safe for
 * use by many threads, each with its own write set.
 */
public final class LayeredReader {
    /** How often a payload that others keep replacing is looked for. */
    private static final int ATTEMPTS_MAX = 32;

    private final Function<TreeId, RecordManager> trees;
    private final PageManager pages;
    private final OverflowStore overflows;
    private final Overlay overlay;
    private final HybridClock clock;

    public LayeredReader(
            Function<TreeId, RecordManager> trees,
            PageManager pages,
            OverflowStore overflows,
            Overlay overlay,
            HybridClock clock) {
        this.trees = trees;
        this.pages = pages;
        this.overflows = overflows;
        this.overlay = overlay;
        this.clock = clock;
    }

    /** The payload of a live record. */
    public Optional<Bytes> find(TreeId tree, Bytes key, WriteSet writes) {
        Optional<Content> content = look(tree, key, writes, RecordManager::find);
        return load(tree, key, writes, content, payload -> payload, overflows::read);
    }

    /** The payload of a live record as a stream; a large one is read as the stream is. */
    public Optional<InputStream> open(TreeId tree, Bytes key, WriteSet writes) {
        Optional<Content> content = look(tree, key, writes, RecordManager::find);
        return load(tree, key, writes, content, LayeredReader::stream, overflows::open);
    }

    private static InputStream stream(Bytes payload) {
        return new ByteArrayInputStream(payload.array(), payload.offset(), payload.length());
    }

    private Optional<Content> look(
            TreeId tree,
            Bytes key,
            WriteSet writes,
            BiFunction<RecordManager, Bytes, Optional<VersionedRecord>> onPage) {
        WriteSet.Write own = writes.find(tree, key);
        if (own != null) {
            return content(own.payload(), own.isReference());
        }
        // The overlay first: what is dropped from it between the two reads is on the page by then.
        RecordChange sessions = overlay.find(tree, key);
        return newest(sessions, onPage.apply(trees.apply(tree), key));
    }

    /** The payload of a live record as a transaction without writes sees it; null when there is none. */
    public @Nullable Bytes find(TreeId tree, Bytes key) {
        RecordChange sessions = overlay.find(tree, key);
        PageImage page = trees.apply(tree).leafFor(key);
        int at = page == null ? -1 : page.find(key);
        if (page == null || at < 0) {
            return payload(tree, key, sessions);
        }
        clock.observe(page.time(at));
        if (sessions != null && page.isNewer(sessions.stamp(), at)) {
            return payload(tree, key, sessions);
        }
        if (page.isReference(at)) {
            return large(tree, key, page.payload(at), new WriteSet()).orElse(null);
        }
        return page.isTombstone(at) ? null : page.payload(at);
    }

    private @Nullable Bytes payload(TreeId tree, Bytes key, @Nullable RecordChange change) {
        if (!(change instanceof RecordChange.Put put)) {
            return null;
        }
        return put.isReference()
                ? large(tree, key, put.payload(), new WriteSet()).orElse(null)
                : put.payload();
    }

    private static Optional<Content> content(@Nullable Bytes bytes, boolean isReference) {
        return bytes == null ? Optional.empty() : Optional.of(new Content(bytes, isReference));
    }

    /**
     * Follows a reference. An object that is not there was replaced, and the page or the overlay that names it is old:
     * so the page is read again, until it says something else. Where reads lag, the object may just not show yet.
     */
    private <T> Optional<T> load(
            TreeId tree,
            Bytes key,
            WriteSet writes,
            Optional<Content> found,
            Function<Bytes, T> small,
            BiFunction<TreeId, OverflowReference, Optional<T>> large) {
        long since = pages.nanoTime();
        Optional<Content> content = found;
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            if (content.isEmpty() || !content.get().isReference()) {
                return content.map(Content::bytes).map(small);
            }
            OverflowReference reference = OverflowReference.decode(content.get().bytes());
            long tried = pages.nanoTime();
            Optional<T> loaded = large.apply(tree, reference);
            if (loaded.isPresent()) {
                return loaded;
            }
            Optional<Content> fresh = look(tree, key, writes, RecordManager::findFresh);
            if (fresh.equals(content) && !pages.awaitLag(since, tried)) {
                throw new CorruptDataException(
                        "a record's overflow object is not there; do not trust the record, restore it or run verify",
                        "object",
                        overflows.objectKey(tree, reference));
            }
            content = fresh;
        }
        throw new UnavailableException(
                "a large payload was replaced again and again while it was read; retry later", "tree", tree.hex());
    }

    /**
     * As {@link #find} for many keys, in their order: each leaf is read once, several at a time. Large payloads are
     * read when they are asked for, so that not all of them need be in memory.
     */
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
        Iterator<Optional<VersionedRecord>> stored =
                trees.apply(tree).findAll(unwritten).iterator();
        List<Supplier<Optional<Bytes>>> found = new ArrayList<>(keys.size());
        for (Bytes key : keys) {
            WriteSet.Write own = writes.find(tree, key);
            Optional<Content> content =
                    own == null ? newest(sessions.get(key), stored.next()) : content(own.payload(), own.isReference());
            found.add(() -> load(tree, key, writes, content, payload -> payload, overflows::read));
        }
        return found;
    }

    /** The newer of the two, if that is a live record. */
    private Optional<Content> newest(@Nullable RecordChange sessions, Optional<VersionedRecord> stored) {
        stored.ifPresent(record -> clock.observe(record.stamp()));
        if (sessions == null || stored.isPresent() && stored.get().stamp().compareTo(sessions.stamp()) >= 0) {
            return stored.flatMap(record -> content(record.payload(), record.isReference()));
        }
        return sessions instanceof RecordChange.Put put ? content(put.payload(), put.isReference()) : Optional.empty();
    }

    /** The live records of a range, in order. */
    public LayeredScan scan(TreeId tree, KeyRange range, Direction direction, WriteSet writes) {
        return new LayeredScan(
                writes.iterate(tree, range, direction),
                overlay.iterate(tree, range, direction),
                trees.apply(tree).cursor(range, direction),
                direction,
                clock);
    }

    /** The large payload of a record that a scan came by; empty when it was deleted meanwhile. */
    public Optional<Bytes> large(TreeId tree, Bytes key, Bytes reference, WriteSet writes) {
        Optional<Content> content = Optional.of(new Content(reference, true));
        return load(tree, key, writes, content, payload -> payload, overflows::read);
    }
}
