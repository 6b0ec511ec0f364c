package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.Settings;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The endpoint of the actuator, where the application exposes it. */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnBean(Penstock.class)
@ConditionalOnSingleCandidate(Settings.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(endpoint = PenstockEndpoint.class)
class PenstockEndpointAutoConfiguration {
    @Bean
    HourlyCost penstockHourlyCost(Penstock store, Settings settings) {
        return new HourlyCost(settings.meters(), store.tasks());
    }

    @Bean
    @ConditionalOnMissingBean
    PenstockEndpoint penstockEndpoint(
            Penstock store, Settings settings, PenstockProperties properties, BeanFactory beans, HourlyCost cost) {
        String place = beans.containsBean(PenstockAutoConfiguration.SETTINGS)
                ? properties.place()
                : "of the application's own Settings";
        return new PenstockEndpoint(store, settings, place, cost);
    }
}
