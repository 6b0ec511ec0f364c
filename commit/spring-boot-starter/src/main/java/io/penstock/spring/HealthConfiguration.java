package io.penstock.spring;

import io.penstock.Penstock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of the store, for the actuator of Boot 4 or of Boot 3, whose types have other packages. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "management.health.penstock.enabled", havingValue = "true", matchIfMissing = true)
class HealthConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    static class OfBoot4 {
        @Bean
        @ConditionalOnMissingBean(name = "penstockHealthIndicator")
        PenstockHealthIndicator penstockHealthIndicator(Penstock store) {
            return new PenstockHealthIndicator(store);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    static class OfBoot3 {
        @Bean
        @ConditionalOnMissingBean(name = "penstockHealthIndicator")
        PenstockHealthIndicatorOfBoot3 penstockHealthIndicator(Penstock store) {
            return new PenstockHealthIndicatorOfBoot3(store);
        }
    }
}
