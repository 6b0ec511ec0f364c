package io.penstock.spring;

import io.penstock.Penstock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AbstractTransactionManagementConfiguration;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * {@code @Transactional} on a store. Where the store is all that an application has, it needs nothing more. Beside
 * another transaction manager, {@code @Transactional} stays that one's, and the store's is asked for by its name,
 * {@value #NAME}. To see all others, this comes last.
 */
@AutoConfiguration
@AutoConfigureAfter(name = {BootNames.STARTER, BootNames.TRANSACTIONS_4, BootNames.TRANSACTIONS_3})
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
public class PenstockTransactionManagementAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(PenstockTransactionManagementAutoConfiguration.class);
    private static final String NAME = "penstockTransactionManager";

    /** The repetition of methods of every manager of a store, whoever makes it. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionRepetition penstockTransactionRepetition(
            ObjectProvider<BeanFactoryTransactionAttributeSourceAdvisor> transactions, Environment environment) {
        return new TransactionRepetition(
                transactions, PenstockProperties.of(environment).repeatTransactional());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(TransactionManager.class)
    static class Alone {
        @Bean({"transactionManager", NAME})
        PenstockTransactionManager transactionManager(Penstock store) {
            return new PenstockTransactionManager(store, store.level());
        }

        @Bean
        @ConditionalOnMissingBean(TransactionOperations.class)
        TransactionTemplate transactionTemplate(PenstockTransactionManager manager) {
            return new TransactionTemplate(manager);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(TransactionManager.class)
    @ConditionalOnMissingBean(PenstockTransactionManager.class)
    static class BesideOthers {
        @Bean(name = NAME, defaultCandidate = false)
        PenstockTransactionManager penstockTransactionManager(Penstock store) {
            LOG.info(
                    "there is another transaction manager, so @Transactional is its own; @Transactional(\"{}\") is the"
                            + " store's",
                    NAME);
            return new PenstockTransactionManager(store, store.level());
        }
    }

    /** Enables transaction management where nothing else has: since Boot 4 that is in a module of its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(AbstractTransactionManagementConfiguration.class)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Management {}
}
