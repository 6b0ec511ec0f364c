package io.penstock.bench.experiment.compression;

import io.penstock.core.Bytes;
import io.penstock.core.Compression;
import io.penstock.core.PageId;
import io.penstock.core.page.PageImage;
import io.penstock.core.page.StoredPage;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * Processor time per page, in microseconds: the best of several rounds over all pages.
 *
 * @param compress makes a page its stored bytes
 * @param check makes stored bytes a page that are not compressed: its checksum and all its entries
 * @param decompress the same of bytes that are compressed, if they are
 */
record PageCost(double compress, double check, double decompress) {
    private static final int ROUNDS = 7;
    private static final double NANOS_PER_MICRO = 1e3;

    /** A page in its object, not compressed. */
    record Plain(PageId id, Bytes object) {
        PageImage image() {
            return StoredPage.decode(object, id, id.hex());
        }
    }

    /** Measures on this thread, which must be a platform thread. */
    static PageCost of(List<Plain> pages) {
        List<PageImage> images = pages.stream().map(Plain::image).toList();
        List<Bytes> stored = new ArrayList<>();
        double compress = best(pages.size(), () -> {
            stored.clear();
            images.forEach(image -> stored.add(StoredPage.encode(image, Compression.ZSTD)));
        });
        double check = best(pages.size(), () -> pages.forEach(Plain::image));
        double decompress = best(pages.size(), () -> {
            for (int i = 0; i < pages.size(); i++) {
                new Plain(pages.get(i).id, stored.get(i)).image();
            }
        });
        return new PageCost(compress, check, decompress);
    }

    private static double best(int pages, Runnable round) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            long began = threads.getCurrentThreadCpuTime();
            round.run();
            best = Math.min(best, threads.getCurrentThreadCpuTime() - began);
        }
        return best / NANOS_PER_MICRO / pages;
    }
}
