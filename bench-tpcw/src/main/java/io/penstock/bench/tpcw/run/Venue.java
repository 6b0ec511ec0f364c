package io.penstock.bench.tpcw.run;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.penstock.bench.aws.AwsServers;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.Tasks;
import io.penstock.core.task.ThreadTasks;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/** A place to run on: provides fresh, empty servers for each visit. */
public interface Venue {
    /**
     * Runs {@code body} on fresh servers and returns its result. Inside, time and tasks are those of the machines
     * alone.
     *
     * @param name of the visit: 1 to 30 of a-z 0-9 -
     */
    <T> T visit(String name, Function<Site, T> body);

    /** The servers of one visit. */
    @FunctionalInterface
    interface Site {
        /** The machine of that name; "main" is the one that the visit runs on. */
        Machine machine(String name);

        /**
         * Kills a machine with all that runs on it.
         *
         * @throws UnsupportedOperationException if machines here are not simulated
         */
        default void crash(String name) {
            throw new UnsupportedOperationException("only a simulated machine can be killed alone: " + name);
        }

        /**
         * Returns the way in which separate processes reach these servers; empty if all clients are to be threads of
         * this process.
         */
        default Optional<Remote> remote() {
            return Optional.empty();
        }
    }

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
                try (AwsVenue.AwsSite site = new AwsVenue.AwsSite(servers, prefix, 1)) {
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
}
