package io.penstock.core.sim;

import io.penstock.core.Bytes;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.queue.Delivery;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueDepth;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.Receipt;
import io.penstock.core.queue.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One client's view of one simulated queue. */
final class SimulatedMessageQueue implements MessageQueue {
    private final SimulatedCloud cloud;
    private final SimulatedClient client;
    private final QueueState state;
    private final Call call;

    SimulatedMessageQueue(SimulatedCloud cloud, SimulatedClient client, QueueState state) {
        this.cloud = cloud;
        this.client = client;
        this.state = state;
        this.call = new Call(cloud, client);
    }

    @Override
    public String name() {
        return state.name;
    }

    @Override
    public List<SendResult> send(List<Bytes> bodies) {
        long bytes = checkBatch(bodies);
        List<Bytes> kept = bodies.stream().map(Bytes::copy).toList();
        return call.write("send", cloud.profile.send(), bytes, () -> {
            checkThere();
            List<SendResult> results = new ArrayList<>(kept.size());
            for (Bytes body : kept) {
                if (kept.size() > 1 && cloud.faults.chance(cloud.world().unavailable())) {
                    results.add(new SendResult.NotSent(false, "RequestThrottled"));
                } else {
                    results.add(new SendResult.Sent(state.send(cloud, body, client.serverMillis())));
                }
            }
            return results;
        });
    }

    private long checkBatch(List<Bytes> bodies) {
        QueueLimits limits = cloud.profile.limits();
        long bytes = bodies.stream().mapToLong(Bytes::length).sum();
        boolean oversized = bodies.stream().anyMatch(body -> body.length() > limits.messageBytes());
        if (bodies.isEmpty() || bodies.size() > limits.batchEntries() || oversized || bytes > limits.batchBytes()) {
            throw new InvalidRequestException(
                    "a batch is above a limit of the queue service; split it",
                    "queue",
                    state.name,
                    "entries",
                    bodies.size(),
                    "bytes",
                    bytes);
        }
        return bytes;
    }

    @Override
    public List<Delivery> receive(int max, Duration visibility, Duration wait) {
        if (max < 1 || max > Math.max(10, cloud.profile.limits().batchEntries())) {
            throw new InvalidRequestException("a receive takes 1 to 10 messages; ask for fewer", "max", max);
        }
        long deadline = cloud.simulation.nowNanos() + wait.toNanos();
        return call.read(
                "receive",
                cloud.profile.receive(),
                () -> poll(max, visibility, wait.isZero(), deadline),
                taken -> taken.stream().mapToLong(d -> d.body().length()).sum());
    }

    private List<Delivery> poll(int max, Duration visibility, boolean shortPoll, long deadlineNanos) {
        while (true) {
            checkThere();
            List<Delivery> taken = state.take(cloud, max, visibility.toNanos(), shortPoll);
            long now = cloud.simulation.nowNanos();
            if (!taken.isEmpty() || now >= deadlineNanos) {
                return taken;
            }
            long next = Math.max(state.nextVisibleNanos(deadlineNanos), now + 1);
            state.listen(cloud.simulation).awaitFor(Duration.ofNanos(next - now));
        }
    }

    @Override
    public List<Receipt> delete(List<Receipt> receipts) {
        return call.write("delete message", cloud.profile.acknowledge(), 0, () -> {
            checkThere();
            List<Receipt> failed = new ArrayList<>();
            for (Receipt receipt : receipts) {
                if (receipts.size() > 1 && cloud.faults.chance(cloud.world().unavailable())) {
                    failed.add(receipt);
                } else {
                    state.delete(cloud, receipt);
                }
            }
            return failed;
        });
    }

    @Override
    public void changeVisibility(Receipt receipt, Duration visibility) {
        call.write("change visibility", cloud.profile.acknowledge(), 0, () -> {
            checkThere();
            state.changeVisibility(cloud, receipt, visibility.toNanos());
            return true;
        });
    }

    @Override
    public QueueDepth depth() {
        return call.read(
                "queue depth",
                cloud.profile.manage(),
                () -> {
                    checkThere();
                    return state.depth(cloud.simulation.nowNanos());
                },
                depth -> 0);
    }

    private void checkThere() {
        if (state.deleted) {
            throw new InvalidRequestException("the queue was deleted; open it anew", "queue", state.name);
        }
    }
}
