package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.Tasks;
import java.util.ArrayList;
import java.util.List;

/** Messages on their way to the log: there for receivers as soon as they are durable. */
final class Sending extends LogWrite {
    private final QueueState queue;
    private final QueueLog log;
    private final List<LogEntry> messages = new ArrayList<>();

    Sending(QueueState queue, QueueLog log, List<Bytes> bodies, Tasks tasks) {
        this.queue = queue;
        this.log = log;
        long sentMillis = tasks.nowMillis();
        long number = queue.drawNumbers(bodies.size());
        for (Bytes body : bodies) {
            messages.add(LogEntry.message(
                    queue.id(), number++, sentMillis, tasks.random().nextLong(), body));
        }
    }

    @Override
    List<LogEntry> entries() {
        // A message after its queue's deletion would be one of an unknown queue.
        queue.checkTakesMessages();
        return messages;
    }

    @Override
    void written(List<Place> places) {
        List<HeldMessage> sent = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            LogEntry entry = messages.get(i);
            Place place = places.get(i);
            log.needs(place, entry.bytes());
            sent.add(new HeldMessage(
                    entry.number(), entry.id(), entry.sentMillis(), entry.body().length(), place));
        }
        queue.add(sent);
    }

    List<SendResult> results() {
        return messages.stream()
                .<SendResult>map(entry -> new SendResult.Sent(HeldMessage.messageId(entry.id())))
                .toList();
    }
}
