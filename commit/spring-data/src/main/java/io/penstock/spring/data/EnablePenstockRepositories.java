package io.penstock.spring.data;

import java.lang.annotation.Annotation;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Import;
import org.springframework.data.repository.config.RepositoryBeanDefinitionRegistrarSupport;
import org.springframework.data.repository.config.RepositoryConfigurationExtension;
import org.springframework.data.repository.query.QueryLookupStrategy;

/**
 * Makes beans of the repositories in some packages, by default that of the annotated class. An application of Spring
 * Boot needs it only for packages other than its own. The attributes are those of Spring Data.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(EnablePenstockRepositories.Registrar.class)
public @interface EnablePenstockRepositories {
    String[] value() default {};

    String[] basePackages() default {};

    Class<?>[] basePackageClasses() default {};

    Filter[] includeFilters() default {};

    Filter[] excludeFilters() default {};

    String repositoryImplementationPostfix() default "Impl";

    String namedQueriesLocation() default "";

    QueryLookupStrategy.Key queryLookupStrategy() default QueryLookupStrategy.Key.CREATE_IF_NOT_FOUND;

    Class<?> repositoryFactoryBeanClass() default PenstockRepositoryFactoryBean.class;

    /** The way from the annotation to the beans. */
    class Registrar extends RepositoryBeanDefinitionRegistrarSupport {
        @Override
        protected Class<? extends Annotation> getAnnotation() {
            return EnablePenstockRepositories.class;
        }

        @Override
        protected RepositoryConfigurationExtension getExtension() {
            return new PenstockRepositoriesAutoConfiguration.Extension();
        }
    }
}
