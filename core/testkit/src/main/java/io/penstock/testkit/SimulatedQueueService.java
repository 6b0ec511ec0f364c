package io.penstock.testkit;

import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueConfiguration;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueRules;
import io.penstock.core.queue.QueueService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One client's view of the simulated queue service. */
final class SimulatedQueueService implements QueueService {
    /** The time for which a deleted name is barred, and a listing may miss a new queue. */
    private static final Duration SETTLING = Duration.ofSeconds(60);

    private final SimulatedCloud cloud;
    private final SimulatedClient client;
    private final Call call;

    SimulatedQueueService(SimulatedCloud cloud, SimulatedClient client) {
        this.cloud = cloud;
        this.client = client;
        this.call = new Call(cloud, client);
    }

    @Override
    public MessageQueue create(String name, QueueAttributes attributes) {
        QueueRules.checkName(name);
        QueueRules.checkAttributes(attributes);
        return call.write("create queue", name, CloudCall.MANAGE, 0, () -> {
            awaitName(name);
            long now = cloud.simulation.nowNanos();
            QueueConfiguration standard = QueueConfiguration.standard(attributes.retention(), cloud.profile.limits());
            cloud.queues.computeIfAbsent(name, n -> new QueueState(n, standard, now));
            return new SimulatedMessageQueue(cloud, client, name);
        });
    }

    /** Waits until a deleted queue's name is free. */
    private void awaitName(String name) {
        while (true) {
            long freeNanos = cloud.namesBarredUntil.getOrDefault(name, Long.MIN_VALUE);
            if (freeNanos <= cloud.simulation.nowNanos()) {
                cloud.namesBarredUntil.remove(name);
                return;
            }
            cloud.simulation.sleep(freeNanos - cloud.simulation.nowNanos());
        }
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        QueueRules.checkName(name);
        return call.read(
                "find queue",
                name,
                answer -> CloudCall.MANAGE,
                () -> Optional.ofNullable(cloud.queues.get(name))
                        .map(state -> new SimulatedMessageQueue(cloud, client, name)),
                found -> 0);
    }

    @Override
    public List<String> list(String prefix) {
        return call.read(
                "list queues",
                prefix,
                answer -> CloudCall.MANAGE,
                () -> cloud.queues.values().stream()
                        .filter(queue -> queue.name.startsWith(prefix) && isListed(queue))
                        .map(queue -> queue.name)
                        .toList(),
                names -> 0);
    }

    private boolean isListed(QueueState queue) {
        boolean young = queue.createdNanos + SETTLING.toNanos() > cloud.simulation.nowNanos();
        return !(young && cloud.faults.chance(cloud.world().missed()));
    }

    @Override
    public void delete(String name) {
        QueueRules.checkName(name);
        call.write("delete queue", name, CloudCall.MANAGE, 0, () -> {
            QueueState state = cloud.queues.remove(name);
            if (state != null) {
                cloud.namesBarredUntil.put(name, cloud.simulation.nowNanos() + SETTLING.toNanos());
                state.announce();
            }
            return true;
        });
    }

    @Override
    public QueueLimits limits() {
        return cloud.profile.limits();
    }

    @Override
    public void close() {}
}
