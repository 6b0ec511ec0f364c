package io.penstock.spring;

import io.penstock.Penstock;
import io.penstock.Settings;
import io.penstock.console.Answer;
import io.penstock.console.Console;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.MimeType;

/**
 * The console as an endpoint of the actuator, if the application has both on its class path. It shows keys and
 * payloads, so it is there only where {@code management.endpoints.web.exposure.include} names it.
 */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnClass({WebEndpoint.class, Console.class})
@ConditionalOnBean(Penstock.class)
@ConditionalOnSingleCandidate(Settings.class)
public class ConsoleConfiguration {
    private static final String ID = "penstockconsole";

    @Bean
    @ConditionalOnMissingBean
    ConsoleEndpoint penstockConsoleEndpoint(
            Penstock store, Settings settings, Environment environment, ObjectProvider<PathMappedEndpoints> paths) {
        String name = environment.getProperty("spring.application.name", settings.prefix());
        return new ConsoleEndpoint(new Console(store, settings, name), paths);
    }

    /** The pages, below the endpoint's path. */
    @WebEndpoint(id = ID)
    record ConsoleEndpoint(Console console, ObjectProvider<PathMappedEndpoints> paths) {
        /** The first page: its address has no slash at its end, so that links begin with the last part of it. */
        @ReadOperation(produces = "text/html")
        WebEndpointResponse<byte[]> first() {
            PathMappedEndpoints known = paths.getIfAvailable();
            String path = known == null ? null : known.getPath(EndpointId.of(ID));
            String here = path == null ? ID : path;
            return answer(here.substring(here.lastIndexOf('/') + 1) + "/", List.of());
        }

        @ReadOperation(produces = {"text/html", "text/css", "image/svg+xml"})
        WebEndpointResponse<byte[]> page(@Selector(match = Selector.Match.ALL_REMAINING) String... path) {
            return answer("../".repeat(Math.max(0, path.length - 1)), List.of(path));
        }

        private WebEndpointResponse<byte[]> answer(String root, List<String> path) {
            Answer answer = console.answer(root, path);
            return new WebEndpointResponse<>(answer.body(), answer.status(), MimeType.valueOf(answer.type()));
        }
    }
}
