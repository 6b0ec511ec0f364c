package io.penstock.commit.protocol;

import java.util.List;

/** Access for tests of other packages to where a transaction's records are. */
public final class StampedForTests {
    private StampedForTests() {}

    /** Puts the transaction in no queue, so that nothing of it has to be applied any more. */
    public static void needsNothing(StampedTransaction committed) {
        committed.sentTo(List.of());
    }
}
