package io.penstock.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AbstractTransactionManagementConfiguration;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** {@code @Transactional} where nothing else has enabled it: since Boot 4 that is in a module of its own. */
@AutoConfiguration
@AutoConfigureAfter(name = {BootNames.STARTER, BootNames.TRANSACTIONS_4, BootNames.TRANSACTIONS_3})
@ConditionalOnBean(TransactionManager.class)
@ConditionalOnMissingBean(AbstractTransactionManagementConfiguration.class)
@EnableTransactionManagement(proxyTargetClass = true)
public class PenstockTransactionManagementAutoConfiguration {}
