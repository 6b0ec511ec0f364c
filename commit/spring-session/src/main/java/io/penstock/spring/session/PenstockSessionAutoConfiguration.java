package io.penstock.spring.session;

import io.penstock.Penstock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.session.autoconfigure.SessionProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.session.FlushMode;
import org.springframework.session.SaveMode;
import org.springframework.session.SessionRepository;
import org.springframework.session.config.SessionRepositoryCustomizer;
import org.springframework.session.config.annotation.web.http.SpringHttpSessionConfiguration;

/**
 * The sessions of a web application in its store, unless it has another {@link SessionRepository}. Timeout, cookie and
 * filter are Spring Boot's ({@code spring.session.*}, {@code server.servlet.session.*}).
 */
@AutoConfiguration(before = SessionAutoConfiguration.class, afterName = "io.penstock.spring.PenstockAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(Penstock.class)
@ConditionalOnMissingBean(SessionRepository.class)
@EnableConfigurationProperties({ServerProperties.class, SessionProperties.class})
@Import(SpringHttpSessionConfiguration.class)
public class PenstockSessionAutoConfiguration {
    @Bean
    PenstockSessionRepository sessionRepository(
            Penstock store,
            SessionProperties properties,
            ServerProperties server,
            Environment environment,
            ObjectProvider<SessionRepositoryCustomizer<PenstockSessionRepository>> customizers) {
        PenstockSessionRepository repository = new PenstockSessionRepository(store);
        repository.setDefaultMaxInactiveInterval(
                properties.determineTimeout(server.getServlet().getSession()::getTimeout));
        Binder binder = Binder.get(environment);
        binder.bind("spring.session.penstock.flush-mode", FlushMode.class).ifBound(repository::setFlushMode);
        binder.bind("spring.session.penstock.save-mode", SaveMode.class).ifBound(repository::setSaveMode);
        customizers.orderedStream().forEach(customizer -> customizer.customize(repository));
        return repository;
    }
}
