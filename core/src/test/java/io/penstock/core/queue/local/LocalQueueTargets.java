package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.table.Handle;
import io.penstock.testing.FuzzTarget;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What the local cloud's queues have on the disk, and receipts that callers hand back. */
public final class LocalQueueTargets {
    private LocalQueueTargets() {}

    /** A segment with a queue and two messages. */
    static byte[] segment() {
        ByteBuffer out = ByteBuffer.allocate(1_000);
        out.put(new SegmentHeader(1, 7).encode());
        List<LogEntry> entries = List.of(
                LogEntry.queue(9, "q", Duration.ofDays(14), Duration.ofMinutes(1)),
                LogEntry.message(9, 0, 1_700_000_000_000L, 5, Bytes.utf8("body")),
                LogEntry.messageDeleted(9, 0),
                LogEntry.message(9, 1, 1_700_000_000_000L, 6, Bytes.utf8("another")),
                LogEntry.queueDeleted(9));
        long sequence = 7;
        for (LogEntry entry : entries) {
            entry.encode(out, new Place(1, out.position()), sequence++);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.of("queue-segment", List.of(segment()), LocalQueueTargets::scan),
                FuzzTarget.of("queue-mark", List.of(new AckMark(7, 1).encode().array()), AckMark::decode),
                FuzzTarget.ofText(
                        "receipt",
                        List.of("00000000000000030123456789abcdef"),
                        text -> Handle.parse(new Receipt(text))));
    }

    private static void scan(byte[] bytes) {
        SegmentHeader.decode(bytes, bytes.length, 1);
        for (SegmentScan.Found found : SegmentScan.of(bytes, bytes.length, 1)) {
            if (found.place().offset() + found.head().bytes() > bytes.length) {
                throw new AssertionError("an entry behind the end");
            }
        }
    }
}
