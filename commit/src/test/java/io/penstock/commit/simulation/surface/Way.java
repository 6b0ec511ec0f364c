package io.penstock.commit.simulation.surface;

import io.penstock.CoveringIndex;
import io.penstock.Entry;
import io.penstock.Index;
import io.penstock.KeySpan;
import io.penstock.RecordCollection;
import io.penstock.Rows;
import io.penstock.Scan;
import io.penstock.Transaction;
import io.penstock.core.Bytes;
import io.penstock.query.Condition;
import io.penstock.query.Query;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The way to records that a step takes: by a transaction, or, when that is null, by the methods of collections and
 * indexes. Each method of the surface that is called is counted.
 */
record Way(@Nullable Transaction transaction, Calls calls) {
    private Transaction by(String method) {
        calls.called("Transaction." + method);
        Transaction found = transaction;
        if (found == null) {
            throw new IllegalStateException("no transaction");
        }
        return found;
    }

    private boolean isWithin() {
        return transaction != null;
    }

    Optional<String> get(RecordCollection<String, String> records, String key) {
        if (isWithin()) {
            return by("get(RecordCollection,Object)").get(records, key);
        }
        calls.called("RecordCollection.get(Object)");
        return records.get(key);
    }

    Optional<Bytes> getBytes(RecordCollection<Bytes, Bytes> records, Bytes key) {
        if (isWithin()) {
            return by("get(RecordCollection,Object)").get(records, key);
        }
        calls.called("RecordCollection.get(Object)");
        return records.get(key);
    }

    Optional<Long> count(RecordCollection<String, Long> counters, String key) {
        if (isWithin()) {
            return by("get(RecordCollection,Object)").get(counters, key);
        }
        calls.called("RecordCollection.get(Object)");
        return counters.get(key);
    }

    Map<String, String> getAll(RecordCollection<String, String> records, List<String> keys) {
        if (isWithin()) {
            return by("getAll(RecordCollection,Collection)").getAll(records, keys);
        }
        calls.called("RecordCollection.getAll(Collection)");
        return records.getAll(keys);
    }

    Optional<InputStream> open(RecordCollection<String, String> records, String key) {
        if (isWithin()) {
            return by("open(RecordCollection,Object)").open(records, key);
        }
        calls.called("RecordCollection.open(Object)");
        return records.open(key);
    }

    Optional<InputStream> open(RecordCollection<String, String> records, String key, long offset, long length) {
        if (isWithin()) {
            return by("open(RecordCollection,Object,long,long)").open(records, key, offset, length);
        }
        calls.called("RecordCollection.open(Object,long,long)");
        return records.open(key, offset, length);
    }

    OptionalLong payloadBytes(RecordCollection<String, String> records, String key) {
        if (isWithin()) {
            return by("payloadBytes(RecordCollection,Object)").payloadBytes(records, key);
        }
        calls.called("RecordCollection.payloadBytes(Object)");
        return records.payloadBytes(key);
    }

    void append(RecordCollection<String, String> records, String key, Bytes more) {
        if (isWithin()) {
            by("append(RecordCollection,Object,Bytes)").append(records, key, more);
        } else {
            calls.called("RecordCollection.append(Object,Bytes)");
            records.append(key, more);
        }
    }

    Scan<Entry<String, String>> scan(RecordCollection<String, String> records, KeySpan<String> span) {
        if (isWithin()) {
            return by("scan(RecordCollection,KeySpan)").scan(records, span);
        }
        calls.called("RecordCollection.scan(KeySpan)");
        return records.scan(span);
    }

    Scan<Entry<String, String>> scan(Index<String, String, String> index, String searchKey) {
        if (isWithin()) {
            return by("scan(Index,Object)").scan(index, searchKey);
        }
        calls.called("Index.scan(Object)");
        return index.scan(searchKey);
    }

    Scan<Entry<String, String>> scan(Index<String, String, String> index, KeySpan<String> span) {
        if (isWithin()) {
            return by("scan(Index,KeySpan)").scan(index, span);
        }
        calls.called("Index.scan(KeySpan)");
        return index.scan(span);
    }

    Scan<Entry<String, String>> scan(CoveringIndex<String, String, String, String> index, String searchKey) {
        if (isWithin()) {
            return by("scan(CoveringIndex,Object)").scan(index, searchKey);
        }
        calls.called("CoveringIndex.scan(Object)");
        return index.scan(searchKey);
    }

    Scan<Entry<String, String>> scan(CoveringIndex<String, String, String, String> index, KeySpan<String> span) {
        if (isWithin()) {
            return by("scan(CoveringIndex,KeySpan)").scan(index, span);
        }
        calls.called("CoveringIndex.scan(KeySpan)");
        return index.scan(span);
    }

    Scan<Entry<String, String>> find(RecordCollection<String, String> records, Condition condition) {
        if (isWithin()) {
            return by("find(RecordCollection,Condition)").find(records, condition);
        }
        calls.called("RecordCollection.find(Condition)");
        return records.find(condition);
    }

    Rows query(RecordCollection<String, String> records, Query query) {
        if (isWithin()) {
            return by("query(RecordCollection,Query)").query(records, query);
        }
        calls.called("RecordCollection.query(Query)");
        return records.query(query);
    }

    void put(RecordCollection<String, String> records, String key, String value) {
        if (isWithin()) {
            by("put(RecordCollection,Object,Object)").put(records, key, value);
            return;
        }
        calls.called("RecordCollection.put(Object,Object)");
        records.put(key, value);
    }

    void put(RecordCollection<String, String> records, String key, String value, Duration lives) {
        if (isWithin()) {
            by("put(RecordCollection,Object,Object,Duration)").put(records, key, value, lives);
            return;
        }
        calls.called("RecordCollection.put(Object,Object,Duration)");
        records.put(key, value, lives);
    }

    void putStream(RecordCollection<String, String> records, String key, InputStream payload) {
        if (isWithin()) {
            by("putStream(RecordCollection,Object,InputStream)").putStream(records, key, payload);
            return;
        }
        calls.called("RecordCollection.putStream(Object,InputStream)");
        records.putStream(key, payload);
    }

    /** Puts a value under its own key, and returns what is stored. */
    String put(RecordCollection<String, String> records, String value) {
        if (isWithin()) {
            return by("put(RecordCollection,Object)").put(records, value);
        }
        calls.called("RecordCollection.put(Object)");
        return records.put(value);
    }

    void remove(RecordCollection<String, String> records, String value) {
        if (isWithin()) {
            by("remove(RecordCollection,Object)").remove(records, value);
            return;
        }
        calls.called("RecordCollection.remove(Object)");
        records.remove(value);
    }

    void delete(RecordCollection<String, String> records, String key) {
        if (isWithin()) {
            by("delete(RecordCollection,Object)").delete(records, key);
            return;
        }
        calls.called("RecordCollection.delete(Object)");
        records.delete(key);
    }
}
