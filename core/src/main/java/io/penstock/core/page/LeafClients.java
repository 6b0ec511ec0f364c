package io.penstock.core.page;

import java.util.Arrays;

/** The dictionary of a page: clients in the order of their first entry. An open-addressed table finds them. */
final class LeafClients {
    private static final int UNKNOWN = -1;

    private final int[] ofSource;
    private long[] values = new long[4];
    private int[] table = emptyTable(16);
    private int count;

    LeafClients(int sourceClients) {
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

    int count() {
        return count;
    }

    /** Whether every client of the source page that occurs here has the number that it has there. */
    boolean keepSourceNumbers() {
        for (int i = 0; i < ofSource.length; i++) {
            if (ofSource[i] != UNKNOWN && ofSource[i] != i) {
                return false;
            }
        }
        return true;
    }

    int write(byte[] array, int at) {
        for (int i = 0; i < count; i++) {
            PageFormat.putI64(array, at + i * PageFormat.CLIENT_BYTES, values[i]);
        }
        return at + count * PageFormat.CLIENT_BYTES;
    }
}
