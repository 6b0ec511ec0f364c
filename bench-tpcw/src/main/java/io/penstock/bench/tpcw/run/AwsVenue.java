package io.penstock.bench.tpcw.run;

import io.penstock.Settings;
import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.aws.StorePrefix;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * S3 and SQS in real time: each visit has a store prefix of its own below that of the run.
 *
 * @param run begins the prefixes of all stores of this run; no other run may use it
 * @param processes 1: clients are threads of this process; more: they are spread over that number of client processes
 */
public record AwsVenue(AwsServers servers, String run, int processes) implements Venue {
    /** The number of base-36 digits that distinguish runs: some 78 billion. */
    private static final int DIGITS = 7;

    /**
     * Returns the place of a run with a name of its own, which begins with {@code prefix}.
     *
     * @throws io.penstock.core.StoreException when one of the services cannot be reached, or refuses
     */
    public static AwsVenue fresh(AwsServers servers, String prefix, int processes) {
        Tasks tasks = new ThreadTasks();
        long bound = (long) Math.pow(Character.MAX_RADIX, DIGITS);
        String digits = Long.toString(tasks.random().nextLong(bound), Character.MAX_RADIX);
        String run = prefix + "-" + "0".repeat(DIGITS - digits.length()) + digits;
        try (AwsServers.Connection connection = servers.connect(tasks)) {
            connection.objects().list(run, "", 1);
            connection.queues().list(run);
        }
        return new AwsVenue(servers, run, processes);
    }

    @Override
    public <T> T visit(String name, Function<Site, T> body) {
        try (AwsSite site = new AwsSite(servers, run + "-" + name, processes)) {
            return body.apply(site);
        }
    }

    /** Removes all objects and queues of the visits. */
    public void remove() {
        new StorePrefix(servers, run + "-").remove(new ThreadTasks());
    }

    /**
     * One store on S3 and SQS. Each machine has connections of its own, as if it were one; they are closed with the
     * site. For one thread.
     */
    static final class AwsSite implements Venue.Site, AutoCloseable {
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
            return new Machine(settings.prefix(prefix), connection.objects(), tasks);
        }

        @Override
        public Optional<Venue.Remote> remote() {
            return processes == 1
                    ? Optional.empty()
                    : Optional.of(new Venue.Remote.Servers(servers, prefix, processes));
        }

        @Override
        public void close() {
            connections.values().forEach(AwsServers.Connection::close);
            connections.clear();
        }
    }
}
