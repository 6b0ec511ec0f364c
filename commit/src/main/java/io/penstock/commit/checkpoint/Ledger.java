package io.penstock.commit.checkpoint;

import io.penstock.commit.log.WireReader;
import io.penstock.commit.log.WireWriter;
import io.penstock.core.Bytes;
import io.penstock.core.ClientId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A record of which ordered log records of one PU queue were applied: for each client all numbers up to the highest,
 * except the holes. A hole is a number that was skipped because its client seemed dead. It stays in the ledger, so that
 * a record that arrives later after all is applied and not mistaken for a redelivery. Immutable.
 */
public final class Ledger {
    public static final Ledger EMPTY = new Ledger(new TreeMap<>());

    /** The least bytes of an entry: a client, two numbers and a count. */
    private static final int ENTRY_BYTES_MIN = 11;

    private static final int HOLE_BYTES_MIN = 2;

    private final SortedMap<ClientId, Progress> clients;

    /** The numbers from {@code from} to {@code to}, both included. */
    public record Hole(long from, long to) {}

    /**
     * The numbers of one client that were applied.
     *
     * @param updatedMillis when its entry last changed, in milliseconds since 1970
     */
    public record Progress(long highest, List<Hole> holes, long updatedMillis) {
        static final Progress NONE = new Progress(0, List.of(), 0);

        public Progress {
            holes = List.copyOf(holes);
        }

        boolean covers(long first, long last) {
            return last <= highest && holes.stream().noneMatch(hole -> hole.from <= last && first <= hole.to);
        }

        /**
         * Returns this progress with the numbers from {@code first} to {@code last} applied as well; missing numbers
         * below them become a hole.
         */
        Progress with(long first, long last, long nowMillis) {
            List<Hole> left = new ArrayList<>();
            for (Hole hole : holes) {
                if (hole.from < first) {
                    left.add(new Hole(hole.from, Math.min(hole.to, first - 1)));
                }
                if (hole.to > last) {
                    left.add(new Hole(Math.max(hole.from, last + 1), hole.to));
                }
            }
            if (first > highest + 1) {
                left.add(new Hole(highest + 1, first - 1));
            }
            return new Progress(Math.max(highest, last), left, nowMillis);
        }
    }

    private Ledger(SortedMap<ClientId, Progress> clients) {
        this.clients = clients;
    }

    Progress of(ClientId client) {
        return clients.getOrDefault(client, Progress.NONE);
    }

    /** Whether all numbers from {@code first} to {@code last} of {@code client} were applied. */
    public boolean covers(ClientId client, long first, long last) {
        return of(client).covers(first, last);
    }

    /** The number of clients. */
    int size() {
        return clients.size();
    }

    Ledger with(ClientId client, Progress progress) {
        Draft draft = new Draft(this);
        draft.put(client, progress);
        return draft.build();
    }

    Ledger without(Set<ClientId> gone) {
        TreeMap<ClientId, Progress> next = new TreeMap<>(clients);
        gone.forEach(next::remove);
        return new Ledger(next);
    }

    /**
     * A ledger under construction: the entries that change, over those that do not. One copy is made at the end,
     * however many entries change. Not safe for use by many threads.
     */
    public static final class Draft {
        private final Ledger before;
        private final Map<ClientId, Progress> changed = new HashMap<>();

        public Draft(Ledger before) {
            this.before = before;
        }

        Progress of(ClientId client) {
            Progress progress = changed.get(client);
            return progress == null ? before.of(client) : progress;
        }

        public void put(ClientId client, Progress progress) {
            changed.put(client, progress);
        }

        public Ledger build() {
            if (changed.isEmpty()) {
                return before;
            }
            TreeMap<ClientId, Progress> next = new TreeMap<>(before.clients);
            next.putAll(changed);
            return new Ledger(next);
        }
    }

    /** The clients whose entries have not changed since {@code beforeMillis}. */
    List<ClientId> idleSince(long beforeMillis) {
        return clients.entrySet().stream()
                .filter(entry -> entry.getValue().updatedMillis < beforeMillis)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A readable description, one line for each client. */
    List<String> describe() {
        return clients.entrySet().stream()
                .map(entry -> "ledger client=" + entry.getKey().hex() + " applied up to=" + entry.getValue().highest
                        + " holes=" + entry.getValue().holes.size() + " changed="
                        + Instant.ofEpochMilli(entry.getValue().updatedMillis))
                .toList();
    }

    /**
     * Encodes the ledger as {@code varint(count) (u64 client | varint highest | varint millis | varint(holes) (varint
     * from | varint to)*)*}.
     */
    Bytes encode() {
        WireWriter out = new WireWriter(64 + 32 * clients.size()).varint(clients.size());
        clients.forEach((client, progress) -> {
            out.u64(client.value()).varint(progress.highest).varint(progress.updatedMillis);
            out.varint(progress.holes.size());
            progress.holes.forEach(hole -> out.varint(hole.from).varint(hole.to));
        });
        return out.toBytes();
    }

    static Ledger decode(Bytes body, String what) {
        WireReader in = new WireReader(body, what);
        TreeMap<ClientId, Progress> clients = new TreeMap<>();
        int count = in.count(ENTRY_BYTES_MIN);
        for (int i = 0; i < count; i++) {
            ClientId client = new ClientId(in.u64());
            long highest = in.varint();
            long updated = in.varint();
            int holeCount = in.count(HOLE_BYTES_MIN);
            List<Hole> holes = new ArrayList<>(holeCount);
            for (int h = 0; h < holeCount; h++) {
                Hole hole = new Hole(in.varint(), in.varint());
                if (hole.from < 1 || hole.from > hole.to || hole.to > highest) {
                    throw in.corrupt("a hole is not among the numbers applied");
                }
                holes.add(hole);
            }
            if (highest < 0 || clients.put(client, new Progress(highest, holes, updated)) != null) {
                throw in.corrupt("a client's numbers are impossible");
            }
        }
        in.end();
        return new Ledger(clients);
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object == this || object instanceof Ledger other && clients.equals(other.clients);
    }

    @Override
    public int hashCode() {
        return clients.hashCode();
    }

    @Override
    public String toString() {
        return clients.toString();
    }
}
