package io.penstock.shedlock;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same cases in a bucket of LocalStack. */
@Tag("servers")
class LocksOnServersTest extends LockProviderTest {
    @Override
    List<Place> places() {
        return List.of(Place.LOCALSTACK);
    }
}
