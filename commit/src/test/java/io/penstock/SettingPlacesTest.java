package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.commit.settings.NamedSettings;
import io.penstock.commit.settings.StoreSettings;
import io.penstock.core.InvalidRequestException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The places of a setting that neither the compiler nor a page points at: one that is never passed on, or is passed as
 * its neighbour of the same type, compiles.
 */
class SettingPlacesTest {
    private static final Settings SETTINGS = Settings.inMemory();

    /** Texts of which each setting that text can give takes one that is not its default. */
    private static final List<String> TEXTS =
            List.of("97s", "2h", "true", "false", "1MB", "8GB", "other", "7", "existing", "k " + "A".repeat(43) + "=");

    /** The components of {@link StoreSettings} that have other names than their settings. */
    private static final Map<String, String> OTHER_NAMES = Map.of(
            "poolBytes", "pool",
            "memoryBytes", "workBytes",
            "clientName", "name",
            "logRetention", "retention",
            "callBudget", "budget",
            "layout", "routing",
            "provisioning", "mayCreate");

    @Test
    void eachSettingReachesTheStoreUnderItsName() {
        for (String name : NamedSettings.names(Settings.class)) {
            String plain = camel(name.substring(name.indexOf('.') + 1));
            if (!plain.equals("level")) { // a transaction asks the settings themselves
                assertThat(changedBy(name)).as(name).contains(OTHER_NAMES.getOrDefault(plain, plain));
            }
        }
    }

    private static String camel(String kebab) {
        StringBuilder camel = new StringBuilder();
        for (String word : kebab.split("-")) {
            camel.append(camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return camel.toString();
    }

    /** The components that differ from those of unchanged settings for any text that the setting takes. */
    private static Set<String> changedBy(String name) {
        Map<String, Object> before = components(SETTINGS.forStore());
        Set<String> changed = new TreeSet<>();
        for (String text : TEXTS) {
            try {
                components(SETTINGS.with(Map.of(name, text)).forStore()).forEach((component, value) -> {
                    if (!Objects.equals(value, before.get(component))) {
                        changed.add(component);
                    }
                });
            } catch (InvalidRequestException refused) {
                // text of another type, or out of range
            }
        }
        return changed;
    }

    /** All values by name, those of the groups too. */
    private static Map<String, Object> components(Record settings) {
        Map<String, Object> components = new TreeMap<>();
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Object value = get(component, settings);
            if (component.getType().getEnclosingClass() == StoreSettings.class) {
                components.putAll(components((Record) value));
            } else {
                assertThat(components.put(component.getName(), value)).isNull();
            }
        }
        return components;
    }

    private static Object get(RecordComponent component, Record settings) {
        try {
            return component.getAccessor().invoke(settings);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void eachValueIsReadByTheStore() {
        String readers = Repository.sources("src/main").stream()
                .filter(source -> source.path().startsWith("commit/src"))
                .filter(source -> !source.name().matches("(Store)?Settings\\.java"))
                .map(Repository.Text::whole)
                .collect(Collectors.joining());
        assertThat(components(SETTINGS.forStore()).keySet())
                .as("settings that no source reads")
                .filteredOn(component -> !readers.contains("." + component + "()"))
                .isEmpty();
    }

    @Test
    void noSettingTakesNonsense() {
        for (Method setter : setters(Settings.class)) {
            refusesNonsense(setter, value -> invoke(setter, SETTINGS, value));
        }
        for (Method setter : setters(Settings.Advanced.class)) {
            refusesNonsense(
                    setter,
                    value -> SETTINGS.advanced(
                            advanced -> (Settings.Advanced) Objects.requireNonNull(invoke(setter, advanced, value))));
        }
    }

    private static List<Method> setters(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getReturnType() == type && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getParameterCount() == 1)
                .filter(method -> method.getParameterTypes()[0] != boolean.class
                        && method.getParameterTypes()[0] != UnaryOperator.class)
                .toList();
    }

    private static void refusesNonsense(Method setter, UnaryOperator<Object> call) {
        Class<?> type = setter.getParameterTypes()[0];
        Stream<Object> nonsense = type == int.class
                ? Stream.of(-1, Integer.MIN_VALUE)
                : type == long.class
                        ? Stream.of(-1L, Long.MIN_VALUE)
                        : type == Duration.class
                                ? Stream.of(null, Duration.ofMillis(-1), ChronoUnit.FOREVER.getDuration())
                                : Stream.of((Object) null);
        nonsense.forEach(value -> assertThatThrownBy(() -> call.apply(value))
                .as("%s(%s)", setter.getName(), value)
                .isInstanceOf(InvalidRequestException.class));
    }

    private static Object invoke(Method setter, Object settings, Object value) {
        try {
            return setter.invoke(settings, value);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void eachSettingSaysItsDefault() {
        assertThat(Repository.page("docs/SETTINGS.md").lines())
                .filteredOn(line -> line.startsWith("| `"))
                .allSatisfy(row -> assertThat(row).contains("Default"));
    }
}
