package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Settings;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.Cookie;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** A user who writes at one server and is sent to another sees the write there. */
class SessionCookieFilterTest {
    private static final String COOKIE = "penstock";

    private static final Settings SHARED = Settings.inMemory()
            .level(ConsistencyLevel.ATOMIC)
            .tokens(Session.Tokens.signed("0123456789abcdef".getBytes(StandardCharsets.UTF_8))
                    .orAnew());

    @SuppressWarnings("unchecked")
    private static Records<String, Long> numbers(ApplicationContext context) {
        return context.getBean("numbers", Records.class);
    }

    private static MockHttpServletResponse request(
            ApplicationContext server, @Nullable Cookie cookie, FilterChain chain) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
        if (cookie != null) {
            request.setCookies(cookie);
        }
        MockHttpServletResponse response = new MockHttpServletResponse();
        new SessionCookieFilter(server.getBean(Penstock.class), COOKIE).doFilter(request, response, chain);
        return response;
    }

    @Test
    void aSessionMovesWithItsCookie() {
        Contexts.sharing(SHARED)
                .run(first -> Contexts.sharing(SHARED).run(second -> {
                    for (long i = 1; i <= 20; i++) {
                        long number = i;
                        ApplicationContext here = i % 2 == 0 ? first : second;
                        ApplicationContext there = i % 2 == 0 ? second : first;
                        MockHttpServletResponse written = request(here, null, (request, response) -> {
                            numbers(here).put("n", number);
                            response.getWriter().print("done");
                        });
                        Cookie cookie = written.getCookie(COOKIE);
                        assertThat(written.getHeader("Set-Cookie")).contains("HttpOnly", "SameSite=Lax", "Path=/");
                        AtomicReference<Long> seen = new AtomicReference<>();
                        request(
                                there,
                                cookie,
                                (request, response) ->
                                        seen.set(numbers(there).get("n").orElse(0L)));
                        assertThat(seen.get()).isEqualTo(number);
                    }
                }));
    }

    @Test
    void aForgedCookieBeginsAnew() {
        Contexts.sharing(SHARED).run(server -> {
            MockHttpServletResponse answer = request(server, new Cookie(COOKIE, "forged"), (request, response) -> {
                numbers(server).put("f", 1L);
                response.flushBuffer();
            });
            assertThat(answer.getCookie(COOKIE)).isNotNull();
        });
    }

    @Test
    void aRequestThatNeverAsksTheStoreSetsNoCookie() {
        Contexts.sharing(SHARED).run(server -> {
            MockHttpServletResponse answer = request(
                    server, null, (request, response) -> response.getWriter().print("hello"));
            assertThat(answer.getCookies()).isEmpty();
        });
    }

    @Test
    void anEmptyNameIsNoCookie() {
        for (String name : new String[] {"", "penstock"}) {
            new WebApplicationContextRunner()
                    .withInitializer(Contexts::withoutBuild)
                    .withConfiguration(AutoConfigurations.of(PenstockAutoConfiguration.class))
                    .withPropertyValues("penstock.in-memory=true", "penstock.session-cookie=" + name)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBeansOfType(SessionCookieFilter.class))
                                .hasSize(name.isEmpty() ? 0 : 1);
                    });
        }
    }
}
