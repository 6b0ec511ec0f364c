package io.penstock.core.page;

import io.penstock.core.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Plans and writes one leaf in two passes: the first finds the shared prefix and the exact size, the second writes. */
final class LeafLayout implements PageLayout {
    private final LeafEntries entries;
    private final PageHeader header;
    private final int from;
    private final int to;
    private final int prefixLength;
    private final long baseTime;
    private final Clients clients;
    private final int[] clientIndex;
    private final int slotWidth;
    private final long bytes;

    LeafLayout(LeafEntries entries, PageHeader header, int from, int to) {
        this.entries = entries;
        this.from = from;
        this.to = to;
        this.prefixLength = prefixLength();
        this.baseTime = oldest();
        this.clients = new Clients(entries.sourceClients());
        this.clientIndex = new int[to - from];
        long heap = 0;
        List<LeafBlocks.Start> starts = new ArrayList<>();
        for (int i = from; i < to; i++) {
            if (starts.isEmpty() || heap - starts.getLast().heapOffset() >= LeafBlocks.BLOCK_BYTES) {
                starts.add(new LeafBlocks.Start(i - from, (int) Math.min(heap, Integer.MAX_VALUE)));
            }
            int client = client(i);
            clientIndex[i - from] = client;
            int suffix = entries.keyLength(i) - prefixLength;
            heap += 1L
                    + PageFormat.varintBytes(suffix)
                    + suffix
                    + PageFormat.varintBytes(entries.time(i) - baseTime)
                    + PageFormat.varintBytes(client)
                    + entries.payloadLength(i);
        }
        this.slotWidth = PageFormat.slotWidth(heap);
        this.header = heap < LeafBlocks.HEAP_BYTES_MIN
                ? LeafBlocks.plan(header, List.of(), List.of())
                : LeafBlocks.plan(header, starts, bounds(starts));
        this.bytes =
                PageFormat.headBytes(this.header, prefixLength, clients.count) + (long) slotWidth * (to - from) + heap;
    }

    private int prefixLength() {
        int shared = from == to ? 0 : entries.key(from).sharedPrefix(entries.key(to - 1));
        if (shared == 0) {
            return 0;
        }
        long weight = 0;
        for (int i = from; i < to; i++) {
            weight += entries.weight(i);
        }
        return LeafEntries.prefixLength(shared, to - from, weight);
    }

    private List<Bytes> bounds(List<LeafBlocks.Start> starts) {
        List<Bytes> bounds = new ArrayList<>();
        bounds.add(Bytes.EMPTY);
        for (LeafBlocks.Start start : starts.subList(1, starts.size())) {
            Bytes bound = entries.separator(from + start.entry());
            bounds.add(bound.slice(prefixLength, bound.length()));
        }
        return bounds;
    }

    private long oldest() {
        if (from == to) {
            return 0;
        }
        long oldest = entries.time(from);
        for (int i = from + 1; i < to; i++) {
            long time = entries.time(i);
            if (Long.compareUnsigned(time, oldest) < 0) {
                oldest = time;
            }
        }
        return oldest;
    }

    private int client(int index) {
        int reference = entries.reference(index);
        if (reference < 0) {
            return clients.indexOf(entries.freshClient(index));
        }
        PageImage page = entries.page();
        return clients.indexOfSource(page, page.clientIndex(reference));
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public PageImage encode() {
        int count = to - from;
        PageComposer page = new PageComposer(header, bytes);
        page.setBody(count, prefixLength, slotWidth);
        page.setStamps(baseTime, clients.count);
        byte[] array = page.array;
        if (count > 0) {
            entries.key(from).slice(0, prefixLength).copyTo(array, page.prefixAt);
        }
        int slotsAt = clients.write(array, page.prefixAt + prefixLength);
        int heapAt = slotsAt + slotWidth * count;
        int next = heapAt;
        for (int i = from; i < to; i++) {
            PageFormat.putSlot(array, slotsAt, slotWidth, i - from, next - heapAt);
            byte flags = entries.flags(i);
            if (flags == PageFormat.REFERENCE) {
                page.setFormat(PageFormat.VERSION_WITH_REFERENCES);
            }
            array[next++] = flags;
            next = PageFormat.putVarint(array, next, entries.keyLength(i) - prefixLength);
            next = entries.copyKey(i, prefixLength, array, next);
            next = PageFormat.putVarint(array, next, entries.time(i) - baseTime);
            next = PageFormat.putVarint(array, next, clientIndex[i - from]);
            next = entries.copyPayload(i, array, next);
        }
        LeafBlocks.seal(array, header);
        return page.seal();
    }

    /** The dictionary of a page: clients in the order of their first entry. An open-addressed table finds them. */
    private static final class Clients {
        private static final int UNKNOWN = -1;

        private final int[] ofSource;
        private long[] values = new long[4];
        private int[] table = emptyTable(16);
        private int count;

        Clients(int sourceClients) {
            ofSource = new int[sourceClients];
            Arrays.fill(ofSource, UNKNOWN);
        }

        int indexOfSource(PageImage page, int sourceIndex) {
            if (ofSource[sourceIndex] == UNKNOWN) {
                ofSource[sourceIndex] = indexOf(page.client(sourceIndex));
            }
            return ofSource[sourceIndex];
        }

        int indexOf(long client) {
            int at = probe(client);
            if (table[at] != UNKNOWN) {
                return table[at];
            }
            if (count == values.length) {
                values = Arrays.copyOf(values, count * 2);
                if (count * 4 > table.length) {
                    grow();
                    at = probe(client);
                }
            }
            values[count] = client;
            table[at] = count;
            return count++;
        }

        private int probe(long client) {
            int mask = table.length - 1;
            int at = (int) ((client * 0x9E3779B97F4A7C15L) >>> 40) & mask;
            while (table[at] != UNKNOWN && values[table[at]] != client) {
                at = (at + 1) & mask;
            }
            return at;
        }

        private void grow() {
            table = emptyTable(table.length * 4);
            for (int i = 0; i < count; i++) {
                table[probe(values[i])] = i;
            }
        }

        private static int[] emptyTable(int size) {
            int[] table = new int[size];
            Arrays.fill(table, UNKNOWN);
            return table;
        }

        int write(byte[] array, int at) {
            for (int i = 0; i < count; i++) {
                PageFormat.putI64(array, at + i * PageFormat.CLIENT_BYTES, values[i]);
            }
            return at + count * PageFormat.CLIENT_BYTES;
        }
    }
}
