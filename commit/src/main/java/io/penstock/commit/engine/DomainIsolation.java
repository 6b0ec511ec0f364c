package io.penstock.commit.engine;

import io.penstock.commit.catalog.CollectionDefinition;
import io.penstock.commit.domain.Domain;
import io.penstock.commit.domain.Intent;
import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.domain.ReadSet;
import io.penstock.commit.log.LogRecord;
import io.penstock.commit.protocol.WriteSet;
import io.penstock.commit.session.RecordReader;
import io.penstock.commit.session.Snapshot;
import io.penstock.commit.session.SnapshotReader;
import io.penstock.core.Bytes;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.Stamp;
import io.penstock.core.TreeId;
import io.penstock.core.record.KeyRange;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A transaction that reads one state of one domain, and is validated against the domain's commit log. */
public final class DomainIsolation implements Isolation {
    private final String level;
    private final ReadOptions reading;
    private final SessionParts parts;
    private final Consumer<String> used;
    private final ReadSet guarded = new ReadSet();
    private final Map<String, CollectionDefinition> written = new HashMap<>();
    private @Nullable Snapshot snapshot;
    private @Nullable SnapshotReader reader;

    /** @param used receives the domain */
    DomainIsolation(String level, ReadOptions reading, SessionParts parts, Consumer<String> used) {
        this.level = level;
        this.reading = reading;
        this.parts = parts;
        this.used = used;
    }

    @Override
    public void enter(CollectionDefinition collection, boolean writes) {
        if (writes) {
            written.putIfAbsent(collection.name(), collection);
        }
        boolean reads = !writes && collection.isLeaving();
        String domain = requireDomain(reads ? collection : collection.requireAtRest(), level);
        String only = reading.at() == null ? domain : reading.at().domain();
        Snapshot entered = snapshot == null ? begin(only) : snapshot;
        if (!entered.domain().name().equals(domain)) {
            throw new InvalidRequestException(
                    ErrorCode.DOMAIN_MISMATCH,
                    "a transaction stays within one domain; use two transactions, or declare one domain",
                    "collection",
                    collection.name(),
                    "domain",
                    domain,
                    "other",
                    entered.domain().name());
        }
        entered.enter(collection.treeId());
        if (collection.racedUntil() > 0) {
            entered.joined(collection.trees(), collection.racedUntil());
        }
        if (collection.since() > 0) {
            entered.reach(collection.since());
        }
    }

    /** @throws InvalidRequestException when a collection belongs to no domain, which {@code level} needs */
    public static String requireDomain(CollectionDefinition collection, String level) {
        String domain = collection.domain();
        if (domain == null) {
            throw new InvalidRequestException(
                    ErrorCode.DOMAIN_MISMATCH,
                    "the collection was made without a domain, and isolation needs the commit log of one; move it with"
                            + " Admin.moveInto, declare a domain before it is made, or use another level",
                    "collection",
                    collection.name(),
                    "level",
                    level);
        }
        return domain;
    }

    private Snapshot begin(String domain) {
        parts.logs().start();
        Duration held = parts.handle().isReadOnly() ? Duration.ZERO : reading.held();
        used.accept(domain);
        Snapshot begun = new Snapshot(
                parts.logs().domain(domain),
                reading.staleness(),
                reading.pinned(),
                held,
                reading.validated(),
                reading.at(),
                parts.shared().clock()::wallMillis);
        snapshot = begun;
        reader = new SnapshotReader(begun, parts.shared());
        return begun;
    }

    private Snapshot snapshot() {
        if (snapshot == null) {
            throw new IllegalStateException("no collection was entered");
        }
        return snapshot;
    }

    @Override
    public RecordReader reader() {
        if (reader == null) {
            throw new IllegalStateException("no collection was entered");
        }
        return reader;
    }

    @Override
    public void guard(TreeId tree, KeyRange range) {
        guarded.add(tree, range);
    }

    @Override
    public void confirm() {
        if (snapshot != null) {
            snapshot.confirm();
        }
    }

    @Override
    public Stamp commit(WriteSet writes) {
        if (!writes.isEmpty()) {
            return parts.committer().commitStrictly(level, () -> append(writes));
        }
        if (reading.validated() && reading.staleness().isPositive()) {
            confirm();
        }
        return Stamp.ZERO;
    }

    @Override
    public void close() {
        if (snapshot != null) {
            snapshot.close();
        }
    }

    private Stamp append(WriteSet writes) {
        long sinceNanos = snapshot().definitionsSinceNanos();
        written.values().forEach(used -> parts.committer().requireSame(used, sinceNanos));
        List<LogRecord> records = writes.stamped(Stamp.ZERO);
        ReadSet validated = reading.validated() ? snapshot().reads() : guarded;
        if (!reading.validated()) {
            validated.asOf(snapshot().reads().asOfMillis());
            records.forEach(
                    record -> validated.add(record.tree(), record.change().key()));
        }
        // A fence is a write of the empty key.
        written.values().forEach(used -> validated.add(used.treeId(), Bytes.EMPTY));
        TransactionId id = new TransactionId(
                parts.payloads().membership().client(), parts.tasks().random().nextLong());
        Intent intent = new Intent(id, snapshot().position(), validated, records);
        Long begun = reading.begunNanos();
        Domain domain = snapshot().domain();
        return (begun == null ? domain.commit(intent) : domain.commit(intent, begun)).stamp();
    }
}
