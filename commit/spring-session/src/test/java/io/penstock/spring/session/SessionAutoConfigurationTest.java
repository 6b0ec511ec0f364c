package io.penstock.spring.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Settings;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.task.ThreadTasks;
import io.penstock.spring.PenstockAutoConfiguration;
import jakarta.servlet.Filter;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.session.autoconfigure.SessionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.session.FlushMode;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.SaveMode;
import org.springframework.session.SessionRepository;
import org.springframework.session.config.SessionRepositoryCustomizer;

/** Sessions of web applications that have the module among their dependencies. */
class SessionAutoConfigurationTest {
    private static final AutoConfigurations MODULES = AutoConfigurations.of(
            SessionAutoConfiguration.class, PenstockSessionAutoConfiguration.class, PenstockAutoConfiguration.class);

    /** A web application on a store; what the build tells the tests' JVM is left out. */
    private static WebApplicationContextRunner on(Settings settings) {
        return new WebApplicationContextRunner()
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().remove("systemProperties"))
                .withConfiguration(MODULES)
                .withBean(Settings.class, () -> settings);
    }

    /** One request through the filters of an application, and its answer. */
    private static MockHttpServletResponse request(
            ApplicationContext application, Consumer<HttpServletRequest> handler, Cookie... cookies) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setCookies(cookies);
        MockHttpServletResponse response = new MockHttpServletResponse();
        HttpServlet servlet = new HttpServlet() {
            @Override
            protected void service(HttpServletRequest wrapped, HttpServletResponse unused) {
                handler.accept(wrapped);
            }
        };
        Filter filter = application.getBean("springSessionRepositoryFilter", Filter.class);
        new MockFilterChain(servlet, filter).doFilter(request, response);
        return response;
    }

    /** Settings of a store in each place, for two applications as if each were in a process of its own. */
    private interface OnStore {
        void accept(Settings settings) throws Exception;
    }

    private static void inPlace(String place, Path directory, OnStore test) throws Exception {
        if (place.equals("memory")) {
            test.accept(Settings.inMemory());
            return;
        }
        ThreadTasks tasks = new ThreadTasks();
        try (LocalCloud cloud = LocalCloud.open(directory, tasks)) {
            // A store with queues, whose level has no isolation: sessions have it all the same.
            test.accept(Settings.on(cloud.objects(), cloud.queues(), tasks).level(ConsistencyLevel.ATOMIC));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "directory"})
    void aUserGoesFromServerToServer(String place, @TempDir Path directory) throws Exception {
        inPlace(
                place,
                directory,
                settings -> on(settings)
                        .run(first -> on(settings).run(second -> {
                            Cookie visit = request(
                                            first,
                                            request -> request.getSession().setAttribute("cart", "978-0"))
                                    .getCookie("SESSION");
                            Cookie login = request(
                                            second,
                                            request -> {
                                                assertThat(request.getSession(false)
                                                                .getAttribute("cart"))
                                                        .isEqualTo("978-0");
                                                request.changeSessionId();
                                                request.getSession().setAttribute("user", "Ada");
                                            },
                                            visit)
                                    .getCookie("SESSION");
                            assertThat(login.getValue()).isNotEqualTo(visit.getValue());
                            request(
                                    first,
                                    request -> assertThat(request.getSession(false))
                                            .isNull(),
                                    visit);
                            request(
                                    first,
                                    request -> {
                                        HttpSession session = request.getSession(false);
                                        assertThat(List.of(session.getAttribute("cart"), session.getAttribute("user")))
                                                .containsExactly("978-0", "Ada");
                                        session.invalidate();
                                    },
                                    login);
                            request(
                                    second,
                                    request -> assertThat(request.getSession(false))
                                            .isNull(),
                                    login);
                        })));
    }

    @Test
    void propertiesOfTheApplicationCount() {
        on(Settings.inMemory())
                .withPropertyValues(
                        "spring.session.timeout=7m",
                        "spring.session.penstock.flush-mode=immediate",
                        "spring.session.penstock.save-mode=on-get-attribute",
                        "server.servlet.session.cookie.name=visit")
                .run(context -> {
                    PenstockSessionRepository repository = context.getBean(PenstockSessionRepository.class);
                    assertThat(repository).hasFieldOrPropertyWithValue("flushMode", FlushMode.IMMEDIATE);
                    assertThat(repository).hasFieldOrPropertyWithValue("saveMode", SaveMode.ON_GET_ATTRIBUTE);
                    MockHttpServletResponse answer = request(
                            context,
                            request -> assertThat(request.getSession().getMaxInactiveInterval())
                                    .isEqualTo(7 * 60));
                    assertThat(answer.getCookie("visit")).isNotNull();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Hour {
        @Bean
        SessionRepositoryCustomizer<PenstockSessionRepository> hour() {
            return repository -> repository.setDefaultMaxInactiveInterval(Duration.ofHours(1));
        }
    }

    @Test
    void customizersHaveTheLastWord() {
        on(Settings.inMemory())
                .withPropertyValues("server.servlet.session.timeout=9m")
                .run(context -> assertThat(context.getBean(PenstockSessionRepository.class)
                                .createSession()
                                .getMaxInactiveInterval())
                        .isEqualTo(Duration.ofMinutes(9)));
        on(Settings.inMemory())
                .withPropertyValues("server.servlet.session.timeout=9m")
                .withUserConfiguration(Hour.class)
                .run(context -> assertThat(context.getBean(PenstockSessionRepository.class)
                                .createSession()
                                .getMaxInactiveInterval())
                        .isEqualTo(Duration.ofHours(1)));
    }

    @Test
    void itGivesWayToAnotherRepositoryAndLeavesOtherApplicationsAlone() {
        MapSessionRepository others = new MapSessionRepository(new ConcurrentHashMap<>());
        on(Settings.inMemory())
                .withBean(SessionRepository.class, () -> others)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(PenstockSessionRepository.class));
        new ApplicationContextRunner()
                .withConfiguration(MODULES)
                .withBean(Settings.class, Settings::inMemory)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SessionRepository.class));
    }
}
