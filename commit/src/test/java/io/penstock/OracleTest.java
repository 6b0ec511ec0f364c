package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.penstock.core.Compression;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random programs at the front door against a sorted map. {@code -Dseed=S} runs one, {@code -Dseeds=N} so many. */
class OracleTest {
    private static final int QUICK = 300;
    private static final int COMPRESSED = 100;
    private static final long MANY = Long.getLong("seeds", 10_000);

    /** Returns the height of the highest tree. */
    private static int run(long from, long to) {
        int highest = 0;
        for (long seed = from; seed < to; seed++) {
            OracleRun run = new OracleRun(seed);
            try {
                run.run();
            } catch (RuntimeException | AssertionError failure) {
                fail("seed=" + seed + "\n" + String.join("\n", run.story()), failure);
            }
            highest = Math.max(highest, run.height());
        }
        return highest;
    }

    @Test
    void equalsASortedMap() {
        long one = Long.getLong("seed", -1);
        if (one >= 0) {
            run(one, one + 1);
        } else {
            assertThat(run(0, QUICK)).as("levels").isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void equalsASortedMapWhereItIsCompressed() {
        long compressed = 0;
        for (long seed = 0; seed < COMPRESSED; seed++) {
            OracleRun run = new OracleRun(seed, Compression.ZSTD);
            try {
                run.run();
            } catch (RuntimeException | AssertionError failure) {
                fail("compressed seed=" + seed + "\n" + String.join("\n", run.story()), failure);
            }
            compressed += run.compressed();
        }
        assertThat(compressed).as("compressed pages").isGreaterThan(COMPRESSED);
    }

    @Test
    @Tag("long")
    void equalsASortedMapTenThousandTimes() {
        assertThat(run(QUICK, QUICK + MANY)).as("levels").isGreaterThanOrEqualTo(MANY < 10_000 ? 0 : 4);
    }
}
