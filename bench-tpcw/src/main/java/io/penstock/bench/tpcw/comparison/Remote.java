package io.penstock.bench.tpcw.comparison;

import io.penstock.bench.aws.AwsServers;
import java.util.function.Function;

/**
 * Servers that several processes share. It carries no credentials; a process finds them where the driver did.
 *
 * @param prefix of the store
 * @param processes how many there are to be
 */
public record Remote(AwsServers servers, String prefix, int processes) {
    /** Connects this process; its clients are threads. */
    public <T> T connect(Function<Venue.Site, T> body) {
        try (AwsSite site = new AwsSite(servers, prefix, 1)) {
            return body.apply(site);
        }
    }
}
