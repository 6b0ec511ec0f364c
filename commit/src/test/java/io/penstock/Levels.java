package io.penstock;

import java.util.Arrays;
import java.util.List;

/** The levels that a test runs at. It names those that it leaves out, so that a new level is in. */
public final class Levels {
    private Levels() {}

    /** All levels in their order, except these. */
    public static List<ConsistencyLevel> except(ConsistencyLevel... without) {
        return Arrays.stream(ConsistencyLevel.values())
                .filter(level -> !List.of(without).contains(level))
                .toList();
    }
}
