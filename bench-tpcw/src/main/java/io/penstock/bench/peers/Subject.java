package io.penstock.bench.peers;

import java.util.function.Function;

/** What is measured. JMH chooses by the constant's name. */
public enum Subject {
    /** The front door. */
    PENSTOCK(PenstockPeer::new),
    /** Tree and pages alone. */
    PENSTOCK_TREE(TreePeer::new),
    /** One page alone. */
    PENSTOCK_PAGE(LeafPeer::new),
    H2MVSTORE(MvStorePeer::new),
    XODUS(XodusPeer::new),
    MAPDB(MapDbPeer::new);

    private final Function<Records, PeerStore> filled;

    Subject(Function<Records, PeerStore> filled) {
        this.filled = filled;
    }

    /** A fresh store with all records. */
    PeerStore fill(Records records) {
        return filled.apply(records);
    }
}
