package io.penstock.spring.data;

import io.penstock.Penstock;
import io.penstock.spring.PenstockTemplate;
import io.penstock.sql.PenstockSql;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.repository.core.EntityInformation;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.RepositoryMetadata;
import org.springframework.data.repository.core.support.RepositoryFactorySupport;
import org.springframework.data.repository.query.DefaultParameters;
import org.springframework.data.repository.query.QueryLookupStrategy;
import org.springframework.data.repository.query.QueryMethod;
import org.springframework.data.repository.query.RepositoryQuery;
import org.springframework.data.repository.query.ValueExpressionDelegate;
import org.springframework.util.ClassUtils;

/** The maker of repositories. */
final class PenstockRepositoryFactory extends RepositoryFactorySupport {
    private final Penstock store;
    private final PenstockTemplate template;
    private final Map<Class<?>, StoredRecords<?, ?>> records = new ConcurrentHashMap<>();
    private @Nullable BeanFactory beans;

    PenstockRepositoryFactory(Penstock store, PenstockTemplate template) {
        this.store = store;
        this.template = template;
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        super.setBeanFactory(factory);
        beans = factory;
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
        return Optional.of((method, metadata, projections, named) -> query(
                method,
                new QueryMethod(method, metadata, projections, DefaultParameters::new),
                AnnotatedElementUtils.findMergedAnnotation(method, Query.class),
                records(metadata)));
    }

    private RepositoryQuery query(Method declared, QueryMethod method, @Nullable Query sql, StoredRecords<?, ?> of) {
        if (sql == null) {
            return new DerivedQuery<>(declared, method, of);
        }
        if (!ClassUtils.isPresent("io.penstock.sql.PenstockSql", getClass().getClassLoader())) {
            throw StoredRecords.refused("@Query needs penstock-sql among the dependencies", method.getName());
        }
        PenstockSql given =
                beans == null ? null : beans.getBeanProvider(PenstockSql.class).getIfUnique();
        return new SqlQuery<>(declared, method, sql.value(), of, store, given).checked();
    }
}
