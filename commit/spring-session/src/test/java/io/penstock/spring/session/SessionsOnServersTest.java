package io.penstock.spring.session;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same cases in a bucket of LocalStack. */
@Tag("servers")
class SessionsOnServersTest extends SessionRepositoryTest {
    @Override
    List<Servers.Place> places() {
        return List.of(Servers.Place.LOCALSTACK);
    }
}
