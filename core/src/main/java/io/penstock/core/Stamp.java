package io.penstock.core;

/**
 * The time of a change, in a total order over all transactions of a store: a hybrid logical clock reading (48 bits of
 * milliseconds since 1970, then a 16-bit counter that begins and steps by chance), then the client. All log records of
 * one transaction share its stamp; a transaction changes a key at most once, so no two changes of one key ever compare
 * equal.
 *
 * @param time the clock reading, {@code millis << 16 | counter}
 * @param client the client that committed
 */
public record Stamp(long time, ClientId client) implements Comparable<Stamp> {
    /** The stamp that is older than every stamp a client draws. */
    public static final Stamp ZERO = new Stamp(0, new ClientId(0));

    /** The number of low bits of {@link #time} that count events within one millisecond. */
    public static final int COUNTER_BITS = 16;

    public static Stamp of(long millis, int counter, ClientId client) {
        return new Stamp(millis << COUNTER_BITS | (counter & 0xffff), client);
    }

    /**
     * The next stamp in the order. A client draws it only if its random id follows another's and both draw at the same
     * reading: a chance of one in 2^64.
     */
    public Stamp next() {
        long nextClient = client.value() + 1;
        return new Stamp(nextClient == 0 ? time + 1 : time, new ClientId(nextClient));
    }

    /** Milliseconds since 1970. */
    public long millis() {
        return time >>> COUNTER_BITS;
    }

    public int counter() {
        return (int) (time & 0xffff);
    }

    @Override
    public int compareTo(Stamp other) {
        int byTime = Long.compareUnsigned(time, other.time);
        return byTime != 0 ? byTime : client.compareTo(other.client);
    }

    public boolean isAfter(Stamp other) {
        return compareTo(other) > 0;
    }

    @Override
    public String toString() {
        return millis() + "." + counter() + "@" + client.hex();
    }
}
