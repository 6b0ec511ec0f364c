package io.penstock.bench.damage;

/** The bits of some bytes that are turned, one at a time: all of the header, and one of each other byte. */
@FunctionalInterface
interface Flips {
    void turn(int index, int bit);

    /**
     * @param every one bit of so many is taken
     * @param start where the sample begins, so that each object has another one
     */
    static void of(int length, int headerBytes, int every, int start, Flips flips) {
        int count = start;
        for (int index = 0; index < length; index++) {
            boolean header = index < headerBytes;
            for (int bit = 0; bit < (header ? Byte.SIZE : 1); bit++) {
                if (count++ % every == 0) {
                    flips.turn(index, header ? bit : index % Byte.SIZE);
                }
            }
        }
    }
}
