package io.penstock.core.queue.local;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A log as it is found at open: its segments, and the replay of their entries. For one thread. */
final class LogReader {
    private final SegmentFiles files;
    private final TreeMap<Long, Segment> segments;
    private final LogReplay replay = new LogReplay();

    private LogReader(SegmentFiles files, TreeMap<Long, Segment> segments) {
        this.files = files;
        this.segments = segments;
    }

    static LogReader read(SegmentFiles files) throws IOException {
        LogReader reader = new LogReader(files, files.list());
        reader.readAll();
        return reader;
    }

    private void readAll() throws IOException {
        List<Segment> ordered = new ArrayList<>(segments.values());
        long first = ordered.isEmpty() ? -1 : firstSequence(ordered.getFirst());
        for (int i = 0; i < ordered.size(); i++) {
            long next = i + 1 < ordered.size() ? firstSequence(ordered.get(i + 1)) : -1;
            Segment segment = ordered.get(i);
            byte[] bytes = files.read(segment);
            int end = replay.add(
                    segment,
                    first,
                    next < 0 ? Long.MAX_VALUE : next,
                    SegmentScan.of(bytes, bytes.length, segment.number()));
            segment.endsAt(end);
            first = next;
        }
        AckMark mark = AckMark.File.read(files);
        replay.compare(mark, segments.isEmpty() ? 0 : segments.firstKey());
    }

    /**
     * Returns the first sequence of a segment, from its header, or else from its first entry; -1 when neither can be
     * read.
     */
    private long firstSequence(Segment segment) throws IOException {
        byte[] start = files.read(segment.file(), 0, SegmentHeader.BYTES + LogEntry.HEAD_BYTES);
        SegmentHeader header = SegmentHeader.decode(start, start.length, segment.number());
        if (header != null) {
            return header.firstSequence();
        }
        LogEntry.Head entry =
                LogEntry.Head.decode(start, SegmentHeader.BYTES, start.length, segment.number(), SegmentHeader.BYTES);
        return entry == null ? -1 : entry.sequence();
    }

    TreeMap<Long, Segment> segments() {
        return segments;
    }

    LogReplay replay() {
        return replay;
    }
}
