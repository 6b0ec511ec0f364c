package io.penstock.core.queue.local;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change on its way to the log: entries that are written together. Its methods are called by the writer in turn. */
abstract class LogWrite {
    private volatile boolean done;
    private volatile @Nullable RuntimeException failure;

    /** The entries, asked for when its turn has come; what was settled meanwhile is left out. */
    abstract List<LogEntry> entries();

    /** Notes that the entries are as durable as asked, with the place of each. */
    abstract void written(List<Place> places);

    /** Whether it is tried again with the next write when it fails, as a deletion for which no caller waits. */
    boolean isPatient() {
        return false;
    }

    /** Notes that it was not written and will not be tried again. */
    void failed() {}

    final boolean isDone() {
        return done;
    }

    final void succeed(List<Place> places) {
        try {
            written(places);
        } catch (RuntimeException late) {
            failure = late;
        }
        done = true;
    }

    final void fail(RuntimeException cause) {
        failed();
        failure = cause;
        done = true;
    }

    /** Throws what it failed with. */
    final void check() {
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }

    /**
     * The creation of a queue. Its entry is written twice: a queue lost to damage would take all its messages with it.
     */
    static LogWrite creation(QueueLog log, QueueTable queues, LogEntry queue, long openedMillis) {
        return new LogWrite() {
            @Override
            List<LogEntry> entries() {
                return List.of(queue, queue);
            }

            @Override
            void written(List<Place> places) {
                Place place = places.getFirst();
                log.needs(place, 2 * queue.bytes());
                queues.add(new QueueState(queue, place, openedMillis));
            }
        };
    }

    /** The deletion of messages that were taken out of the queue's memory. No caller waits for it. */
    static LogWrite deletionOfMessages(QueueLog log, QueueState queue, List<HeldMessage> messages) {
        return new LogWrite() {
            private List<HeldMessage> left = messages;

            @Override
            List<LogEntry> entries() {
                // Messages whose segment is gone are not in the log any more.
                left = messages.stream()
                        .filter(message -> log.has(message.place))
                        .toList();
                return left.stream()
                        .map(message -> LogEntry.messageDeleted(queue.id(), message.number()))
                        .toList();
            }

            @Override
            void written(List<Place> places) {
                left.forEach(message -> log.needs(message.place, -message.bytes()));
            }

            @Override
            boolean isPatient() {
                return true;
            }
        };
    }

    /** The deletion of a queue, which takes no more messages from then on. */
    static LogWrite deletion(QueueLog log, QueueTable queues, QueueState queue) {
        return new LogWrite() {
            @Override
            List<LogEntry> entries() {
                queue.takeMessages(false);
                return List.of(LogEntry.queueDeleted(queue.id()));
            }

            @Override
            void written(List<Place> places) {
                queue.markDeleted();
                queues.remove(queue);
                queue.all().forEach(message -> log.needs(message.place, -message.bytes()));
                log.needs(queue.place(), -2 * queue.entry().bytes());
            }

            @Override
            void failed() {
                queue.takeMessages(true);
            }
        };
    }
}
