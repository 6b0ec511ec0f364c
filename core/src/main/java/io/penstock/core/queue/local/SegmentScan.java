package io.penstock.core.queue.local;

import io.penstock.core.queue.local.LogEntry.Head;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries that can be read in a segment's bytes. Behind damage it goes on with the next head whose checksum is
 * right, wherever that is: a checksum covers the head's place, so a copy or a body is not taken for an entry.
 */
final class SegmentScan {
    private final byte[] bytes;
    private final int length;
    private final long segment;
    private final List<Found> found = new ArrayList<>();

    private SegmentScan(byte[] bytes, int length, long segment) {
        this.bytes = bytes;
        this.length = length;
        this.segment = segment;
    }

    /** Reads the entries of segment {@code segment}, whose file begins with {@code length} of {@code bytes}. */
    static List<Found> of(byte[] bytes, int length, long segment) {
        SegmentScan scan = new SegmentScan(bytes, length, segment);
        scan.run();
        return scan.found;
    }

    private void run() {
        int at = SegmentHeader.BYTES;
        while (at < length) {
            Head head = Head.decode(bytes, at, length, segment, at);
            if (head == null || head.bodyBytes() > length - at - LogEntry.HEAD_BYTES) {
                at++;
            } else {
                found.add(new Found(head, new Place(segment, at), head.withBody(bytes, at)));
                at += head.bytes();
            }
        }
    }

    /**
     * One entry.
     *
     * @param entry null when the body is damaged
     */
    record Found(Head head, Place place, @Nullable LogEntry entry) {}
}
