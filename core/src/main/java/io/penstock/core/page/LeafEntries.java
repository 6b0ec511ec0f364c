package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of leaves: entries kept of an existing page, by reference, with fresh ones among them. Kept entries are
 * copied from page to page without becoming objects.
 */
public final class LeafEntries implements NodeEntries {
    /**
     * A prefix is stored once only if that saves at least this part of the entries; otherwise each read would pay for a
     * copy of its key.
     */
    private static final int PREFIX_PART = 32;

    /**
     * The overhead of an entry, in bytes: flags, key length, time, client index and slot at their longest usual size.
     */
    private static final int ENTRY_OVERHEAD_BYTES = 1 + 3 + 10 + 3 + Integer.BYTES;

    private final @Nullable PageImage source;
    private final int[] references;
    private final int count;
    private final List<Fresh> fresh;
    private final boolean ascending;

    /** A new entry; its payload is empty in a tombstone, and begins with the expiry if there is one. */
    private record Fresh(Bytes key, Bytes payload, Stamp stamp, byte flags) {}

    private LeafEntries(Builder builder) {
        this.source = builder.source;
        this.references = builder.references;
        this.count = builder.count;
        this.fresh = builder.fresh;
        this.ascending = builder.ascending;
    }

    /** A sequence that keeps entries of {@code source}; null when there is no page yet. */
    public static Builder builder(@Nullable PageImage source) {
        return new Builder(source);
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public boolean isAscending() {
        return ascending;
    }

    @Override
    public Bytes key(int index) {
        int reference = references[index];
        return reference >= 0 ? page().key(reference) : fresh.get(~reference).key;
    }

    @Override
    public int weight(int index) {
        return weight(keyLength(index), payloadLength(index));
    }

    static int weight(int keyLength, int payloadLength) {
        return keyLength + payloadLength + ENTRY_OVERHEAD_BYTES;
    }

    @Override
    public Bytes separator(int index) {
        Bytes key = key(index);
        return key.slice(0, key(index - 1).sharedPrefix(key) + 1).copy();
    }

    @Override
    public PageLayout layout(PageHeader header, int from, int to) {
        return new LeafBody(this, from, to).under(header);
    }

    /**
     * The number of leading bytes to store once for all keys of a leaf. All shared bytes, if that saves a noticeable
     * part of the page; otherwise none, because whole keys can be handed out without a copy.
     *
     * @param shared the bytes that all keys begin with
     * @param weight of all entries, with their whole keys
     */
    public static int prefixLength(int shared, long entries, long weight) {
        return shared * entries * PREFIX_PART < weight ? 0 : shared;
    }

    /** The page that kept entries belong to. */
    PageImage page() {
        if (source == null) {
            throw new IllegalStateException("no source page");
        }
        return source;
    }

    /** The number of clients in the source page's dictionary. */
    int sourceClients() {
        return source == null ? 0 : source.clientCount();
    }

    /** Whether the entry is one of the source page. */
    boolean isKept(int index) {
        return references[index] >= 0;
    }

    /** Whether a page with this prefix and base time could hold entries of the source page as they are. */
    boolean isShapedAs(int prefixLength, long baseTime) {
        return source != null && source.isShapedAs(prefixLength, baseTime);
    }

    /** Whether an entry, unless it is fresh, has this size in the source page. */
    boolean isKeptWith(int index, long bytes) {
        int reference = references[index];
        return reference < 0 || page().entryEnd(reference) - page().entryAt(reference) == bytes;
    }

    /** Reads the parts of a kept entry that decide its size. */
    void readKept(LeafBody.Entry entry, int index) {
        page().readInto(entry, references[index]);
    }

    Stamp freshStamp(int index) {
        return fresh.get(~references[index]).stamp;
    }

    int freshKeyLength(int index) {
        return fresh.get(~references[index]).key.length();
    }

    int freshPayloadLength(int index) {
        return fresh.get(~references[index]).payload.length();
    }

    /** Copies an entry of the source page as it is, and returns the offset after it. */
    int copyEntry(int index, byte[] target, int at) {
        return page().copyEntry(references[index], target, at);
    }

    int keyLength(int index) {
        int reference = references[index];
        return reference >= 0
                ? page().keyLength(reference)
                : fresh.get(~reference).key.length();
    }

    /** Copies the key of a kept entry from byte {@code from} on, and returns the offset after it. */
    int copyKey(int index, int from, byte[] target, int at) {
        return page().copyKey(references[index], from, target, at);
    }

    /** Writes a fresh entry without the key's first {@code prefix} bytes, and returns the offset after it. */
    int writeFresh(int index, int prefix, long time, int client, byte[] target, int at) {
        Fresh entry = fresh.get(~references[index]);
        int suffix = entry.key.length() - prefix;
        target[at] = entry.flags;
        int next = PageFormat.putVarint(target, at + 1, suffix);
        PageFormat.copy(entry.key.array(), entry.key.offset() + prefix, target, next, suffix);
        next = PageFormat.putVarint(target, next + suffix, time);
        next = PageFormat.putVarint(target, next, client);
        entry.payload.copyTo(target, next);
        return next + entry.payload.length();
    }

    int payloadLength(int index) {
        int reference = references[index];
        if (reference >= 0) {
            return page().tailLength(reference);
        }
        return fresh.get(~reference).payload.length();
    }

    /** Copies the payload of a kept entry, and its expiry, and returns the offset after it. */
    int copyPayload(int index, byte[] target, int at) {
        Bytes tail = tail(page(), references[index]);
        tail.copyTo(target, at);
        return at + tail.length();
    }

    private static Bytes tail(PageImage page, int index) {
        return Bytes.wrap(page.bytes().array(), page.tailAt(index), page.tailLength(index));
    }

    /** The flags of a kept entry. */
    byte flags(int index) {
        return page().flags(references[index]);
    }

    /** Gathers entries, in ascending order of their keys. For one thread. */
    public static final class Builder {
        private final @Nullable PageImage source;
        private final List<Fresh> fresh = new ArrayList<>();
        private int[] references = new int[64];
        private int count;
        private boolean ascending = true;

        private Builder(@Nullable PageImage source) {
            this.source = source;
        }

        /** Keeps one entry of the source page. */
        public void keep(int index) {
            ascending &= fresh.isEmpty();
            add(index);
        }

        /** Keeps the entries of the source page from {@code from} (inclusive) to {@code to} (exclusive). */
        public void keep(int from, int to) {
            for (int i = from; i < to; i++) {
                keep(i);
            }
        }

        /** Keeps all entries of the source page. */
        public Builder keepAll() {
            if (source != null) {
                keep(0, source.count());
            }
            return this;
        }

        /** Adds all entries of another page as they are. */
        public Builder copyAll(PageImage other) {
            for (int i = 0; i < other.count(); i++) {
                addFresh(new Fresh(other.key(i), tail(other, i), other.stamp(i), other.flags(i)));
            }
            return this;
        }

        /** Adds a record that stays. */
        public void put(Bytes key, Bytes payload, Stamp stamp) {
            addFresh(new Fresh(key, payload, stamp, PageFormat.PUT));
        }

        /**
         * Adds a record.
         *
         * @param payload or, if {@code isReference}, the reference to it
         * @param expiryMillis or {@link Expiry#NEVER}
         */
        public void put(Bytes key, Bytes payload, boolean isReference, long expiryMillis, Stamp stamp) {
            byte kind = isReference ? PageFormat.REFERENCE : PageFormat.PUT;
            if (expiryMillis == Expiry.NEVER) {
                addFresh(new Fresh(key, payload, stamp, kind));
                return;
            }
            byte[] expiry = new byte[PageFormat.varintBytes(expiryMillis)];
            PageFormat.putVarint(expiry, 0, expiryMillis);
            Bytes tail = Bytes.wrap(expiry).concat(payload);
            addFresh(new Fresh(key, tail, stamp, (byte) (kind | PageFormat.EXPIRES)));
        }

        /** Adds the tombstone of a deleted record. */
        public void tombstone(Bytes key, Stamp stamp) {
            addFresh(new Fresh(key, Bytes.EMPTY, stamp, PageFormat.TOMBSTONE));
        }

        private void addFresh(Fresh entry) {
            add(~fresh.size());
            fresh.add(entry);
        }

        private void add(int reference) {
            if (count == references.length) {
                references = Arrays.copyOf(references, count * 2);
            }
            references[count++] = reference;
        }

        public int count() {
            return count;
        }

        /** The finished sequence; the builder must not be used afterwards. */
        public LeafEntries build() {
            return new LeafEntries(this);
        }
    }
}
