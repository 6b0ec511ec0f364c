package io.penstock.spring;

import io.penstock.Penstock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Sessions that follow their users by a cookie, if {@code penstock.session-cookie} names it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(name = "jakarta.servlet.Filter")
@Conditional(SessionCookieConfiguration.Named.class)
class SessionCookieConfiguration {
    /** The condition that the name is given. */
    static final class Named implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return PenstockProperties.of(context.getEnvironment())
                    .sessionCookie()
                    .isPresent();
        }
    }

    /** Does not open the store: the web server makes its filters early, and would log its failure at length. */
    @Bean
    SessionCookieFilter penstockSessionCookieFilter(ObjectProvider<Penstock> store, PenstockProperties properties) {
        return new SessionCookieFilter(
                store::getObject, properties.sessionCookie().orElseThrow());
    }
}
