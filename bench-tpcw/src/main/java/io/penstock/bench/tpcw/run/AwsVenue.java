package io.penstock.bench.tpcw.run;

import io.penstock.bench.aws.AwsServers;
import io.penstock.bench.aws.StorePrefix;
import io.penstock.core.task.ThreadTasks;
import java.util.function.Function;

/**
 * S3 and SQS in real time: each visit has a store prefix of its own below that of the run.
 *
 * @param run begins the prefixes of all stores of this run; no other run may use it
 * @param processes 1: clients are threads of this process; more: they are spread over that number of client processes
 */
public record AwsVenue(AwsServers servers, String run, int processes) implements Venue {
    @Override
    public <T> T visit(String name, Function<Site, T> body) {
        try (AwsSite site = new AwsSite(servers, run + "-" + name, processes)) {
            return body.apply(site);
        }
    }

    /**
     * Checks that both services answer.
     *
     * @throws io.penstock.core.StoreException when one cannot be reached, or refuses
     */
    public void requireReachable() {
        try (AwsServers.Connection connection = servers.connect(new ThreadTasks())) {
            connection.objects().list(run, "", 1);
            connection.queues().list(run);
        }
    }

    /** Removes all objects and queues of the visits. */
    public void remove() {
        new StorePrefix(servers, run + "-").remove(new ThreadTasks());
    }
}
