package io.penstock.commit.session;

import io.penstock.commit.client.HybridClock;
import io.penstock.commit.protocol.CommitProtocol;
import io.penstock.commit.protocol.StampedTransaction;
import io.penstock.core.TreeId;
import io.penstock.core.overflow.OverflowStore;
import io.penstock.core.pool.PageManager;
import io.penstock.core.record.RecordManager;
import java.util.function.Function;

/** The memory of one session: its own log records, and the reader that sees them. Safe for use by many threads. */
public final class SessionState {
    private final PageManager pages;
    private final Overlays overlays;
    private final Overlay overlay;
    private final LayeredReader reader;

    /** Everything that the sessions of one client share. */
    public record Shared(
            Overlays overlays,
            Function<TreeId, RecordManager> trees,
            PageManager pages,
            OverflowStore overflows,
            HybridClock clock,
            PagesSince since) {}

    public SessionState(Shared shared) {
        this.pages = shared.pages;
        this.overlays = shared.overlays;
        this.overlay = shared.overlays.open();
        this.reader = new LayeredReader(shared.trees, shared.pages, shared.overflows, overlay, shared.clock);
    }

    public LayeredReader reader() {
        return reader;
    }

    /**
     * Commits; the session keeps the log records if the protocol's level promises that it reads them. Then {@link
     * Admission} has room for them.
     */
    public void commit(CommitProtocol protocol, StampedTransaction transaction) {
        overlay.prepare(pages::nanoTime);
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
        overlays.close(overlay);
    }
}
