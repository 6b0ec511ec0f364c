package io.penstock.spring.data;

import io.penstock.Penstock;
import io.penstock.spring.PenstockTemplate;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.data.repository.core.EntityInformation;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.RepositoryMetadata;
import org.springframework.data.repository.core.support.RepositoryFactorySupport;
import org.springframework.data.repository.query.DefaultParameters;
import org.springframework.data.repository.query.QueryLookupStrategy;
import org.springframework.data.repository.query.QueryMethod;
import org.springframework.data.repository.query.ValueExpressionDelegate;

/** The maker of repositories. */
final class PenstockRepositoryFactory extends RepositoryFactorySupport {
    private final Penstock store;
    private final PenstockTemplate template;
    private final Map<Class<?>, StoredRecords<?, ?>> records = new ConcurrentHashMap<>();

    PenstockRepositoryFactory(Penstock store, PenstockTemplate template) {
        this.store = store;
        this.template = template;
    }

    private StoredRecords<?, ?> records(RepositoryMetadata metadata) {
        StoredRecords<?, ?> found = records.computeIfAbsent(metadata.getDomainType(), this::of);
        found.requireKeys(metadata.getIdType());
        return found;
    }

    private <T> StoredRecords<T, ?> of(Class<T> type) {
        return new StoredRecords<>(
                template.records(store.<Object, T>collection(type)).collection(), template, type);
    }

    @Override
    public EntityInformation<?, ?> getEntityInformation(RepositoryMetadata metadata) {
        return records(metadata).keys();
    }

    @Override
    protected Object getTargetRepository(RepositoryInformation information) {
        return new RecordRepository<>(records(information));
    }

    @Override
    protected Class<?> getRepositoryBaseClass(RepositoryMetadata metadata) {
        return RecordRepository.class;
    }

    @Override
    protected Optional<QueryLookupStrategy> getQueryLookupStrategy(
            QueryLookupStrategy.@Nullable Key key, ValueExpressionDelegate expressions) {
        return Optional.of((method, metadata, projections, named) -> new DerivedQuery<>(
                new QueryMethod(method, metadata, projections, DefaultParameters::new), records(metadata)));
    }
}
