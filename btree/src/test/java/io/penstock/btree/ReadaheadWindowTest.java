package io.penstock.btree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadaheadWindowTest {
    private static final long LARGE_POOL = 1L << 40;
    private static final int LEAF = 64 << 10;

    private final ReadaheadWindow window = new ReadaheadWindow(32, LEAF, LARGE_POOL);

    private static void use(ReadaheadWindow window, int leaves) {
        for (int i = 0; i < leaves; i++) {
            window.use(LEAF, 100);
        }
    }

    @Test
    void aScanOfOneLeafAsksForNothing() {
        assertThat(window.more(0, 0)).isZero();
    }

    @Test
    void itGrowsFastUntilAllMayBeUnderWay() {
        List<Integer> ahead = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            use(window, 1);
            ahead.add(window.ahead());
        }
        assertThat(ahead).containsExactly(4, 16, 32, 32);
    }

    @Test
    void beyondThatNoMoreIsAheadThanWasUsed() {
        use(window, 32);
        assertThat(window.ahead()).isEqualTo(32);
        use(window, 40);
        assertThat(window.ahead()).isEqualTo(72);
        use(window, 1000);
        assertThat(window.ahead()).isEqualTo(4 * 32);
    }

    @Test
    void whatCameAndWaitsDoesNotKeepOthersFromBeingAskedFor() {
        use(window, 200);
        assertThat(window.more(0, 0)).isEqualTo(32);
        assertThat(window.more(10, 60)).isEqualTo(22);
        assertThat(window.more(32, 60)).isZero();
        assertThat(window.more(10, 120)).isEqualTo(8);
        assertThat(window.more(1, 128)).isZero();
        assertThat(window.more(33, 130)).isZero();
    }

    @Test
    void leavesAheadTakeATenthOfThePool() {
        ReadaheadWindow small = new ReadaheadWindow(32, LEAF, 10 * 5 * LEAF);
        use(small, 200);
        assertThat(small.ahead()).isEqualTo(5);
        small.use(4 * LEAF, 100);
        assertThat(small.ahead()).isEqualTo(1);
        small.use(6 * LEAF, 100);
        assertThat(small.more(0, 0)).isZero();
    }

    @Test
    void aLossHalvesItAndItRecoversSlowly() {
        use(window, 200);
        window.lose();
        assertThat(window.ahead()).isEqualTo(64);
        use(window, 63);
        assertThat(window.ahead()).isEqualTo(64);
        use(window, 1);
        assertThat(window.ahead()).isEqualTo(65);
        for (int i = 0; i < 10; i++) {
            window.lose();
        }
        assertThat(window.ahead()).isEqualTo(1);
        use(window, 1 + 2 + 3 + 4);
        assertThat(window.ahead()).isEqualTo(5);
        use(window, 100_000);
        assertThat(window.ahead()).isEqualTo(4 * 32);
    }

    @Test
    void aLimitIsTakenAtItsWord() {
        window.expect(1_000);
        use(window, 1);
        assertThat(window.ahead()).as("900 records, 100 on a leaf").isEqualTo(9);
        use(window, 7);
        assertThat(window.ahead()).isEqualTo(2);
    }

    @Test
    void aLargeLimitNeedsNoCaution() {
        window.expect(1_000_000);
        use(window, 1);
        assertThat(window.ahead()).isEqualTo(32);
    }

    @Test
    void aScanThatGoesToItsEndBeginsWithAllThatMayBeUnderWay() {
        window.expectAll();
        assertThat(window.more(0, 0)).isEqualTo(32);
        use(window, 2);
        assertThat(window.ahead()).isEqualTo(32);
        use(window, 1_000);
        window.expectAll();
        assertThat(window.ahead()).isEqualTo(4 * 32);
    }

    /** No leaf has been seen by then, so their usual size counts. */
    @Test
    void itBeginsWithNoMoreThanATenthOfThePool() {
        ReadaheadWindow small = new ReadaheadWindow(32, 4 * LEAF, 10 * 5 * LEAF);
        small.expectAll();
        assertThat(small.ahead()).isEqualTo(1);
        use(small, 1);
        assertThat(small.ahead()).isEqualTo(5);
    }

    /** Where tombstones fill the leaves, a scan goes on beyond the leaves it was expected to need. */
    @Test
    void aLimitThatIsPassedIsForgotten() {
        window.expect(150);
        use(window, 1);
        assertThat(window.ahead()).isEqualTo(1);
        use(window, 1);
        assertThat(window.ahead()).isEqualTo(32);
    }
}
