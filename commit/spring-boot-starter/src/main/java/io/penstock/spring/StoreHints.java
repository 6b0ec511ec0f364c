package io.penstock.spring;

import io.penstock.annotation.Stored;
import io.penstock.commit.catalog.CollectionDefinition;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * The classes that a native image needs for reflection: the store's definitions, which are JSON, and all classes with
 * {@link Stored} in the packages of the application.
 */
final class StoreHints implements RuntimeHintsRegistrar, BeanFactoryInitializationAotProcessor {
    private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        bindings.registerReflectionHints(hints.reflection(), CollectionDefinition.class);
    }

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        if (!AutoConfigurationPackages.has(beans)) {
            return null;
        }
        ClassPathScanningCandidateComponentProvider scan = new ClassPathScanningCandidateComponentProvider(false);
        scan.addIncludeFilter(new AnnotationTypeFilter(Stored.class));
        Class<?>[] stored = AutoConfigurationPackages.get(beans).stream()
                .flatMap(of -> scan.findCandidateComponents(of).stream())
                .map(found -> ClassUtils.resolveClassName(
                        String.valueOf(found.getBeanClassName()), beans.getBeanClassLoader()))
                .toArray(Class<?>[]::new);
        return (context, code) ->
                bindings.registerReflectionHints(context.getRuntimeHints().reflection(), stored);
    }
}
