package io.penstock.spring.data;

import io.penstock.Penstock;
import io.penstock.annotation.Stored;
import java.lang.annotation.Annotation;
import java.util.Collection;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.data.AbstractRepositoryConfigurationSourceSupport;
import org.springframework.context.annotation.Import;
import org.springframework.data.repository.config.RepositoryConfigurationExtension;
import org.springframework.data.repository.config.RepositoryConfigurationExtensionSupport;

/** The repositories in the packages of an application, unless {@link EnablePenstockRepositories} names others. */
@AutoConfiguration(afterName = "io.penstock.spring.PenstockAutoConfiguration")
@ConditionalOnBean(Penstock.class)
@ConditionalOnMissingBean(PenstockRepositoryFactoryBean.class)
@Import(PenstockRepositoriesAutoConfiguration.Registrar.class)
public class PenstockRepositoriesAutoConfiguration {
    /** Beside other modules of Spring Data, ours are the repositories of classes with {@link Stored}. */
    static final class Extension extends RepositoryConfigurationExtensionSupport {
        @Override
        protected String getModulePrefix() {
            return "penstock";
        }

        @Override
        public String getRepositoryFactoryBeanClassName() {
            return PenstockRepositoryFactoryBean.class.getName();
        }

        @Override
        protected Collection<Class<? extends Annotation>> getIdentifyingAnnotations() {
            return List.of(Stored.class);
        }
    }

    static final class Registrar extends AbstractRepositoryConfigurationSourceSupport {
        @EnablePenstockRepositories
        private static final class Enabled {}

        @Override
        protected Class<? extends Annotation> getAnnotation() {
            return EnablePenstockRepositories.class;
        }

        @Override
        protected Class<?> getConfiguration() {
            return Enabled.class;
        }

        @Override
        protected RepositoryConfigurationExtension getRepositoryConfigurationExtension() {
            return new Extension();
        }
    }
}
