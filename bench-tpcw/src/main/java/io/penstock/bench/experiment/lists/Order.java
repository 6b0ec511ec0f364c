package io.penstock.bench.experiment.lists;

/** The order of the records of a list among the pages of its collection. */
enum Order {
    /** The newest records are neighbours. */
    CLUSTERED("clustered"),
    /** Each record is on a page by itself. */
    SCATTERED("scattered"),
    /** The same, and the index covers what a view shows. */
    COVERED("scattered and covered");

    private static final long FACTOR = 0x9e3779b97f4a7c15L;
    private static final int SHIFT = 29;

    private final String label;

    Order(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    boolean isCovered() {
        return this == COVERED;
    }

    /** The primary key of the record with this number: no two have one. */
    long key(long number) {
        return switch (this) {
            case CLUSTERED -> number;
            case SCATTERED, COVERED -> mixed(number);
        };
    }

    private static long mixed(long number) {
        long mixed = number * FACTOR;
        return mixed ^ mixed >>> SHIFT;
    }
}
