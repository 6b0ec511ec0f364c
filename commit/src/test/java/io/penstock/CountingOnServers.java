package io.penstock;

import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import io.penstock.testing.AwsServers;
import io.penstock.testing.RealServers.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/**
 * The program that {@link RestartOnServersTest} kills: it counts on from what it reads, prints {@code at <count>;}
 * after each acknowledged commit, and then waits for its end.
 */
final class CountingOnServers {
    /** What a client is given to be silent; others see its writes within twice that. */
    static final Duration DEAD_AFTER = Duration.ofSeconds(15);

    private CountingOnServers() {}

    static Settings settings(AwsServers servers, Tasks tasks, String prefix) {
        return Settings.on(servers.objects(), servers.queues(), tasks)
                .level(ConsistencyLevel.ATOMIC)
                .prefix(prefix)
                .ttl(Duration.ofSeconds(1))
                .advanced(advanced -> advanced.heartbeatInterval(Duration.ofSeconds(2)))
                .deadAfter(DEAD_AFTER)
                .advanced(advanced -> advanced.lease(Duration.ofSeconds(5)));
    }

    /** Arguments: addresses of S3 and SQS, access key, secret key, prefix, a client's name or none, how often. */
    public static void main(String[] a) throws IOException {
        Tasks tasks = new ThreadTasks();
        Endpoint endpoint = new Endpoint(URI.create(a[0]), URI.create(a[1]), a[2], a[3]);
        AwsServers servers = AwsServers.at(endpoint, Duration.ofSeconds(10), tasks);
        Settings settings = settings(servers, tasks, a[4]);
        Penstock store = Penstock.open(a[5].isEmpty() ? settings : settings.clientName(a[5]));
        CountingProgram.Counter counter = CountingProgram.counter(store);
        long count = counter.read();
        System.out.println("at " + count + ";");
        for (int i = 0; i < Integer.parseInt(a[6]); i++) {
            counter.write(++count);
            System.out.println("at " + count + ";");
            System.out.flush();
        }
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(9); // nobody waits for it any more
        }
    }
}
