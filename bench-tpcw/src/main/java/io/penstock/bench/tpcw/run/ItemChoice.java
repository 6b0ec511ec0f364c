package io.penstock.bench.tpcw.run;

import io.penstock.bench.program.Zipf;
import io.penstock.bench.tpcw.bookstore.Draws;
import java.math.BigInteger;

/** The way in which browsers choose among ids from 1 to a number. Safe for use by many threads. */
@FunctionalInterface
interface ItemChoice {
    long draw(Draws draws);

    /**
     * The standard's NURand (clause 2.1): some ids are chosen more often. Its constant grows with the ids; ours is the
     * largest power of two, less one, that is at most a fifteenth of them.
     */
    static ItemChoice nonUniform(long ids) {
        long constant = Math.max(1, Long.highestOneBit(ids / 15 + 1) - 1);
        return draws -> (draws.between(0, constant) | draws.between(1, ids)) % ids + 1;
    }

    /**
     * Returns a choice by Zipf's law: the id of rank r is chosen with a probability proportional to 1 / r^exponent. The
     * ranks are spread over the ids, so that popular ones do not share pages.
     */
    static ItemChoice zipf(int ids, double exponent) {
        Zipf ranks = new Zipf(ids, exponent);
        long stride = strideFor(ids);
        return draws -> ranks.at(draws.unit()) * stride % ids + 1;
    }

    /** A number without a common divisor with {@code ids}, about six tenths of it. */
    private static long strideFor(int ids) {
        long stride = Math.max(1, ids * 6L / 10);
        while (!BigInteger.valueOf(stride).gcd(BigInteger.valueOf(ids)).equals(BigInteger.ONE)) {
            stride++;
        }
        return stride;
    }
}
