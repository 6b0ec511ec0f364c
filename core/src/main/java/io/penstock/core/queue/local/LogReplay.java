package io.penstock.core.queue.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state that the entries of a log add up to: queues with their messages, and the damage. Entries are counted, so
 * missing ones show as a gap. Reaches no file. For one thread.
 */
final class LogReplay {
    private final Map<Long, Recovered> queues = new TreeMap<>();
    private final Map<MessageKey, Place> damaged = new TreeMap<>();
    private final List<String> losses = new ArrayList<>();
    private long expected = -1;

    /**
     * Adds a segment's entries.
     *
     * @param first the sequence in its header; -1 when unknown
     * @param next the first sequence of the segment after it: entries from there on were taken back; the greatest
     *     number for the last segment
     * @return the bytes of the segment that count; its size but for an end that was torn off or taken back
     */
    int add(Segment segment, long first, long next, List<SegmentScan.Found> found) {
        int end = SegmentHeader.BYTES;
        if (expected < 0) {
            expected = first;
        }
        for (SegmentScan.Found entry : found) {
            long sequence = entry.head().sequence();
            if (sequence >= next || sequence < expected) {
                continue;
            }
            if (expected >= 0) {
                skipTo(sequence, segment);
            }
            expected = sequence + 1;
            end = entry.place().offset() + entry.head().bytes();
            apply(entry, segment);
        }
        if (next < Long.MAX_VALUE && expected >= 0) {
            skipTo(next, segment);
        }
        return end;
    }

    private void skipTo(long sequence, Segment segment) {
        if (sequence > expected) {
            segment.markDamaged();
            losses.add("entries of the queues' log are damaged or missing entries=" + (sequence - expected) + " from="
                    + expected + " file=" + segment.file());
            expected = sequence;
        }
    }

    /** Tells what {@code mark} knows and the segments lack. */
    void compare(@Nullable AckMark mark, long oldestFound) {
        if (mark == null) {
            return;
        }
        if (mark.oldest() < oldestFound) {
            losses.add("segments of the queues' log are missing first=" + mark.oldest() + " found=" + oldestFound);
        }
        if (mark.sequence() >= Math.max(expected, 0)) {
            losses.add("acknowledged entries are damaged or missing at the end of the queues' log entries="
                    + (mark.sequence() + 1 - Math.max(expected, 0)) + " from=" + Math.max(expected, 0));
            expected = mark.sequence() + 1;
        }
    }

    private void apply(SegmentScan.Found found, Segment segment) {
        LogEntry.Head head = found.head();
        if (found.entry() == null) {
            segment.markDamaged();
        }
        switch (head.kind()) {
            case QUEUE -> {
                Recovered queue = queue(head.queue());
                if (found.entry() != null) {
                    queue.queue = found.entry();
                    queue.place = found.place();
                }
            }
            case MESSAGE -> addMessage(found, queue(head.queue()));
            case MESSAGE_DELETED -> {
                Recovered queue = queue(head.queue());
                queue.messages.remove(head.number());
                queue.nextNumber = Math.max(queue.nextNumber, head.number() + 1);
                damaged.remove(new MessageKey(head.queue(), head.number()));
            }
            case QUEUE_DELETED -> {
                queues.remove(head.queue());
                damaged.keySet().removeIf(key -> key.queue() == head.queue());
            }
        }
    }

    private void addMessage(SegmentScan.Found found, Recovered queue) {
        LogEntry.Head head = found.head();
        MessageKey key = new MessageKey(head.queue(), head.number());
        queue.nextNumber = Math.max(queue.nextNumber, head.number() + 1);
        if (found.entry() != null) {
            damaged.remove(key);
            queue.messages.put(
                    head.number(),
                    new HeldMessage(head.number(), head.id(), head.sentMillis(), head.bodyBytes(), found.place()));
        } else if (!queue.messages.containsKey(head.number())) {
            damaged.put(key, found.place());
        }
    }

    private Recovered queue(long id) {
        return queues.computeIfAbsent(id, absent -> new Recovered());
    }

    /** The queues by their numbers. */
    Map<Long, Recovered> queues() {
        return queues;
    }

    /** The sequence of the next entry. */
    long nextSequence() {
        return Math.max(expected, 0);
    }

    /** Returns the damage, a line for each; nothing of it is served, or deleted. */
    List<String> damage() {
        List<String> lines = new ArrayList<>(losses);
        damaged.forEach((key, place) -> lines.add("a message is damaged and set aside queue=" + name(key.queue())
                + " number=" + key.number() + " segment=" + place.segment() + " offset=" + place.offset()));
        queues.forEach((id, queue) -> {
            if (queue.queue == null && !queue.messages.isEmpty()) {
                lines.add("messages of a queue that is not known are kept queue=" + id + " messages="
                        + queue.messages.size());
            }
        });
        return lines;
    }

    private String name(long id) {
        Recovered queue = queues.get(id);
        return queue == null || queue.queue == null
                ? String.valueOf(id)
                : queue.queue.body().toUtf8();
    }

    /** A queue as recovered from the log; without an entry of its own if that is damaged. */
    static final class Recovered {
        private @Nullable LogEntry queue;
        private @Nullable Place place;
        private final Map<Long, HeldMessage> messages = new TreeMap<>();
        private long nextNumber;

        @Nullable
        LogEntry queue() {
            return queue;
        }

        @Nullable
        Place place() {
            return place;
        }

        List<HeldMessage> messages() {
            return List.copyOf(messages.values());
        }

        long nextNumber() {
            return nextNumber;
        }
    }

    /**
     * The name of a message: its queue, and its number in it.
     *
     * @param queue the queue's number, not negative
     * @param number counts the queue's messages, not negative
     */
    private record MessageKey(long queue, long number) implements Comparable<MessageKey> {
        @Override
        public int compareTo(MessageKey other) {
            int byQueue = Long.compare(queue, other.queue);
            return byQueue != 0 ? byQueue : Long.compare(number, other.number);
        }
    }
}
