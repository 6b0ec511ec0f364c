package io.penstock.bench.tpcw.bookstore;

import java.time.LocalDate;
import java.util.List;

/**
 * The random functions of clause 4.6.2 over SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), written out so that a seed
 * means the same on every Java version. For one thread.
 *
 * <p>Each row of each table has a stream of its own, derived by name and number: any row can be drawn again alone,
 * which is how a verification knows what the population was without keeping it.
 */
public final class Draws {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
    private static final String LETTERS_AND_DIGITS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final int DIGITS_FROM = LETTERS_AND_DIGITS.length() - 10;

    /** The syllables by which the digits 0 to 9 are spelled (clause 4.6.2.8). */
    private static final List<String> SYLLABLES = List.of("BA", "OG", "AL", "RI", "RE", "SE", "AT", "UL", "IN", "NG");

    private long state;

    private Draws(long state) {
        this.state = state;
    }

    /** An independent stream, the same for the same seed, purpose and number. */
    public static Draws of(long seed, String purpose, long number) {
        long mixed = mix(seed);
        for (int i = 0; i < purpose.length(); i++) {
            mixed = mix(mixed ^ purpose.charAt(i));
        }
        return new Draws(mix(mixed ^ number));
    }

    /** Every bit of the result depends on every bit given, and no two give the same. */
    public static long mix(long bits) {
        return new Draws(bits).next();
    }

    private long next() {
        state += GOLDEN_GAMMA;
        long z = state;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }

    /** Draws uniformly from {@code low} to {@code high}, both included. */
    public long between(long low, long high) {
        return low + Math.unsignedMultiplyHigh(next(), high - low + 1);
    }

    /** Draws uniformly from {@code low} to {@code high}, both included. */
    public int between(int low, int high) {
        return (int) between((long) low, (long) high);
    }

    /** Draws uniformly above 0 and up to 1. */
    public double unit() {
        return ((next() >>> 11) + 1) * 0x1p-53;
    }

    /** An a-string: {@code low} to {@code high} letters and digits. */
    public String aString(int low, int high) {
        return string(between(low, high), 0);
    }

    /** An n-string: {@code low} to {@code high} digits. */
    public String nString(int low, int high) {
        return string(between(low, high), DIGITS_FROM);
    }

    private String string(int length, int from) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(LETTERS_AND_DIGITS.charAt(between(from, LETTERS_AND_DIGITS.length() - 1)));
        }
        return text.toString();
    }

    /** Draws a day uniformly, both ends included. */
    public LocalDate date(LocalDate first, LocalDate last) {
        return LocalDate.ofEpochDay(between(first.toEpochDay(), last.toEpochDay()));
    }

    public <T> T pick(List<T> choices) {
        return choices.get(between(0, choices.size() - 1));
    }

    /**
     * Returns DigSyl(D, N) of clause 4.6.2.8: the digits of {@code number} as syllables, zeros in front up to {@code
     * digits}.
     */
    public static String digSyl(long number, int digits) {
        StringBuilder text = new StringBuilder();
        String decimal = Long.toString(number);
        for (int missing = digits - decimal.length(); missing > 0; missing--) {
            text.append(SYLLABLES.getFirst());
        }
        for (int i = 0; i < decimal.length(); i++) {
            text.append(SYLLABLES.get(decimal.charAt(i) - '0'));
        }
        return text.toString();
    }
}
