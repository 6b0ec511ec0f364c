package io.penstock.spring;

import static io.penstock.testing.Codes.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.commit.settings.NamedSettings;
import io.penstock.core.ErrorCode;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The beans of a store, by properties alone. */
class PenstockAutoConfigurationTest {
    @TempDir
    private Path directory;

    @SuppressWarnings("unchecked")
    private static Records<String, Long> numbers(ApplicationContext context) {
        return context.getBean("numbers", Records.class);
    }

    /** What was acknowledged before a graceful end is there after the next start. */
    @Test
    void aLocalStoreOutlivesItsContext() {
        String[] properties = {"penstock.directory=" + directory.resolve("shop"), "penstock.pool-bytes=8MB"};
        Contexts.ofProperties(properties).run(context -> {
            numbers(context).put("a", 1L);
            context.getBean(Ledger.class).move("a", "b", 1);
        });
        Contexts.ofProperties(properties)
                .run(context -> assertThat(numbers(context).get("b")).contains(1L));
    }

    @Test
    void aTestNamesMemoryOnTopOfAnyPlace() {
        Contexts.ofProperties(
                        "penstock.directory=" + directory.resolve("never"),
                        "penstock.bucket=nowhere",
                        "penstock.in-memory=true")
                .run(context -> numbers(context).put("a", 1L));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void unknownPropertiesAreRefused() {
        Contexts.ofProperties("penstock.in-memory=true", "penstock.pool-byte=8MB")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(BeanCreationException.class)
                        .rootCause()
                        .hasMessageContaining("name=penstock.pool-byte nearest=pool-bytes"));
        Contexts.ofProperties("penstock.in-memory=true", "penstock.port=8080")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("name=penstock.port"));
        Contexts.ofProperties("penstock.in-memory=true", "penstock.ttl=30")
                .run(context -> assertThat(context).getFailure().rootCause().is(code(ErrorCode.INVALID_SETTING)));
    }

    /** As the store's settings have them. */
    @Test
    void durationsNeedAUnitAndHaveABound() {
        for (String name : List.of("repeat-transactional", "session-within", "ttl")) {
            for (String wrong : List.of("5", "200000d", "-5s", "soon")) {
                Contexts.inMemory()
                        .withPropertyValues("penstock." + name + "=" + wrong)
                        .run(context -> assertThat(context)
                                .as("%s=%s", name, wrong)
                                .getFailure()
                                .rootCause()
                                .is(code(ErrorCode.INVALID_SETTING)));
            }
        }
    }

    private static ApplicationContextRunner inEnvironment(Map<String, Object> environment) {
        return Contexts.ofProperties()
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("systemEnvironment", environment)));
    }

    @Test
    void theEnvironmentHasTheSameNames() {
        Map<String, Object> environment =
                Map.of("PENSTOCK_IN_MEMORY", "true", "PENSTOCK_POOL_BYTES", "8MB", "PENSTOCK_SESSION_WITHIN", "1s");
        inEnvironment(environment).run(context -> assertThat(context).hasNotFailed());
    }

    /** As Kubernetes and files of Compose have them. */
    @Test
    void variablesOfServicesAndEmptyOnesAreNoProperties() {
        Map<String, Object> environment = new HashMap<>(Map.of("PENSTOCK_IN_MEMORY", "true"));
        for (String service : List.of("PENSTOCK", "PENSTOCK_SHOP")) {
            environment.put(service + "_SERVICE_HOST", "10.96.12.7");
            environment.put(service + "_SERVICE_PORT", "8080");
            environment.put(service + "_SERVICE_PORT_HTTP", "8080");
            environment.put(service + "_PORT", "tcp://10.96.12.7:8080");
            environment.put(service + "_PORT_8080_TCP", "tcp://10.96.12.7:8080");
            environment.put(service + "_PORT_8080_TCP_PROTO", "tcp");
            environment.put(service + "_PORT_8080_TCP_PORT", "8080");
            environment.put(service + "_PORT_8080_TCP_ADDR", "10.96.12.7");
        }
        for (String empty : List.of("TTL", "CLIENT_NAME", "DIRECTORY", "BUCKET", "SESSION_COOKIE", "SESSION_WITHIN")) {
            environment.put("PENSTOCK_" + empty, "");
        }
        inEnvironment(environment).run(context -> assertThat(context).hasNotFailed());
        environment.put("PENSTOCK_POOL_BYTE", "8MB");
        inEnvironment(environment)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("name=PENSTOCK_POOL_BYTE nearest=pool-bytes"));
    }

    @Test
    void metersGoToTheRegistry() {
        Contexts.inMemory()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context.getBean(MeterRegistry.class)
                                .find("penstock.requests")
                                .meters())
                        .isNotEmpty());
    }

    @Test
    void metersOfOwnSettingsGoToTheRegistryUnlessTheyHaveOne() {
        SimpleMeterRegistry own = new SimpleMeterRegistry();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ObservationRegistry observed = ObservationRegistry.create();
        Contexts.sharing(Settings.inMemory().meters(own))
                .withBean(MeterRegistry.class, () -> registry)
                .withBean(ObservationRegistry.class, () -> observed)
                .run(context ->
                        assertThat(context.getBean(Settings.class).meters()).isSameAs(own));
        assertThat(registry.getMeters()).isEmpty();
        Contexts.sharing(Settings.inMemory())
                .withBean(MeterRegistry.class, () -> registry)
                .run(context ->
                        assertThat(registry.find("penstock.requests").meters()).isNotEmpty());
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void propertiesThatOwnSettingsHideAreTold(CapturedOutput output) {
        Contexts.sharing(Settings.inMemory())
                .withPropertyValues(
                        "penstock.directory=" + directory.resolve("never"),
                        "penstock.pool-bytes=8MB",
                        "penstock.session-within=1s",
                        "penstock.repeat-transactional=1s")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce("hides properties")
                .contains("[penstock.session-within, penstock.directory, penstock.pool-bytes]");
        Contexts.sharing(Settings.inMemory())
                .withPropertyValues("penstock.pool-byte=8MB")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("[penstock.pool-byte]");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void anOwnStoreNeedsNoSettings(CapturedOutput output) {
        Contexts.ofProperties("penstock.level=serializable")
                .withBean(Penstock.class, () -> Penstock.open(Settings.inMemory()))
                .run(context -> {
                    numbers(context).put("a", 1L);
                    context.getBean(Ledger.class).move("a", "b", 1);
                    assertThat(numbers(context).get("b")).contains(1L);
                });
        assertThat(output).containsOnlyOnce("hides properties").contains("[penstock.level]");
    }

    @Test
    void processesShareADirectory() {
        String[] properties = {"penstock.directory=" + directory.resolve("shop"), "penstock.shared=true"};
        Contexts.ofProperties(properties)
                .run(first -> Contexts.ofProperties(properties).run(second -> {
                    numbers(first).put("a", 1L);
                    second.getBean(Ledger.class).move("a", "b", 1);
                    assertThat(numbers(first).get("b")).contains(1L);
                }));
    }

    @Test
    void commitsAreObservedWithinWhatTheApplicationDoes() {
        List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        Contexts.inMemory().withBean(ObservationRegistry.class, () -> registry).run(context -> {
            Observation request = Observation.createNotStarted("http.server.requests", registry);
            request.observe(() -> {
                numbers(context).put("a", 1L);
                context.getBean(Ledger.class).move("a", "b", 1);
            });
            assertThat(stopped.stream()
                            .filter(one -> "penstock.commit".equals(one.getName()))
                            .map(Observation.Context::getParentObservation))
                    .hasSize(2)
                    .containsOnly(request);
        });
    }

    @Test
    void customizersHaveTheLastWord() {
        Contexts.inMemory()
                .withBean(SettingsCustomizer.class, () -> settings -> settings.prefix("other"))
                .run(context ->
                        assertThat(context.getBean(Settings.class).prefix()).isEqualTo("other"));
    }

    /** The indicator's type is that of the line of Boot that the test runs on. */
    @Test
    void healthIsUpUntilTheStoreIsClosed() throws Exception {
        Contexts.inMemory().run(context -> {
            numbers(context).put("a", 1L);
            Object indicator = context.getBean("penstockHealthIndicator");
            assertThat(status(indicator)).contains("UP", "quarantined");
            context.getBean(Penstock.class).close();
            assertThat(status(indicator)).contains("DOWN", "closed");
        });
    }

    private static String status(Object indicator) throws Exception {
        Method health = indicator.getClass().getMethod("health");
        health.setAccessible(true);
        return String.valueOf(health.invoke(indicator));
    }

    @Test
    void transactionsAreFoundByTheirExceptions() {
        Contexts.inMemory()
                .run(context -> assertThatThrownBy(() -> numbers(context).put("", 1L))
                        .isInstanceOf(org.springframework.dao.InvalidDataAccessApiUsageException.class));
    }

    /** What editors offer is what the starter and the store take. */
    @Test
    void theMetadataNamesAllProperties() throws Exception {
        Set<String> described = new TreeSet<>();
        try (InputStream json =
                PenstockAutoConfiguration.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            for (JsonNode property : new ObjectMapper().readTree(json).get("properties")) {
                described.add(property.get("name").asText().substring("penstock.".length()));
            }
        }
        Set<String> taken = new TreeSet<>(PenstockProperties.OWN);
        taken.addAll(NamedSettings.PLACE);
        addSettings(taken, "", Settings.class);
        addSettings(taken, "advanced.", Settings.Advanced.class);
        assertThat(described).isEqualTo(taken);
    }

    private static void addSettings(Set<String> names, String group, Class<?> settings) {
        for (Method method : settings.getMethods()) {
            if (method.getReturnType() == settings && takesText(method)) {
                names.add(group + method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT));
            }
        }
    }

    @Test
    void advancedSettingsHaveTheNameOfTheirGroup() {
        Contexts.ofProperties("penstock.in-memory=true", "penstock.advanced.lease=7s", "penstock.advanced.layout=4")
                .run(context -> assertThat(context).hasNotFailed());
        Contexts.ofProperties("penstock.in-memory=true", "penstock.advanced.lease=13h")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("setting=lease"));
        Contexts.ofProperties("penstock.in-memory=true", "penstock.lease=7s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("name=penstock.lease nearest=advanced.lease"));
    }

    private static boolean takesText(Method method) {
        if (method.getParameterCount() != 1 || java.lang.reflect.Modifier.isStatic(method.getModifiers())) {
            return false;
        }
        Class<?> type = method.getParameterTypes()[0];
        return type.isPrimitive()
                || type.isEnum()
                || type == String.class
                || type == Duration.class
                || type == io.penstock.Layout.class
                || type == io.penstock.core.seal.MasterKeys.class;
    }
}
