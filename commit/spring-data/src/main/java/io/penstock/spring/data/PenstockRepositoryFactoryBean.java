package io.penstock.spring.data;

import io.penstock.Penstock;
import io.penstock.spring.PenstockExceptionTranslator;
import io.penstock.spring.PenstockTemplate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.support.PersistenceExceptionTranslationInterceptor;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;
import org.springframework.data.repository.core.support.RepositoryFactorySupport;

/** The maker of the bean of one repository. For Spring; once set up, safe for many threads. */
public class PenstockRepositoryFactoryBean<R extends Repository<T, K>, T, K>
        extends RepositoryFactoryBeanSupport<R, T, K> {
    private @Nullable RepositoryFactorySupport factory;

    public PenstockRepositoryFactoryBean(Class<? extends R> type) {
        super(type);
    }

    @Autowired
    void setStore(Penstock store, PenstockTemplate template) {
        factory = new PenstockRepositoryFactory(store, template);
        factory.addRepositoryProxyPostProcessor((proxy, repository) ->
                proxy.addAdvice(new PersistenceExceptionTranslationInterceptor(new PenstockExceptionTranslator())));
    }

    @Override
    protected RepositoryFactorySupport createRepositoryFactory() {
        return Objects.requireNonNull(factory, "Spring has set the store");
    }
}
