package io.penstock;

import io.penstock.commit.query.Filter;
import io.penstock.commit.query.Subject;
import io.penstock.commit.session.RecordScan;
import io.penstock.core.Bytes;
import io.penstock.core.meter.ReadTimes;
import io.penstock.core.page.LeafRun;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A scan of the records that fulfil a condition; each is decoded as far as the condition and the answer need it. */
final class QueryScan<K, V, T> extends TypedScan<T> {
    private final RecordScan records;
    private final Filter filter;
    private final Subject<K, V> subject;
    private final Function<Subject<K, V>, T> make;
    private final BiFunction<Bytes, Bytes, Optional<Bytes>> large;
    private @Nullable LeafRun run;
    private @Nullable T next;
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
        while (true) {
            LeafRun at = run;
            if (at == null || at.left() == 0) {
                at = records.advance();
                run = at;
            }
            if (at == null) {
                next = null;
                return 0;
            }
            at.next();
            Bytes payload =
                    at.isReference() ? large.apply(at.key(), at.payload()).orElse(null) : at.payload();
            if (payload != null) {
                subject.at(at.key(), payload);
                if (filter.matches(subject)) {
                    key = at.key();
                    next = make.apply(subject);
                    return 1;
                }
            }
        }
    }

    @Override
    void expectAll() {
        records.expectAll();
    }

    @Override
    T take() {
        return Objects.requireNonNull(next);
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
