package io.penstock.core.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EntryIndexTest {
    /** The shapes of key sets; heads of each are drawn, and sorted. */
    private enum Shape {
        ANYWHERE,
        IN_A_ROW,
        IN_BUNCHES,
        MOST_AT_ONE_END,
        SAME,
        AT_BOTH_ENDS;

        int head(SplittableRandom random, int entry) {
            return switch (this) {
                case ANYWHERE -> random.nextInt();
                case IN_A_ROW -> entry;
                case IN_BUNCHES -> random.nextInt(4) * 500_000_000 + random.nextInt(20);
                case MOST_AT_ONE_END -> (int) (Integer.MAX_VALUE * Math.pow(random.nextDouble(), 20));
                case SAME -> 7;
                case AT_BOTH_ENDS -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
            };
        }
    }

    @Test
    void aHeadIsNowhereButBetweenItsBounds() {
        for (int seed = 0; seed < 1_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
            int[] heads = new int[random.nextInt(300)];
            Arrays.setAll(heads, entry -> shape.head(random, entry));
            Arrays.sort(heads);
            EntryIndex index = new EntryIndex(heads, 0, true);
            for (int i = 0; i < 200; i++) {
                assertBounds(index, probe(random, heads), shape + " seed=" + seed);
            }
        }
    }

    private static int probe(SplittableRandom random, int[] heads) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt();
            case 1 -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
            default -> heads.length == 0 ? 0 : heads[random.nextInt(heads.length)] + random.nextInt(3) - 1;
        };
    }

    private static void assertBounds(EntryIndex index, int head, String what) {
        int guess = index.guess(head);
        int low = index.low(guess);
        int high = index.high(guess);
        assertThat(low).as(what).isBetween(0, index.heads.length);
        assertThat(high).as(what).isBetween(-1, index.heads.length - 1);
        assertThat(low).as(what).isLessThanOrEqualTo(high + 1);
        assertThat(low == 0 || index.heads[low - 1] < head).as(what).isTrue();
        assertThat(high == index.heads.length - 1 || index.heads[high + 1] > head)
                .as(what)
                .isTrue();
    }

    @Test
    void numbersInARowAreFoundAtOnce() {
        int[] heads = new int[1_000];
        Arrays.setAll(heads, entry -> 5_000 + 3 * entry);
        EntryIndex index = new EntryIndex(heads, 0, true);
        int guess = index.guess(heads[700]);
        assertThat(guess).isBetween(699, 700);
        assertThat(index.high(guess) - index.low(guess)).isLessThan(20);
    }
}
