package io.penstock.bench.experiment.peers;

import java.util.function.Function;

/** A measured store. JMH selects by the constant's name. */
public enum Subject {
    /** The front door. */
    PENSTOCK(records -> new PenstockPeer(records, false)),
    /** The front door, where a scan is asked for one record after the other. */
    PENSTOCK_BY_NEXT(records -> new PenstockPeer(records, true)),
    /** Tree and pages alone. */
    PENSTOCK_TREE(TreePeer::read),
    /** One page alone. */
    PENSTOCK_PAGE(PagePeer::changing),
    /** One page alone that arrives. */
    PENSTOCK_DECODE(PagePeer::arriving),
    /** A tree that is written. */
    PENSTOCK_WRITE(TreePeer::written),
    H2MVSTORE(MapPeer.MvStore::fill),
    MAPDB(MapPeer.MapDb::fill);

    private final Function<Records, PeerStore> filled;

    Subject(Function<Records, PeerStore> filled) {
        this.filled = filled;
    }

    /** A fresh store with all records. */
    PeerStore fill(Records records) {
        return filled.apply(records);
    }
}
