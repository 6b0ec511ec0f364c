package io.penstock.core.page;

import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of leaf entries, measured: what a page stores of them after its header. The measuring goes through the
 * entries once, and the writing a second time; a page that is kept almost whole is copied in long pieces.
 */
final class LeafBody {
    private final LeafEntries entries;
    private final int from;
    private final int count;
    private final int prefixLength;
    private final long baseTime;
    private final LeafClients clients;
    private final long[] times;
    private final int[] keyLengths;
    private final int[] payloadLengths;
    private final int[] clientIndex;
    private final int slotWidth;
    private final long heapBytes;
    private final List<LeafBlocks.Start> starts = new ArrayList<>();
    private final List<Bytes> bounds = new ArrayList<>();

    /** Whether entries of the source page are stored here as they are there, byte by byte. */
    private final boolean keepsBytes;

    /**
     * The parts of one entry that is to be stored again, read in one go. It is filled anew for each entry, so that a
     * page is gone through without an object per entry. For one thread.
     */
    static final class Entry {
        int keyLength;
        long time;

        /** The number of its client in the page's dictionary. */
        int client;

        int payloadLength;
    }

    LeafBody(LeafEntries entries, int from, int to) {
        this.entries = entries;
        this.from = from;
        this.count = to - from;
        this.clients = new LeafClients(entries.sourceClients());
        this.times = new long[count];
        this.keyLengths = new int[count];
        this.payloadLengths = new int[count];
        this.clientIndex = new int[count];
        long weight = read();
        int shared = count == 0 ? 0 : entries.key(from).sharedPrefix(entries.key(to - 1));
        this.prefixLength = shared == 0 ? 0 : LeafEntries.prefixLength(shared, count, weight);
        this.baseTime = oldest();
        this.heapBytes = addUp();
        this.keepsBytes = entries.isShapedAs(prefixLength, baseTime) && clients.keepSourceNumbers() && keepsLengths();
        this.slotWidth = PageFormat.slotWidth(heapBytes);
        if (heapBytes >= LeafBlocks.HEAP_BYTES_MIN) {
            addBounds();
        }
    }

    /** Reads the parts of all entries, and returns their weight. */
    private long read() {
        long weight = 0;
        Entry kept = new Entry();
        for (int i = 0; i < count; i++) {
            if (entries.isKept(from + i)) {
                entries.readKept(kept, from + i);
                clientIndex[i] = clients.indexOfSource(entries.page(), kept.client);
                times[i] = kept.time;
                keyLengths[i] = kept.keyLength;
                payloadLengths[i] = kept.payloadLength;
            } else {
                Stamp stamp = entries.freshStamp(from + i);
                clientIndex[i] = clients.indexOf(stamp.client().value());
                times[i] = stamp.time();
                keyLengths[i] = entries.freshKeyLength(from + i);
                payloadLengths[i] = entries.freshPayloadLength(from + i);
            }
            weight += LeafEntries.weight(keyLengths[i], payloadLengths[i]);
        }
        return weight;
    }

    /** Returns the bytes of all entries; notes where blocks start. */
    private long addUp() {
        long heap = 0;
        for (int i = 0; i < count; i++) {
            if (starts.isEmpty() || heap - starts.getLast().heapOffset() >= LeafBlocks.BLOCK_BYTES) {
                starts.add(new LeafBlocks.Start(i, (int) Math.min(heap, Integer.MAX_VALUE)));
            }
            heap += bytes(i);
        }
        return heap;
    }

    /** Whether the entries of the source page take as many bytes here; not so if another writer wasted some. */
    private boolean keepsLengths() {
        for (int i = 0; i < count; i++) {
            if (!entries.isKeptWith(from + i, bytes(i))) {
                return false;
            }
        }
        return true;
    }

    private long oldest() {
        long oldest = count == 0 ? 0 : times[0];
        for (long time : times) {
            if (Long.compareUnsigned(time, oldest) < 0) {
                oldest = time;
            }
        }
        return oldest;
    }

    private long bytes(int index) {
        int suffix = keyLengths[index] - prefixLength;
        return 1L
                + PageFormat.varintBytes(suffix)
                + suffix
                + PageFormat.varintBytes(times[index] - baseTime)
                + PageFormat.varintBytes(clientIndex[index])
                + payloadLengths[index];
    }

    private void addBounds() {
        bounds.add(Bytes.EMPTY);
        for (LeafBlocks.Start start : starts.subList(1, starts.size())) {
            Bytes bound = entries.separator(from + start.entry());
            bounds.add(bound.slice(prefixLength, bound.length()));
        }
    }

    /** The header with a description of the blocks, if the body is large enough for any. */
    PageHeader describedIn(PageHeader header) {
        return bounds.isEmpty()
                ? LeafBlocks.plan(header, List.of(), List.of())
                : LeafBlocks.plan(header, starts, bounds);
    }

    /** The size of the page without its header. */
    long bytes() {
        return prefixLength + (long) clients.count() * PageFormat.CLIENT_BYTES + (long) slotWidth * count + heapBytes;
    }

    /** Writes everything into a page of the right size. */
    EntryIndex write(PageComposer page) {
        page.setBody(count, prefixLength, slotWidth);
        page.setStamps(baseTime, clients.count());
        if (count > 0) {
            entries.key(from).slice(0, prefixLength).copyTo(page.array, page.prefixAt);
        }
        int slotsAt = clients.write(page.array, page.prefixAt + prefixLength);
        int heapAt = slotsAt + slotWidth * count;
        int[] heads = new int[count];
        boolean puts = true;
        int next = heapAt;
        for (int i = 0; i < count; i++) {
            PageFormat.putSlot(page.array, slotsAt, slotWidth, i, next - heapAt);
            int entryAt = next;
            next = writeEntry(page.array, entryAt, i);
            int suffix = keyLengths[i] - prefixLength;
            heads[i] = PageFormat.head(page.array, entryAt + 1 + PageFormat.varintBytes(suffix), suffix);
            puts &= page.array[entryAt] == PageFormat.PUT;
        }
        return new EntryIndex(heads, newest(), puts);
    }

    private long newest() {
        long newest = Long.MIN_VALUE;
        for (long time : times) {
            newest = Math.max(newest, time);
        }
        return newest;
    }

    /** Writes an entry, and returns the offset after it. */
    private int writeEntry(byte[] array, int at, int index) {
        int entry = from + index;
        long time = times[index] - baseTime;
        if (!entries.isKept(entry)) {
            return entries.writeFresh(entry, prefixLength, time, clientIndex[index], array, at);
        }
        if (keepsBytes) {
            return entries.copyEntry(entry, array, at);
        }
        array[at] = entries.flags(entry);
        int next = PageFormat.putVarint(array, at + 1, keyLengths[index] - prefixLength);
        next = entries.copyKey(entry, prefixLength, array, next);
        next = PageFormat.putVarint(array, next, time);
        next = PageFormat.putVarint(array, next, clientIndex[index]);
        return entries.copyPayload(entry, array, next);
    }

    /**
     * The page under a header.
     *
     * @param next the header; the blocks in its extension, if any, are those of an older write
     */
    PageLayout under(PageHeader next) {
        PageHeader header = describedIn(next);
        return new PageLayout() {
            @Override
            public long bytes() {
                return header.bytes() + LeafBody.this.bytes();
            }

            @Override
            public PageLayout under(PageHeader other) {
                return LeafBody.this.under(other);
            }

            @Override
            public PageImage encode() {
                PageComposer page = new PageComposer(header, bytes());
                EntryIndex index = write(page);
                LeafBlocks.seal(page.array, header);
                return page.seal(index);
            }
        };
    }
}
