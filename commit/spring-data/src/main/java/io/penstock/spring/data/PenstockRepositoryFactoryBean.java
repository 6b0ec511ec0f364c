package io.penstock.spring.data;

import io.penstock.Penstock;
import io.penstock.spring.PenstockTemplate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.support.RepositoryFactorySupport;
import org.springframework.data.repository.core.support.TransactionalRepositoryFactoryBeanSupport;

/**
 * The maker of the bean of one repository, whose {@code @Transactional} methods are the store's transactions. For
 * Spring; once set up, safe for many threads.
 */
public class PenstockRepositoryFactoryBean<R extends Repository<T, K>, T, K>
        extends TransactionalRepositoryFactoryBeanSupport<R, T, K> {
    private @Nullable RepositoryFactorySupport factory;

    public PenstockRepositoryFactoryBean(Class<? extends R> type) {
        super(type);
        setTransactionManager("penstockTransactionManager");
    }

    @Autowired
    void setStore(Penstock store, PenstockTemplate template) {
        factory = new PenstockRepositoryFactory(store, template);
    }

    @Override
    protected RepositoryFactorySupport doCreateRepositoryFactory() {
        return Objects.requireNonNull(factory, "Spring has set the store");
    }
}
