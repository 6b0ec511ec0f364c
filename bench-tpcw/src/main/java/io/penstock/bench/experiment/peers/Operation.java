package io.penstock.bench.experiment.peers;

import java.util.List;

/** A row of the report: a benchmark, and the part of Penstock that is compared with the peers. */
enum Operation {
    POINT_READ("pointRead", "reads/s", "read", Subject.PENSTOCK),
    POINT_READ_TREE("pointReadTree", "reads/s", "read", Subject.PENSTOCK_TREE),
    SCAN("scan1000", "records/s", "scan", Subject.PENSTOCK),
    SCAN_BY_NEXT("scan1000Next", "records/s", "scan", Subject.PENSTOCK_BY_NEXT),
    SCAN_TREE("scan1000Tree", "records/s", "scan", Subject.PENSTOCK_TREE),
    APPLY("apply1000", "records/s", "apply", Subject.PENSTOCK_PAGE),
    DECODE("decode1000", "records/s", "apply", Subject.PENSTOCK_DECODE),
    WRITE("write1000", "records/s", "apply", Subject.PENSTOCK_WRITE);

    private static final List<Subject> PEERS = List.of(Subject.H2MVSTORE, Subject.XODUS, Subject.MAPDB);

    private final String title;
    private final String unit;
    private final String method;
    private final Subject penstock;

    Operation(String title, String unit, String method, Subject penstock) {
        this.title = title;
        this.unit = unit;
        this.method = method;
        this.penstock = penstock;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    /** A method of {@link PeerBenchmark}. */
    String method() {
        return method;
    }

    /** The part of Penstock that this row is about. */
    Subject penstock() {
        return penstock;
    }

    /** Whether no peer does the same, so that the operation is compared with an earlier Penstock alone. */
    boolean isOwn() {
        return this == DECODE || this == WRITE;
    }

    static List<Subject> peers() {
        return PEERS;
    }
}
