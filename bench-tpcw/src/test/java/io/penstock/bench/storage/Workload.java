package io.penstock.bench.storage;

import java.util.List;
import java.util.stream.Stream;

/**
 * Operations on records, drawn by their shares: YCSB's core workloads A to F, and SlateDB's by their names.
 *
 * @param choice of the records that are read and changed
 * @param read single records, in percent
 * @param update records that are there
 * @param insert new records
 * @param scan up to 100 records in order, or SlateDB's 10
 * @param modify records that are read and then updated, each a request of its own
 * @param transact five reads and five updates in one transaction
 */
record Workload(String name, Choice choice, int read, int update, int insert, int scan, int modify, int transact) {
    /** The choice of records. */
    enum Choice {
        UNIFORM,
        /** A few are wanted more than others. */
        SKEWED,
        /** The newest are wanted most. */
        LATEST,
        /** None is there. */
        MISSING
    }

    static final List<Workload> YCSB = List.of(
            new Workload("A", Choice.SKEWED, 50, 50, 0, 0, 0, 0),
            new Workload("B", Choice.SKEWED, 95, 5, 0, 0, 0, 0),
            new Workload("C", Choice.SKEWED, 100, 0, 0, 0, 0, 0),
            new Workload("D", Choice.LATEST, 95, 0, 5, 0, 0, 0),
            new Workload("E", Choice.SKEWED, 0, 0, 5, 95, 0, 0),
            new Workload("F", Choice.SKEWED, 50, 0, 0, 0, 50, 0));

    static final Workload INGEST = new Workload("sustained-ingest", Choice.UNIFORM, 0, 0, 100, 0, 0, 0);
    static final Workload IDLE = new Workload("idle", Choice.UNIFORM, 0, 0, 0, 0, 0, 0);

    /** All of SlateDB's; the first finds no record, the last does nothing. */
    static final List<Workload> SLATEDB = Stream.of(
                    INGEST,
                    new Workload("point-read-uniform", Choice.UNIFORM, 100, 0, 0, 0, 0, 0),
                    new Workload("point-read-skewed", Choice.SKEWED, 100, 0, 0, 0, 0, 0),
                    new Workload("point-read-missing", Choice.MISSING, 100, 0, 0, 0, 0, 0),
                    new Workload("read-heavy", Choice.SKEWED, 95, 5, 0, 0, 0, 0),
                    new Workload("balanced", Choice.SKEWED, 50, 50, 0, 0, 0, 0),
                    new Workload("update-heavy", Choice.SKEWED, 5, 95, 0, 0, 0, 0),
                    new Workload("range-scan", Choice.UNIFORM, 0, 0, 0, 100, 0, 0),
                    new Workload("transaction-contention", Choice.UNIFORM, 0, 0, 0, 0, 0, 100),
                    IDLE)
            .toList();
}
