package io.penstock.bench.experiment.peers;

import java.util.List;

/**
 * A row of the report: what is measured, and the part of Penstock that does it.
 *
 * @param method of {@link PeerBenchmark}
 * @param isOwn whether no peer does the same, so that it is compared with an earlier Penstock alone
 */
record Operation(String title, String unit, String method, Subject penstock, boolean isOwn) {
    static final List<Operation> ALL = List.of(
            new Operation("pointRead", "reads/s", "read", Subject.PENSTOCK, false),
            new Operation("pointReadTree", "reads/s", "read", Subject.PENSTOCK_TREE, false),
            new Operation("scan1000", "records/s", "scan", Subject.PENSTOCK, false),
            new Operation("scan1000Next", "records/s", "scan", Subject.PENSTOCK_BY_NEXT, false),
            new Operation("scan1000Tree", "records/s", "scan", Subject.PENSTOCK_TREE, false),
            new Operation("apply1000", "records/s", "apply", Subject.PENSTOCK_PAGE, false),
            new Operation("decode1000", "records/s", "apply", Subject.PENSTOCK_DECODE, true),
            new Operation("write1000", "records/s", "apply", Subject.PENSTOCK_WRITE, true));

    static final List<Subject> PEERS = List.of(Subject.H2MVSTORE, Subject.XODUS, Subject.MAPDB);
}
