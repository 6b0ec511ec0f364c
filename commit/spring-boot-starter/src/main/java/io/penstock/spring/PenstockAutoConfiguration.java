package io.penstock.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Settings;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * The beans of a store: {@link Settings} from the properties {@code penstock.*}, the {@link Penstock} that they open,
 * and {@link PenstockTemplate}. Each gives way to a bean of the application's own.
 *
 * <p>The store is closed like any other bean: after the web server has stopped, and after all beans that use it.
 */
@AutoConfiguration
@AutoConfigureAfter(name = {BootNames.METERS_4, BootNames.METERS_3, BootNames.OBSERVATIONS_4, BootNames.OBSERVATIONS_3})
@Import({HealthConfiguration.class, SessionCookieConfiguration.class})
public class PenstockAutoConfiguration {
    /** The bean of the settings that the properties make. */
    static final String SETTINGS = "penstockSettings";

    private static final Logger LOG = LoggerFactory.getLogger(PenstockAutoConfiguration.class);

    @Bean
    PenstockProperties penstockProperties(Environment environment) {
        return PenstockProperties.of(environment);
    }

    @Bean(SETTINGS)
    @ConditionalOnMissingBean({Settings.class, Penstock.class})
    Settings penstockSettings(PenstockProperties properties, ObjectProvider<SettingsCustomizer> customizers) {
        properties.requireKnown();
        Settings settings = Settings.from(properties.ofStore()).tokens(tokens(properties));
        for (SettingsCustomizer customizer : customizers.orderedStream().toList()) {
            settings = customizer.customize(settings);
        }
        return settings;
    }

    /** Adds the application's registries to the settings, its own too, and tells the properties that these hide. */
    @Bean
    static BeanPostProcessor penstockRegistries(
            ListableBeanFactory beans,
            ObjectProvider<PenstockProperties> properties,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<ObservationRegistry> observations) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof Penstock && beans.getBeanNamesForType(Settings.class, true, false).length == 0) {
                    warnOfHidden(name, properties.getObject());
                }
                if (!(bean instanceof Settings settings)) {
                    return bean;
                }
                if (!name.equals(SETTINGS)) {
                    warnOfHidden(name, properties.getObject());
                }
                MeterRegistry registry = settings.isMetered() ? null : meters.getIfUnique();
                ObservationRegistry observed = settings.isObserved() ? null : observations.getIfUnique();
                Settings metered = registry == null ? settings : settings.meters(registry);
                return observed == null ? metered : metered.observations(observed);
            }
        };
    }

    private static void warnOfHidden(String bean, PenstockProperties properties) {
        List<String> hidden = properties.hidden();
        if (!hidden.isEmpty()) {
            LOG.warn(
                    "the bean {} hides properties; set them in its Settings, or use a SettingsCustomizer in its place"
                            + " properties={}",
                    bean,
                    hidden);
        }
    }

    /** A browser may hold on to a token for ever: one that is of no use any more begins anew. */
    private static Session.Tokens tokens(PenstockProperties properties) {
        Session.Tokens tokens = properties
                .sessionKey()
                .map(Session.Tokens::signed)
                .orElseGet(Session.Tokens::unsigned)
                .orAnew();
        return properties.sessionWithin().map(tokens::waitAtMost).orElse(tokens);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Penstock penstock(Settings settings) {
        return Penstock.open(settings);
    }

    @Bean
    @ConditionalOnMissingBean
    PenstockTemplate penstockTemplate(Penstock store) {
        return new PenstockTemplate(store);
    }

    /** After all beans are made, and before the web server takes requests. */
    @Bean
    SmartInitializingSingleton penstockStart(PenstockTemplate template) {
        return template::start;
    }

    @Bean
    @ConditionalOnMissingBean
    PenstockExceptionTranslator penstockExceptionTranslator() {
        return new PenstockExceptionTranslator();
    }
}
