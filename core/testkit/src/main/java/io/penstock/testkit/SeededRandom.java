package io.penstock.testkit;

import java.util.random.RandomGenerator;

/**
 * SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), written out so that a seed means the same on every Java version. One
 * stream for one purpose: a stream derived by name does not move when another is drawn from.
 */
final class SeededRandom implements RandomGenerator {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    SeededRandom(long seed) {
        this.state = seed;
    }

    /** An independent stream, the same for the same seed and name. */
    static SeededRandom stream(long seed, String name) {
        SeededRandom mixer = new SeededRandom(seed);
        long mixed = mixer.nextLong();
        for (int i = 0; i < name.length(); i++) {
            mixed = new SeededRandom(mixed ^ name.charAt(i)).nextLong();
        }
        return new SeededRandom(mixed);
    }

    @Override
    public long nextLong() {
        state += GOLDEN_GAMMA;
        long z = state;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    @Override
    public int nextInt() {
        return (int) (nextLong() >>> Integer.SIZE);
    }

    @Override
    public boolean nextBoolean() {
        return nextLong() < 0;
    }

    @Override
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** Draws by multiplication, with a bias of at most one in 2^64 / {@code bound}: always exactly one draw. */
    @Override
    public long nextLong(long bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("a bound must be positive: " + bound);
        }
        return Math.unsignedMultiplyHigh(nextLong(), bound);
    }

    @Override
    public int nextInt(int bound) {
        return (int) nextLong(bound);
    }

    /** A draw of the standard normal distribution (Box-Muller), by StrictMath: the same bits on every machine. */
    double gaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - nextDouble()));
        return radius * StrictMath.cos(2 * StrictMath.PI * nextDouble());
    }

    boolean chance(double probability) {
        return probability > 0 && nextDouble() < probability;
    }
}
