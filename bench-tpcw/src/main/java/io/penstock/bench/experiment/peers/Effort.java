package io.penstock.bench.experiment.peers;

/**
 * The length of a measurement. Each round starts new processes, because the compiler does not do the same in each.
 *
 * @param rounds of all benchmarks and subjects in turn
 * @param warmups seconds before the figures count, each of processor time and then again by the clock
 * @param iterations seconds of which each gives a figure
 */
record Effort(int rounds, int warmups, int iterations) {
    static final Effort QUICK = new Effort(1, 4, 5);
    static final Effort THOROUGH = new Effort(3, 5, 7);
}
