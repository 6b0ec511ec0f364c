package io.penstock.commit.protocol;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import io.penstock.core.task.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** A fake queue that only accepts sends: each lasts 10 ms, and is answered as configured. */
final class RecordingQueue implements MessageQueue {
    final List<List<Bytes>> calls = new ArrayList<>();
    int underWay;
    int underWayMax;
    private final Deque<Function<List<Bytes>, List<SendResult>>> answers = new ArrayDeque<>();
    private final Timekeeper time;

    RecordingQueue(Timekeeper time) {
        this.time = time;
    }

    /** Sets the answer to the next send. */
    RecordingQueue answering(Function<List<Bytes>, List<SendResult>> next) {
        answers.add(next);
        return this;
    }

    static List<SendResult> sent(List<Bytes> bodies) {
        return bodies.stream()
                .<SendResult>map(body -> new SendResult.Sent("id"))
                .toList();
    }

    @Override
    public String name() {
        return "q";
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        calls.add(List.copyOf(bodies));
        underWay++;
        underWayMax = Math.max(underWayMax, underWay);
        try {
            time.sleep(Duration.ofMillis(10));
            Function<List<Bytes>, List<SendResult>> answer = answers.poll();
            return answer == null ? sent(bodies) : answer.apply(bodies);
        } finally {
            underWay--;
        }
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        throw new UnsupportedOperationException();
    }

    @Override
    public QueueDepth depth() {
        throw new UnsupportedOperationException();
    }

    @Override
    public QueueConfiguration configuration() {
        throw new UnsupportedOperationException();
    }
}
