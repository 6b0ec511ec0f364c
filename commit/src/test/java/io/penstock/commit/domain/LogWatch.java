package io.penstock.commit.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.commit.domain.Intent.TransactionId;
import io.penstock.commit.log.LogRecord;
import io.penstock.core.Bytes;
import io.penstock.core.Stamp;
import io.penstock.core.object.Written;
import io.penstock.core.record.RecordChange;
import io.penstock.testkit.SimulatedCloud;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sees every segment that is put, and judges afterwards what clients were told. */
final class LogWatch {
    private final SimulatedCloud cloud;
    private final SharedPages pages;
    private final List<Segment> log = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private final Map<TransactionId, Intent> intents = new HashMap<>();
    private long acknowledged;
    private long lies;
    private long trimmed;
    private long references;

    /** What a client was told of a transaction: a place, or a certain refusal. */
    private record Told(TransactionId id, Domain.@Nullable Committed committed) {}

    /** What a transaction has read at a position: the stamp of each key, null for none. */
    record Seen(long position, Map<Bytes, @Nullable Stamp> values) {}

    private final List<Seen> reads = new ArrayList<>();
    private final Map<TransactionId, Seen> depends = new HashMap<>();

    LogWatch(SimulatedCloud cloud, SharedPages pages) {
        this.cloud = cloud;
        this.pages = pages;
    }

    void done(String call, String key, @Nullable Object outcome) {
        if (!call.equals("put") || !(outcome instanceof Written)) {
            return;
        }
        if (key.contains("/+")) {
            references++;
            return;
        }
        Bytes body = cloud.newest(key).orElseThrow().body();
        if (key.startsWith("log/")) {
            Segment segment = Segment.decode(body, key);
            assertThat(segment.number()).as("number").isLessThanOrEqualTo(log.size() + 1);
            if (segment.number() == log.size() + 1) {
                log.add(segment);
            } else {
                lies++;
            }
        } else {
            Horizon horizon = Horizon.decode(body, "d", key);
            assertThat(horizon.position()).as("horizon").isLessThanOrEqualTo(log.size());
            assertThat(horizon.trimmed()).as("trimmed").isGreaterThanOrEqualTo(trimmed);
            trimmed = horizon.trimmed();
            stateAt(horizon.position())
                    .forEach((at, change) -> assertThat(pages.stamp(at))
                            .as("a page behind the horizon %s", horizon.position())
                            .isGreaterThanOrEqualTo(change.stamp()));
        }
    }

    /** The position below which nothing was acknowledged that a client may miss that begins now. */
    long acknowledged() {
        return acknowledged;
    }

    void begins(Intent intent, @Nullable Seen seen) {
        intents.put(intent.id(), intent);
        if (seen != null) {
            depends.put(intent.id(), seen);
        }
    }

    void read(Seen seen) {
        reads.add(seen);
    }

    void committed(TransactionId id, Domain.Committed committed) {
        acknowledged = Math.max(acknowledged, committed.position());
        told.add(new Told(id, committed));
    }

    void refused(TransactionId id) {
        told.add(new Told(id, null));
    }

    long commits() {
        return told.stream().filter(one -> one.committed != null).count();
    }

    long refusals() {
        return told.size() - commits();
    }

    long lies() {
        return lies;
    }

    /** Transactions that were handed in by reference. */
    long references() {
        return references;
    }

    long trimmed() {
        return trimmed;
    }

    long tip() {
        return log.size();
    }

    Map<Bytes, RecordChange> stateAt(long position) {
        Map<Bytes, RecordChange> state = new TreeMap<>();
        log.stream()
                .limit(position)
                .flatMap(segment -> segment.records().stream())
                .forEach(record -> state.put(record.change().key(), record.change()));
        return state;
    }

    private static @Nullable Stamp value(@Nullable RecordChange change) {
        return change == null || change.payloadOrNull() == null ? null : change.stamp();
    }

    private static void require(Map<Bytes, RecordChange> state, Seen seen, String what) {
        seen.values.forEach((key, stamp) -> assertThat(value(state.get(key)))
                .as("%s: %s at %s", what, key.toUtf8(), seen.position)
                .isEqualTo(stamp));
    }

    /** Replays the log beside all that was told. */
    void judge() {
        Map<TransactionId, Domain.Committed> places = new HashMap<>();
        Map<Bytes, RecordChange> state = new TreeMap<>();
        Stamp last = Stamp.ZERO;
        List<Map<Bytes, RecordChange>> states = new ArrayList<>();
        states.add(Map.of());
        for (Segment segment : log) {
            for (Segment.Transaction transaction : segment.transactions()) {
                assertThat(places).as("a transaction twice in the log").doesNotContainKey(transaction.id());
                assertThat(transaction.stamp().time()).as("stamps grow").isGreaterThan(last.time());
                last = transaction.stamp();
                Intent intent = intents.get(transaction.id());
                assertThat(intent).as("a transaction that nobody began").isNotNull();
                Seen seen = depends.get(transaction.id());
                if (seen != null) {
                    require(state, seen, "a transaction at its place " + segment.number());
                }
                for (LogRecord record : transaction.records()) {
                    state.put(record.change().key(), record.change());
                }
                places.put(transaction.id(), new Domain.Committed(segment.number(), transaction.stamp()));
            }
            states.add(new TreeMap<>(state));
        }
        for (Told one : told) {
            assertThat(places.get(one.id)).as("what was told of %s", one.id).isEqualTo(one.committed);
        }
        reads.forEach(seen -> require(states.get((int) seen.position), seen, "a snapshot"));
    }
}
