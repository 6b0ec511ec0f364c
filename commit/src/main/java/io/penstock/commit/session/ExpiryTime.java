package io.penstock.commit.session;

import io.penstock.commit.protocol.WriteSet;
import io.penstock.core.TreeId;
import java.util.function.LongSupplier;

/** The time by which records have expired for the reads of transactions. */
interface ExpiryTime {
    /** The time for a transaction's reads of the state that it sees now, in milliseconds since 1970. */
    long asOfMillis(WriteSet writes);

    /** Notes that a record or index entry of a tree was read that expires later. */
    void sawAlive(TreeId tree, long expiryMillis);

    /** One time for each transaction: that of its first read which asks. */
    static ExpiryTime by(LongSupplier nowMillis) {
        return new ExpiryTime() {
            @Override
            public long asOfMillis(WriteSet writes) {
                return writes.asOfMillis(nowMillis);
            }

            @Override
            public void sawAlive(TreeId tree, long expiryMillis) {
                // No state is promised, so none can end.
            }
        };
    }
}
