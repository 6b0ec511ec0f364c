package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Indexes that are built, scrubbed and dropped beside writers: over many seeds, {@link LiveIndexRun}. */
class LiveIndexSimulationTest {
    private static final int QUICK = 60;
    private static final int MANY = 2_000;

    @Test
    void indexesAgreeOverSeeds() {
        check(0, QUICK);
    }

    @Test
    @Tag("long")
    void indexesAgreeOverManySeeds() {
        assertThat(check(QUICK, MANY))
                .contains(
                        "scanned",
                        "scan refused",
                        "dropped",
                        "dropped while built",
                        "pending indexed",
                        "pending in the end",
                        "left-over removed",
                        "left-over in the end",
                        "crashed builder",
                        "crashed scrubber",
                        "crashed old",
                        "crashed new",
                        "joined",
                        "crashed compactor");
    }

    /**
     * Leaves of different epochs were merged into one of the lower epoch. Then the result split, and the build did not
     * return to it.
     */
    @Test
    void aJoinUndoesNothingOfABuild() {
        assertThat(LiveIndexRun.run(973).broken()).isEmpty();
    }

    @Test
    void aRunIsAFunctionOfItsSeed() {
        assertThat(LiveIndexRun.run(5).story()).isEqualTo(LiveIndexRun.run(5).story());
    }

    /** All cases that any of the runs has met. */
    private static Set<String> check(long from, int seeds) {
        List<String> failures = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        for (long seed = from; seed < from + seeds; seed++) {
            LiveIndexRun.Result result = LiveIndexRun.run(seed);
            seen.addAll(result.seen());
            if (!result.broken().isEmpty()) {
                failures.add("seed=" + seed + ": " + result.broken().getFirst());
            }
        }
        assertThat(failures).as("%d of %d seeds", failures.size(), seeds).isEmpty();
        return seen;
    }

    /**
     * By hand: {@code LiveIndexSimulationTest FROM SEEDS}, with a third word to stop at the first failure; or {@code
     * SEED} alone for its story.
     */
    public static void main(String[] args) {
        long from = Long.parseLong(args[0]);
        long seeds = args.length > 1 ? Long.parseLong(args[1]) : 1;
        int failed = 0;
        Set<String> seen = new TreeSet<>();
        for (long seed = from; seed < from + seeds && (args.length < 3 || failed == 0); seed++) {
            LiveIndexRun.Result result = LiveIndexRun.run(seed);
            seen.addAll(result.seen());
            if (seeds == 1) {
                result.story().forEach(System.out::println);
            }
            if (!result.broken().isEmpty()) {
                failed++;
                System.out.println("seed=" + seed + " " + result.broken());
            }
        }
        System.out.println(seeds + " seeds, " + failed + " failed, seen " + seen);
    }
}
