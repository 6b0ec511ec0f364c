package io.penstock.commit.simulation.promise;

import io.penstock.ConsistencyLevel;
import io.penstock.commit.simulation.Scenario;
import io.penstock.commit.simulation.anomaly.Anomalies;
import io.penstock.commit.simulation.anomaly.Isolation;
import java.util.ArrayList;
import java.util.List;

/** The promises of each level, by the world of a scenario. */
public final class Promises {
    /** Even without any promise to users, the store stays in one piece. */
    private static final List<Promise> ALWAYS =
            List.of(new TreesAreSound(), new MemoryIsBounded(), new ReferredPagesStay(), new NoOrphanIsKept());

    private static final List<Promise> OF_BASIC = List.of(
            new AcknowledgedWritesSurvive(),
            new NewestStampWins(),
            new OnlyCommittedWritesAreSeen(),
            new ClientsConverge(),
            new IndexAgrees());

    private static final List<Promise> OF_MONOTONIC =
            List.of(new ReadYourWrites(), new MonotonicReads(), new MonotonicWrites(), new WritesFollowReads());

    private static final List<Promise> OF_ATOMIC = List.of(new AllOrNothing(), new MoneyIsKept());

    private static final List<Promise> OF_SNAPSHOT = List.of(
            new Isolation(Anomalies.Kind.LOST_UPDATE),
            new Isolation(Anomalies.Kind.G_SINGLE),
            new Isolation(Anomalies.Kind.G_NONADJACENT),
            new SeenOnceAcknowledged());

    private static final List<Promise> OF_SERIALIZABLE = List.of(new Isolation(Anomalies.Kind.G2));

    private Promises() {}

    /** The promises of a level beyond the one below. */
    public static List<Promise> addedBy(ConsistencyLevel level) {
        return switch (level) {
            case NAIVE -> ALWAYS;
            case BASIC -> OF_BASIC;
            case MONOTONIC -> OF_MONOTONIC;
            case ATOMIC -> OF_ATOMIC;
            case SNAPSHOT -> OF_SNAPSHOT;
            case SERIALIZABLE -> OF_SERIALIZABLE;
        };
    }

    /**
     * The properties that a level keeps besides, as docs/CONSISTENCY.md argues, though they are no part of its promise:
     * pages never go back, and every value that was read was on a page.
     */
    public static List<Promise> keptBy(ConsistencyLevel level) {
        return level == ConsistencyLevel.BASIC ? List.of(new MonotonicReads(), new WritesFollowReads()) : List.of();
    }

    /** All promises of a level with strong reads. */
    public static List<Promise> of(ConsistencyLevel level) {
        List<Promise> all = new ArrayList<>();
        for (ConsistencyLevel one : ConsistencyLevel.values()) {
            if (one.compareTo(level) <= 0) {
                all.addAll(addedBy(one));
            }
        }
        return all;
    }

    /** All promises of the scenario's level in the scenario's world. */
    public static List<Promise> of(Scenario scenario) {
        List<Promise> all = new ArrayList<>(of(scenario.level()));
        all.addAll(keptBy(scenario.level()));
        return all;
    }
}
