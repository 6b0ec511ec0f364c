package io.penstock.junit;

import io.penstock.Penstock;
import io.penstock.Settings;
import java.lang.reflect.Field;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ModifierSupport;

/** The extension behind {@link InMemory}. */
final class PenstockExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace STORES = ExtensionContext.Namespace.create(PenstockExtension.class);

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        for (Object test : context.getRequiredTestInstances().getAllInstances()) {
            for (Field field : AnnotationSupport.findAnnotatedFields(test.getClass(), InMemory.class)) {
                if (ModifierSupport.isStatic(field)) {
                    throw refused(field.toString());
                }
                field.setAccessible(true);
                field.set(test, of(field.getType(), context, field.toString()));
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.isAnnotated(InMemory.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw refused(parameter.toString());
        }
        return of(parameter.getParameter().getType(), context, parameter.toString());
    }

    private static Object of(Class<?> type, ExtensionContext context, String place) {
        ExtensionContext.Store kept = context.getStore(STORES);
        if (type == Settings.class) {
            return settings(kept);
        }
        if (type == Penstock.class) {
            Penstock store = kept.get(Penstock.class, Penstock.class);
            if (store == null) {
                store = Penstock.open(settings(kept));
                kept.put(Penstock.class, store);
            }
            return store;
        }
        throw refused(place);
    }

    private static Settings settings(ExtensionContext.Store kept) {
        @Nullable Settings known = kept.get(Settings.class, Settings.class);
        if (known == null) {
            known = Settings.inMemory();
            kept.put(Settings.class, known);
        }
        return Objects.requireNonNull(known);
    }

    private static ExtensionConfigurationException refused(String place) {
        return new ExtensionConfigurationException(
                "@InMemory is for a Penstock or Settings of each test, in an instance"
                        + " field or a parameter of a test, @BeforeEach or @AfterEach method; correct: " + place);
    }

    /** Closes the store of the test; a later JUnit than 5.12 would do so by itself, and finds it closed. */
    @Override
    public void afterEach(ExtensionContext context) {
        Penstock store = context.getStore(STORES).get(Penstock.class, Penstock.class);
        if (store != null) {
            store.close();
        }
    }
}
