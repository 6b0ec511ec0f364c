package io.penstock.commit.session;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.queue.Position;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.RecordManager;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The memory of one session: its own log records, and the reader that sees them. Safe for use by many threads. */
public final class SessionState {
    private final Shared shared;
    private final Overlay overlay;
    private final LayeredReader reader;
    private final Consumer<List<Position>> beforeWriting;
    private final boolean whole;

    /** The domains that this session has used. */
    private final Set<String> domains = new ConcurrentSkipListSet<>();

    /** The reader of pages as of when the session came here; null when all pages in use are younger. */
    private volatile @Nullable Since since;

    /** The places of what the session has committed elsewhere, and must not overtake. */
    private volatile List<Position> ahead;

    private record Since(long nanos, LayeredReader reader) {}

    /**
     * Everything that the sessions of one client share.
     *
     * @param inDomains the trees, for readers that read a commit log too
     * @param notBefore the trees on pages as of a time, by the clock of pages
     */
    public record Shared(
            Overlays overlays,
            Function<TreeId, RecordManager> trees,
            PageManager pages,
            OverflowStore overflows,
            HybridClock clock,
            DomainTrees inDomains,
            LongFunction<Function<TreeId, RecordManager>> notBefore) {
        private LayeredReader reader(Function<TreeId, RecordManager> view, Overlay overlay) {
            return new LayeredReader(
                    view, overflows, overlay, clock, ExpiryTime.by(clock::wallMillis), pages::versions);
        }
    }

    /**
     * The state that another client needs to continue the session.
     *
     * @param unapplied its own transactions that no ledger is known to have
     * @param behind the places of its further transactions, which are not here
     * @param pagesNanos the time as of which this client must have read pages that show what the session has seen
     */
    public record Held(
            List<StampedTransaction> unapplied, List<Position> behind, long pagesNanos, Set<String> domains) {}

    /** A session that begins here. */
    public SessionState(Shared shared) {
        this.shared = shared;
        this.overlay = shared.overlays.open();
        this.reader = shared.reader(shared.trees, overlay);
        this.beforeWriting = places -> {};
        this.whole = true;
        this.ahead = List.of();
    }

    /** A session that goes on here. */
    public SessionState(Shared shared, ImportedSession arrival) {
        this.shared = shared;
        this.overlay = shared.overlays.open();
        this.reader = shared.reader(shared.trees, overlay);
        this.beforeWriting = arrival.beforeWriting();
        this.whole = arrival.isWhole();
        this.ahead = List.copyOf(arrival.awaited());
        this.domains.addAll(arrival.domains());
        long nanos = arrival.pagesNanos();
        this.since = new Since(nanos, shared.reader(shared.notBefore.apply(nanos), overlay));
        arrival.own().forEach(overlay::add);
    }

    /** The reader of pages and of what the session has committed. Ask for it anew for each transaction. */
    public LayeredReader reader() {
        Since known = since;
        if (known == null) {
            return reader;
        }
        if (shared.pages.nanoTime() - known.nanos > overlay.pageAgeMaxNanos()) {
            since = null; // no page from before it is in use any more
            return reader;
        }
        return known.reader;
    }

    /** Takes note of a domain that the session uses. */
    public void uses(String domain) {
        domains.add(domain);
    }

    /** Whether transactions of this session are committed and not yet in PU queues. */
    public boolean hasUnsent() {
        return overlay.hasUnsent();
    }

    /** Returns the state that another client needs to continue this session now. Makes no request. */
    public Held held() {
        Overlay.Held own = overlay.held(shared.pages::nanoTime);
        Since known = since;
        long nanos = shared.pages.nanoTime() - overlay.pageAgeMaxNanos() - 1;
        nanos = known == null ? nanos : later(nanos, known.nanos);
        nanos = own.pagesNanos() == null ? nanos : later(nanos, own.pagesNanos());
        return new Held(own.unapplied(), whole ? List.of() : ahead, nanos, Set.copyOf(domains));
    }

    private static long later(long a, long b) {
        return a - b >= 0 ? a : b;
    }

    /**
     * Waits until nothing that these writes would overtake is on its way from elsewhere.
     *
     * @throws io.penstock.core.UnavailableException when that takes too long
     */
    public void awaitTurn(WriteSet writes) {
        List<Position> known = ahead;
        if (known.isEmpty()) {
            return;
        }
        Set<TreeId> trees = writes.trees();
        List<Position> overtaken = known.stream()
                .filter(place -> trees.contains(place.queue().tree()))
                .toList();
        if (!overtaken.isEmpty()) {
            beforeWriting.accept(overtaken);
            ahead = known.stream().filter(place -> !overtaken.contains(place)).toList();
        }
    }

    /**
     * Commits; the session keeps the log records if the protocol's level promises that it reads them. Then {@link
     * SessionMemoryGate} has room for them.
     */
    public void commit(CommitProtocol protocol, StampedTransaction transaction) {
        overlay.prepare(shared.pages::nanoTime);
        if (overlay.hasUnsent()) {
            protocol.sendEarlier();
        }
        protocol.commit(transaction);
        if (protocol.keepsSession()) {
            overlay.add(transaction);
        }
    }

    /** Ends the session: its log records are forgotten here. */
    public void close() {
        shared.overlays.close(overlay);
    }
}
