package io.penstock.core.sim;

import io.penstock.core.InvalidRequestException;
import io.penstock.core.queue.MessageQueue;
import io.penstock.core.queue.QueueAttributes;
import io.penstock.core.queue.QueueLimits;
import io.penstock.core.queue.QueueService;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** One client's view of the simulated queue service. */
final class SimulatedQueueService implements QueueService {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}");

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
        if (!NAME.matcher(name).matches()) {
            throw new InvalidRequestException(
                    "a queue name must be 1 to 80 of A-Z a-z 0-9 - _; choose another", "queue", name);
        }
        return call.write("create queue", cloud.profile.manage(), 0, () -> {
            QueueState state = cloud.queues.computeIfAbsent(name, n -> new QueueState(n, attributes));
            return new SimulatedMessageQueue(cloud, client, state);
        });
    }

    @Override
    public Optional<MessageQueue> find(String name) {
        return call.read(
                "find queue",
                cloud.profile.manage(),
                () -> Optional.ofNullable(cloud.queues.get(name))
                        .map(state -> new SimulatedMessageQueue(cloud, client, state)),
                found -> 0);
    }

    @Override
    public List<String> list(String prefix) {
        return call.read(
                "list queues",
                cloud.profile.manage(),
                () -> cloud.queues.keySet().stream()
                        .filter(name -> name.startsWith(prefix))
                        .toList(),
                names -> 0);
    }

    @Override
    public void delete(String name) {
        call.write("delete queue", cloud.profile.manage(), 0, () -> {
            QueueState state = cloud.queues.remove(name);
            if (state != null) {
                state.deleted = true;
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
