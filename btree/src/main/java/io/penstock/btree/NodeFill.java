package io.penstock.btree;

import io.penstock.core.Bytes;
import io.penstock.core.page.InnerEntries;
import io.penstock.core.page.LeafEntries;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rightmost node of one level while a tree is loaded, with an account of its size. The account is right to within a
 * few bytes while keys arrive, and counts their common prefix once. Pure; for one thread.
 */
final class NodeFill {
    /**
     * The overhead of a leaf entry, in bytes: slot, flags, and four short varints; an inner entry has only its slot.
     */
    private static final int LEAF_ENTRY_BYTES = 4 + 1 + 2 + 1 + 1;

    private static final int INNER_ENTRY_BYTES = 4;

    /** The fixed part of a page's header, and one client. */
    private static final int HEAD_BYTES = 120;

    private final int level;
    private final long bytesTarget;
    private final List<InnerEntries.Entry> children = new ArrayList<>();
    private long number;
    private Bytes separator = Bytes.EMPTY;
    private @Nullable Bytes first;
    private @Nullable Bytes last;
    private int prefix;
    private long count;
    private long keyBytes;
    private long valueBytes;

    NodeFill(int level, long bytesTarget, long number) {
        this.level = level;
        this.bytesTarget = bytesTarget;
        this.number = number;
    }

    int level() {
        return level;
    }

    /** The number of the node's page. */
    long number() {
        return number;
    }

    /** The lower bound of the node's keys. */
    Bytes separator() {
        return separator;
    }

    /** Whether {@code key} may come next. */
    boolean isAbove(Bytes key) {
        return last == null || key.compareTo(last) > 0;
    }

    /** The last key that was added. */
    Bytes last() {
        if (last == null) {
            throw new IllegalStateException("the node is empty");
        }
        return last;
    }

    /** Whether the node takes another entry within its target; an empty one takes any. */
    boolean fits(Bytes key, int value) {
        if (first == null) {
            return true;
        }
        int shared = Math.min(prefix, first.sharedPrefix(key));
        long entries = count + 1;
        long each = level == 0 ? LEAF_ENTRY_BYTES : INNER_ENTRY_BYTES;
        long keys = keyBytes + key.length();
        long weight = keys + each * entries + valueBytes + value;
        long suffixes = keys - entries * (level == 0 ? LeafEntries.prefixLength(shared, entries, weight) : shared);
        // The high key is about as long as the keys.
        return HEAD_BYTES + key.length() + shared + each * entries + suffixes + valueBytes + value <= bytesTarget;
    }

    void add(Bytes key, int value) {
        prefix = first == null ? key.length() : Math.min(prefix, first.sharedPrefix(key));
        first = first == null ? key : first;
        last = key;
        count++;
        keyBytes += key.length();
        valueBytes += value;
    }

    void add(InnerEntries.Entry child) {
        add(child.separator(), Long.BYTES);
        children.add(child);
    }

    List<InnerEntries.Entry> takeChildren() {
        List<InnerEntries.Entry> taken = List.copyOf(children);
        children.clear();
        return taken;
    }

    /** Begins the next node of the level, and returns the finished node's entry for its parent. */
    InnerEntries.Entry begin(long nextNumber, Bytes nextSeparator) {
        InnerEntries.Entry ended = new InnerEntries.Entry(separator, number);
        number = nextNumber;
        separator = nextSeparator;
        first = null;
        prefix = 0;
        count = 0;
        keyBytes = 0;
        valueBytes = 0;
        return ended;
    }
}
