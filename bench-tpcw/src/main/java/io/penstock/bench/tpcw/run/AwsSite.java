package io.penstock.bench.tpcw.run;

import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One store on S3 and SQS. Each machine has connections of its own, as if it were one; they are closed with the site.
 * For one thread.
 */
final class AwsSite implements Venue.Site, AutoCloseable {
    private final AwsServers servers;
    private final String prefix;
    private final int processes;
    private final Tasks tasks = new ThreadTasks();
    private final Map<String, AwsServers.Connection> connections = new HashMap<>();

    /** @param processes 1: its clients are threads of this process; more: that number of separate processes */
    AwsSite(AwsServers servers, String prefix, int processes) {
        this.servers = servers;
        this.prefix = prefix;
        this.processes = processes;
    }

    @Override
    public Machine machine(String name) {
        AwsServers.Connection connection = connections.computeIfAbsent(name, key -> servers.connect(tasks));
        Settings settings = Settings.on(connection.objects(), connection.queues(), tasks);
        return new Machine(settings.prefix(prefix), tasks);
    }

    @Override
    public Optional<Remote> remote() {
        return processes == 1 ? Optional.empty() : Optional.of(new Remote.Servers(servers, prefix, processes));
    }

    @Override
    public void close() {
        connections.values().forEach(AwsServers.Connection::close);
        connections.clear();
    }
}
