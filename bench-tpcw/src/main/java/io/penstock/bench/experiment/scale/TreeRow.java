package io.penstock.bench.experiment.scale;

import io.penstock.report.StoreStats;

/**
 * The size of a tree. The names of the fields are an interface.
 *
 * @param tree how it came to be
 * @param height in levels
 * @param bytes of all its pages, which is what is stored: a page that is not full is a smaller object
 * @param rawBytes keys and payloads of its records
 * @param overheadPercent by how much {@code bytes} is above {@code rawBytes}
 * @param leafFill how full leaves are, against the size at which they split
 */
record TreeRow(
        String tree,
        long records,
        int height,
        long pages,
        long bytes,
        long rawBytes,
        double overheadPercent,
        double leafFill) {
    private static final int RAW_BYTES = ScaleRecords.KEY_BYTES + ScaleRecords.PAYLOAD_BYTES;

    static TreeRow of(String name, StoreStats.Tree tree) {
        long raw = tree.records() * RAW_BYTES;
        return new TreeRow(
                name,
                tree.records(),
                tree.height(),
                tree.pages(),
                tree.bytes(),
                raw,
                ScaleReport.rounded(100.0 * (tree.bytes() - raw) / Math.max(1, raw), 10),
                ScaleReport.rounded(tree.leafFill(), 100));
    }
}
