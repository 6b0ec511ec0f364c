package io.penstock.commit.protocol;

import java.util.List;

/** Lets tests of other packages say where a transaction's records are. */
public final class StampedForTests {
    private StampedForTests() {}

    /** In no queue, so that nothing of it has to be applied any more. */
    public static void needsNothing(StampedTransaction committed) {
        committed.sentTo(List.of());
    }
}
