package io.penstock.commit.simulation.surface;

import static io.penstock.commit.simulation.surface.Feature.*;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One thing that a program does with records, in a transaction or outside. */
enum Step {
    GET(null, false, Acts::get, "Transaction.get(RecordCollection,Object)", "RecordCollection.get(Object)"),
    GET_BYTES(LOOKS, false, Acts::getBytes, "Penstock.rawCollection(String)"),
    GET_ALL(
            MANY,
            false,
            Acts::getAll,
            "Transaction.getAll(RecordCollection,Collection)",
            "RecordCollection.getAll(Collection)"),
    OPEN(STREAMS, false, Acts::open, "Transaction.open(RecordCollection,Object)", "RecordCollection.open(Object)"),
    OPEN_PART(
            STREAMS,
            false,
            Acts::openPart,
            "Transaction.open(RecordCollection,Object,long,long)",
            "RecordCollection.open(Object,long,long)"),
    SIZE(
            STREAMS,
            false,
            Acts::size,
            "Transaction.payloadBytes(RecordCollection,Object)",
            "RecordCollection.payloadBytes(Object)"),
    SCAN(
            null,
            false,
            Acts::scan,
            "Transaction.scan(RecordCollection,KeySpan)",
            "RecordCollection.scan(KeySpan)",
            "Scan.toEnd()",
            "Scan.stream()"),
    SCAN_PARTLY(PARTLY, false, Acts::scanPartly),
    SCAN_BY_PAGE(PAGES, false, Acts::scanByPage, "Scan.page()", "Scan.token()"),
    SCAN_INDEX(BY_INDEX, false, Acts::scanIndex, "Transaction.scan(Index,KeySpan)", "Index.scan(KeySpan)"),
    SCAN_SEARCH_KEY(BY_INDEX, false, Acts::scanSearchKey, "Transaction.scan(Index,Object)", "Index.scan(Object)"),
    SCAN_COVERING(
            COVERING,
            false,
            Acts::scanCovering,
            "Transaction.scan(CoveringIndex,KeySpan)",
            "Transaction.scan(CoveringIndex,Object)",
            "CoveringIndex.scan(KeySpan)",
            "CoveringIndex.scan(Object)"),
    FIND(
            QUERIES,
            false,
            Acts::find,
            "Transaction.find(RecordCollection,Condition)",
            "RecordCollection.find(Condition)"),
    QUERY(QUERIES, false, Acts::query, "Transaction.query(RecordCollection,Query)", "RecordCollection.query(Query)"),
    COUNT_RECORDS(QUERIES, false, Acts::countRecords),
    TOP(QUERIES, false, Acts::top),
    COUNT(COUNTERS, false, Acts::count),
    WRITE_MEANWHILE(MEANWHILE, true, Acts::writeMeanwhile),
    EDIT(
            VERSIONS,
            true,
            Acts::edit,
            "RecordCollection.keyedBy(Function)",
            "RecordCollection.put(Object)",
            "RecordCollection.versioned(ToLongFunction,BiFunction)",
            "Transaction.put(RecordCollection,Object)"),
    REMOVE(
            VERSIONS,
            true,
            Acts::remove,
            "RecordCollection.remove(Object)",
            "Transaction.remove(RecordCollection,Object)"),
    PUT(
            null,
            true,
            Acts::put,
            "Transaction.put(RecordCollection,Object,Object)",
            "RecordCollection.put(Object,Object)"),
    PUT_AGAIN(null, true, Acts::putAgain),
    PUT_FOR_A_WHILE(
            EXPIRY,
            true,
            Acts::putForAWhile,
            "Transaction.put(RecordCollection,Object,Object,Duration)",
            "RecordCollection.put(Object,Object,Duration)"),
    PUT_STREAM(
            STREAMS,
            true,
            Acts::putStream,
            "Transaction.putStream(RecordCollection,Object,InputStream)",
            "RecordCollection.putStream(Object,InputStream)"),
    APPEND(
            STREAMS,
            true,
            Acts::append,
            "Transaction.append(RecordCollection,Object,Bytes)",
            "RecordCollection.append(Object,Bytes)"),
    DELETE(
            DELETES,
            true,
            Acts::delete,
            "Transaction.delete(RecordCollection,Object)",
            "RecordCollection.delete(Object)"),
    DELETE_SOME(DELETES, true, Acts::deleteSome),
    UPDATE(CONDITIONS, true, Acts::update, "RecordCollection.update(Object,Function)"),
    PUT_IF_ABSENT(CONDITIONS, true, Acts::putIfAbsent, "RecordCollection.putIfAbsent(Object,Object)"),
    REPLACE(CONDITIONS, true, Acts::replace, "RecordCollection.replace(Object,Object,Object)"),
    DELETE_RANGE(RANGES, true, Acts::deleteRange, "RecordCollection.deleteRange(KeySpan)"),
    INCREMENT(COUNTERS, true, Acts::increment, "RecordCollection.increment(RecordCollection,Object,long)");

    /** What a step does: to an attempt, by a way. */
    interface Act {
        void run(Acts acts);
    }

    private final @Nullable Feature needs;
    final boolean writes;
    private final Act act;

    /** The public methods that it calls, in a transaction or outside. */
    final List<String> methods;

    Step(@Nullable Feature needs, boolean writes, Act act, String... methods) {
        this.needs = needs;
        this.writes = writes;
        this.act = act;
        this.methods = List.of(methods);
    }

    /** Whether only collections have a method for it: each call is a transaction of its own, unless it joins one. */
    boolean isOfCollections() {
        return switch (this) {
            case UPDATE, PUT_IF_ABSENT, REPLACE, DELETE_RANGE, INCREMENT -> true;
            default -> false;
        };
    }

    /** Whether it may read several pages, one after another. */
    private boolean isLong() {
        return switch (this) {
            case GET_ALL,
                    SCAN,
                    SCAN_PARTLY,
                    SCAN_BY_PAGE,
                    SCAN_INDEX,
                    SCAN_SEARCH_KEY,
                    SCAN_COVERING,
                    WRITE_MEANWHILE,
                    FIND,
                    QUERY,
                    COUNT_RECORDS,
                    TOP -> true;
            default -> false;
        };
    }

    /** A step for a body. */
    static Step draw(Drawn drawn, Handle handle, boolean writes, boolean byCollection, SplittableRandom random) {
        List<Step> possible = possible(drawn, handle, writes, byCollection);
        return possible.get(random.nextInt(possible.size()));
    }

    static Step drawOutside(Drawn drawn, Handle handle, boolean writes, SplittableRandom random) {
        List<Step> possible = possible(drawn, handle, writes, true);
        possible.removeIf(step -> step.isLong() && !drawn.has(SCANS_OUTSIDE));
        return possible.get(random.nextInt(possible.size()));
    }

    private static List<Step> possible(Drawn drawn, Handle handle, boolean writes, boolean byCollection) {
        List<Step> possible = new ArrayList<>();
        for (Step step : values()) {
            Feature needed = step.needs;
            boolean indexed = needed != BY_INDEX && needed != COVERING
                    || handle.byGroup != null && (needed != COVERING || handle.covering != null);
            if (step.writes == writes
                    && (byCollection || !step.isOfCollections())
                    && (needed == null || drawn.has(needed))
                    && indexed) {
                possible.add(step);
            }
        }
        return possible;
    }

    void run(Acts acts) {
        act.run(acts);
    }
}
