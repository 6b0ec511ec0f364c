package io.penstock.bench.commits;

import io.penstock.testing.LatencyProxy;
import java.time.Duration;
import java.util.List;

/** A way to make 100 bytes durable. */
interface Contender {
    int PAYLOAD_BYTES = 100;

    /** A new store that callers commit to, each to a key of its own, and that is then left alone. */
    interface Store extends AutoCloseable {
        /** Returns after a time to warm up. */
        void warm();

        /** Returns the milliseconds of the commits that began after {@link #warm} and ended within so long. */
        List<Double> commits(Duration length);

        @Override
        void close();
    }

    String name();

    Store open(Place place, int callers);

    /** Commits of some callers. */
    default Commits measure(Place place, int callers, Duration length) {
        try (Store store = open(place, callers)) {
            store.warm();
            LatencyProxy.Bill before = place.bill();
            List<Double> millis = store.commits(length);
            return Commits.of(
                    place.profile().name(),
                    name(),
                    callers,
                    millis,
                    length,
                    place.bill().since(before));
        }
    }
}
