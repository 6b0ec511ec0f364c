package io.penstock.spring.data;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.spring.PenstockTemplate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.repository.Repository;

/** Names, keys and numbers that a repository could easily take for others. */
class RepositoryEdgesTest {
    private Penstock store;
    private PenstockRepositoryFactory factory;

    @BeforeEach
    void open() {
        store = Penstock.open(Settings.inMemory());
        factory = new PenstockRepositoryFactory(store, new PenstockTemplate(store));
    }

    @AfterEach
    void close() {
        store.close();
    }

    interface IgnoresCase extends Repository<Customer, String> {
        List<Customer> findByCityIgnoreCase(String city);
    }

    interface IgnoresAllCase extends Repository<Customer, String> {
        List<Customer> findByCityAndEmailAllIgnoreCase(String city, String email);
    }

    @Test
    void noNameIgnoresCase() {
        for (Class<?> repository : List.of(IgnoresCase.class, IgnoresAllCase.class)) {
            assertThatThrownBy(() -> factory.getRepository(repository))
                    .as(repository.getSimpleName())
                    .hasRootCauseInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasStackTraceContaining("compares text as it is");
        }
    }
}
