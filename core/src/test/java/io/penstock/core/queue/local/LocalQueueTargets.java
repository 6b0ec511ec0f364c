package io.penstock.core.queue.local;

import io.penstock.core.Bytes;
import io.penstock.core.queue.Receipt;
import io.penstock.testing.FuzzTarget;
import java.time.Duration;
import java.util.List;

/** Records of the local cloud's queue file, and receipts that callers hand back. */
public final class LocalQueueTargets {
    private LocalQueueTargets() {}

    public static List<FuzzTarget> all() {
        byte[] message = new StoredMessage(1_700_000_000_000L, 5, Bytes.utf8("body")).encode();
        byte[] queue = new StoredQueue(9, Duration.ofDays(14), Duration.ofMinutes(1)).encode();
        return List.of(
                FuzzTarget.of("queue-file-message", List.of(message), StoredMessage::decode),
                FuzzTarget.of("queue-file-queue", List.of(queue), StoredQueue::decode),
                FuzzTarget.of("queue-file-key", List.of(new MessageKey(9, 3).encode()), bytes -> {
                    MessageKey key = MessageKey.decode(bytes);
                    if (key.queue() < 0 || key.number() < 0) {
                        throw new AssertionError("behind the last of its queue");
                    }
                }),
                FuzzTarget.ofText(
                        "receipt",
                        List.of("00000000000000030123456789abcdef"),
                        text -> HeldMessage.Handle.parse(new Receipt(text))));
    }
}
