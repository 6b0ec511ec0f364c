package io.penstock.bench.tpcw.run;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.util.function.Function;

/** The way in which a separate process reaches the servers of a visit. It carries no credentials. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
public sealed interface Remote {
    /** Returns the number of processes to start. */
    int processes();

    /** Connects this process; its clients are threads. */
    <T> T connect(Function<Venue.Site, T> body);

    /**
     * Servers that several processes share. A process finds credentials where the driver did.
     *
     * @param prefix of the store
     */
    record Servers(AwsServers servers, String prefix, int processes) implements Remote {
        @Override
        public <T> T connect(Function<Venue.Site, T> body) {
            try (AwsSite site = new AwsSite(servers, prefix, 1)) {
                return body.apply(site);
            }
        }
    }

    /** A directory that the driver has opened, and answers for. */
    record Directory(String path, int processes) implements Remote {
        @Override
        public <T> T connect(Function<Venue.Site, T> body) {
            Tasks tasks = new ThreadTasks();
            try (LocalCloud cloud = LocalCloud.attach(Path.of(path), tasks)) {
                return body.apply(LocalVenue.site(cloud, tasks));
            }
        }
    }
}
