package io.penstock.spring.data;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same cases in a bucket of LocalStack. */
@Tag("servers")
class RepositoriesOnServersTest extends RepositoryTest {
    @Override
    List<Place> places() {
        return List.of(Place.LOCALSTACK);
    }
}
