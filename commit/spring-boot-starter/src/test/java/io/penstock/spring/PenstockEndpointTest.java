package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.Json;
import io.penstock.Keys;
import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.testing.ShiftedTasks;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.ExposableWebEndpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The endpoint of the actuator, on either line of Boot. */
class PenstockEndpointTest {
    private static WebApplicationContextRunner contexts(String... properties) {
        return new WebApplicationContextRunner()
                .withInitializer(Contexts::withoutBuild)
                .withConfiguration(AutoConfigurations.of(
                        PenstockAutoConfiguration.class,
                        PenstockEndpointAutoConfiguration.class,
                        PenstockTransactionManagementAutoConfiguration.class,
                        EndpointAutoConfiguration.class,
                        WebEndpointAutoConfiguration.class))
                .withUserConfiguration(Contexts.Application.class)
                .withPropertyValues("penstock.in-memory=true")
                .withPropertyValues(properties);
    }

    /** The answer as a browser has it. */
    private static JsonNode answer(ApplicationContext context) {
        ExposableWebEndpoint endpoint = context.getBean(WebEndpointsSupplier.class).getEndpoints().stream()
                .filter(each -> each.getEndpointId().toString().equals("penstock"))
                .findFirst()
                .orElseThrow();
        Object said = endpoint.getOperations()
                .iterator()
                .next()
                .invoke(new InvocationContext(SecurityContext.NONE, Map.of()));
        return new ObjectMapper().valueToTree(said);
    }

    @Test
    void tellsTheStateOfTheStore() {
        contexts("management.endpoints.web.exposure.include=penstock").run(context -> {
            context.getBean(PenstockTemplate.class)
                    .records("numbers", Keys.string(), Json.of(Long.class))
                    .put("one", 1L);
            JsonNode said = answer(context);
            assertThat(said.at("/place").asText()).isEqualTo("memory");
            assertThat(said.at("/prefix").asText()).isEqualTo("penstock");
            assertThat(said.at("/level").asText()).isEqualTo("SERIALIZABLE");
            assertThat(said.at("/collections/numbers").asText()).isEqualTo("SERIALIZABLE");
            assertThat(said.at("/backlog/logSegments").asLong()).isEqualTo(1);
            assertThat(Duration.parse(said.at("/backlog/oldest").asText()))
                    .isBetween(Duration.ZERO, Duration.ofHours(1));
            assertThat(said.at("/quarantined").asInt(-1)).isZero();
            assertThat(said.at("/client").asText())
                    .isEqualTo(context.getBean(Penstock.class).clientId().hex());
            assertThat(said.at("/queueClients").isArray()).isTrue();
            assertThat(said.at("/cost/dollars").asDouble()).isPositive().isLessThan(0.01);
            assertThat(Duration.parse(said.at("/cost/over").asText())).isLessThan(Duration.ofHours(1));
        });
    }

    @Test
    void tellsThatOwnSettingsNameThePlace() {
        contexts("management.endpoints.web.exposure.include=penstock")
                .withBean(Settings.class, Settings::inMemory)
                .run(context ->
                        assertThat(answer(context).at("/place").asText()).contains("own Settings"));
    }

    @Test
    void isThereWhereItIsExposed() {
        contexts()
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(PenstockEndpoint.class)
                        .doesNotHaveBean(HourlyCost.class));
        contexts("management.endpoints.web.exposure.include=*", "management.endpoint.penstock.access=NONE")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PenstockEndpoint.class));
    }

    @Test
    void theCostIsThatOfAnHour() {
        ShiftedTasks tasks = new ShiftedTasks();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Counter requests = meters.counter("requests");
        FunctionCounter.builder("penstock.cost", requests, count -> count.count() * 0.01)
                .register(meters);
        requests.increment(7);
        try (HourlyCost cost = new HourlyCost(meters, tasks)) {
            requests.increment(1);
            assertThat(cost.now().dollars())
                    .as("what was before does not count")
                    .isCloseTo(0.01, within(1e-9));
            for (int minute = 1; minute <= 200; minute++) {
                tasks.advance(Duration.ofMinutes(1));
                requests.increment(1);
                HourlyCost.Cost now = cost.now();
                assertThat(now.dollars()).isCloseTo(0.01 * Math.min(minute + 1, 60), within(0.011));
                assertThat(now.over().toMinutes()).isEqualTo(Math.min(minute, 60));
            }
        }
    }
}
