package io.penstock;

import io.penstock.commit.query.Filter;
import io.penstock.commit.query.Subject;
import io.penstock.commit.session.RecordScan;
import io.penstock.core.Bytes;
import io.penstock.core.meter.ReadTimes;
import io.penstock.core.page.LeafRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A scan of the records that fulfil a condition; each is decoded as far as the condition and the answer need it. */
final class QueryScan<K, V, T> extends TypedScan<T> {
    /** The most records that are looked for at a time. */
    private static final int BATCH = 64;

    private final RecordScan records;
    private final Filter filter;
    private final Subject<K, V> subject;
    private final Function<Subject<K, V>, T> make;
    private final BiFunction<Bytes, Bytes, Optional<Bytes>> large;
    private @Nullable LeafRun run;

    /** Whether {@code run} stands on a record that is still to be looked at. */
    private boolean due;

    private final Deque<T> made = new ArrayDeque<>();
    private final Deque<Bytes> keys = new ArrayDeque<>();
    private Bytes key = Bytes.EMPTY;

    /**
     * @param make makes the answer of a record
     * @param large gives the payload for a key and a reference; empty when the record was deleted meanwhile
     */
    QueryScan(
            RecordScan records,
            RecordCollection<K, V> collection,
            KeySpan<?> span,
            Filter filter,
            Function<Subject<K, V>, T> make,
            ReadTimes times,
            BiFunction<Bytes, Bytes, Optional<Bytes>> large) {
        super(collection.tree(), span, times);
        this.records = records;
        this.filter = filter;
        this.subject = collection.subject();
        this.make = make;
        this.large = large;
    }

    @Override
    int fetch() {
        long most = Math.min(left(), BATCH);
        for (LeafRun at = atNext(); at != null; at = made.size() < most ? atNext() : null) {
            try {
                look(at);
            } catch (RuntimeException failure) {
                if (!made.isEmpty()) {
                    break; // what was found comes first, and then the failure
                }
                due = isRepeated(failure);
                throw failure;
            }
            due = false;
        }
        return made.size();
    }

    /** The next record to look at, if there is one. */
    private @Nullable LeafRun atNext() {
        LeafRun at = run;
        if (due) {
            return at;
        }
        if (at == null || at.left() == 0) {
            if (!made.isEmpty()) {
                return null; // what was found is not kept back by a request
            }
            at = records.advance();
            run = at;
        }
        due = at != null && at.next();
        return at;
    }

    private void look(LeafRun at) {
        Bytes payload = at.isReference() ? large.apply(at.key(), at.payload()).orElse(null) : at.payload();
        if (payload != null) {
            subject.at(at, payload);
            if (filter.matches(subject)) {
                made.addLast(make.apply(subject));
                keys.addLast(at.key());
            }
        }
    }

    @Override
    void expectAll() {
        records.expectAll();
    }

    @Override
    T take() {
        key = keys.removeFirst();
        return made.removeFirst();
    }

    @Override
    Bytes key() {
        return key;
    }

    @Override
    void release() {
        records.close();
    }
}
