package io.penstock.testkit;

import io.penstock.core.object.StoredObject;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The contents of one object: the newest, which decides write conditions, and older ones that a stale read may still
 * return. A null content is a deletion.
 */
final class ObjectHistory {
    private record Version(@Nullable StoredObject content, long hiddenUntilNanos) {}

    private final ArrayDeque<Version> versions = new ArrayDeque<>();

    ObjectHistory() {
        versions.add(new Version(null, Long.MIN_VALUE));
    }

    ObjectHistory copy() {
        ObjectHistory copy = new ObjectHistory();
        copy.versions.clear();
        copy.versions.addAll(versions);
        return copy;
    }

    @Nullable
    StoredObject newest() {
        return versions.getLast().content;
    }

    /** Adds a write; readers may miss it until {@code hiddenUntilNanos}. */
    void write(@Nullable StoredObject content, long nowNanos, long hiddenUntilNanos) {
        forget(nowNanos);
        versions.add(new Version(content, hiddenUntilNanos));
    }

    /**
     * The content that a reader sees: the newest, or with eventual consistency any that is not certainly replaced, so
     * that a later read may even see an older one.
     */
    Optional<StoredObject> read(long nowNanos, boolean stale, SeededRandom random) {
        forget(nowNanos);
        if (!stale) {
            return Optional.ofNullable(newest());
        }
        int pick = random.nextInt(versions.size());
        Iterator<Version> walk = versions.iterator();
        Version seen = walk.next();
        for (int i = 0; i < pick; i++) {
            seen = walk.next();
        }
        return Optional.ofNullable(seen.content);
    }

    /** Drops contents that no reader can see any more: all before the last one that is visible everywhere. */
    private void forget(long nowNanos) {
        int settled = -1;
        int index = 0;
        for (Version version : versions) {
            if (version.hiddenUntilNanos <= nowNanos) {
                settled = index;
            }
            index++;
        }
        for (int i = 0; i < settled; i++) {
            versions.removeFirst();
        }
    }
}
