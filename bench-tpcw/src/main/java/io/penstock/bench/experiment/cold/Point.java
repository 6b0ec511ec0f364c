package io.penstock.bench.experiment.cold;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A point of a curve: the cost of reading a number of records.
 *
 * @param profile of the simulated cloud
 * @param reader what read: pages of a size, whole or by blocks; or a download of all of the collection's objects
 * @param pageBytes the size at which pages split
 * @param blockBytes how much of a page is asked for first; 0 for pages read whole
 * @param tier {@code none}, or {@code warm}: a disk tier that a scan before a restart has filled
 * @param records how many, from the first of the collection on
 * @param millis virtual time
 * @param gets requests to the object store
 * @param bytes of objects that travelled
 */
record Point(
        String profile,
        String reader,
        int pageBytes,
        int blockBytes,
        String tier,
        long records,
        double millis,
        long gets,
        long bytes) {
    /** The mean of the same point of several runs. */
    static Point mean(List<Point> runs) {
        Point first = runs.getFirst();
        return new Point(
                first.profile,
                first.reader,
                first.pageBytes,
                first.blockBytes,
                first.tier,
                first.records,
                mean(runs, Point::millis),
                Math.round(mean(runs, Point::gets)),
                Math.round(mean(runs, Point::bytes)));
    }

    private static double mean(List<Point> runs, ToDoubleFunction<Point> figure) {
        return runs.stream().mapToDouble(figure).average().orElseThrow();
    }
}
