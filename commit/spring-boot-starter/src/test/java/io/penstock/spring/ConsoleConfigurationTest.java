package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The console in an application: where it is exposed, and what it answers there. */
class ConsoleConfigurationTest {
    private static final WebApplicationContextRunner APPLICATION = new WebApplicationContextRunner()
            .withInitializer(Contexts::withoutBuild)
            .withConfiguration(AutoConfigurations.of(
                    PenstockAutoConfiguration.class,
                    ConsoleConfiguration.class,
                    EndpointAutoConfiguration.class,
                    WebEndpointAutoConfiguration.class))
            .withUserConfiguration(Contexts.Application.class)
            .withPropertyValues("penstock.in-memory=true", "spring.application.name=numbers of <Ada>");

    private static final String EXPOSED = "management.endpoints.web.exposure.include=penstockconsole";

    /** The answer of the operation for a path below the endpoint's, or for that itself. */
    private static WebEndpointResponse<?> ask(ApplicationContext context, String... path) {
        WebOperation operation = context.getBean(WebEndpointsSupplier.class).getEndpoints().stream()
                .filter(endpoint -> endpoint.getEndpointId().equals(EndpointId.of("penstockconsole")))
                .flatMap(endpoint -> endpoint.getOperations().stream())
                .filter(each -> each.getRequestPredicate().getPath().contains("{") == path.length > 0)
                .findFirst()
                .orElseThrow();
        Map<String, Object> arguments = path.length > 0 ? Map.of("path", path) : Map.of();
        return (WebEndpointResponse<?>) operation.invoke(new InvocationContext(SecurityContext.NONE, arguments));
    }

    private static String body(WebEndpointResponse<?> answer) {
        assertThat(answer.getStatus()).isEqualTo(200);
        return new String((byte[]) answer.getBody(), StandardCharsets.UTF_8);
    }

    @Test
    void itIsThereWhereItIsExposed() {
        APPLICATION.withPropertyValues(EXPOSED).run(context -> {
            context.getBean(PenstockTemplate.class)
                    .records("numbers", Keys.string(), Json.of(Long.class))
                    .put("one", 1L);
            assertThat(body(ask(context)))
                    .contains("numbers of &lt;Ada&gt;", "href=\"penstockconsole/collections/numbers\"");
            assertThat(body(ask(context, "collections", "numbers"))).contains(">one<", "href=\"../clients\"");
            WebEndpointResponse<?> style = ask(context, "style.css");
            assertThat(body(style)).contains("prefers-color-scheme");
            assertThat(style.getContentType()).hasToString("text/css;charset=utf-8");
            assertThat(ask(context, "collections", "none").getStatus()).isEqualTo(404);
        });
    }

    @Test
    void itsFirstPageKnowsWhereItIsMappedTo() {
        APPLICATION
                .withPropertyValues(EXPOSED, "management.endpoints.web.path-mapping.penstockconsole=store/look")
                .run(context -> assertThat(body(ask(context))).contains("href=\"look/collections\""));
    }

    @Test
    void itIsExposedToNobodyByDefault() {
        APPLICATION.run(context -> assertThat(
                        context.getBean(WebEndpointsSupplier.class).getEndpoints())
                .noneMatch(endpoint -> endpoint.getEndpointId().equals(EndpointId.of("penstockconsole"))));
    }

    @Test
    void anApplicationWithoutTheModuleStartsAsBefore() {
        APPLICATION
                .withPropertyValues(EXPOSED)
                .withClassLoader(new FilteredClassLoader("io.penstock.console"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("penstockConsoleEndpoint"));
    }
}
