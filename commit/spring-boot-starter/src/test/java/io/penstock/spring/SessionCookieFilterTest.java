package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.ConsistencyLevel;
import io.penstock.Penstock;
import io.penstock.Session;
import io.penstock.Settings;
import io.penstock.core.InvalidRequestException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
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
        response.setCharacterEncoding("UTF-8");
        new SessionCookieFilter(server.getBean(Penstock.class), COOKIE).doFilter(request, response, chain);
        return response;
    }

    /** The web server makes filters while it starts, and logs what fails there at length and as its own failure. */
    @Test
    void theFilterDoesNotOpenTheStore() {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        var unused = sources.remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME); // the build's own
        sources.addFirst(new MapPropertySource("test", Map.of("penstock.session-cookie", COOKIE)));
        ObjectProvider<Penstock> store = new StaticListableBeanFactory().getBeanProvider(Penstock.class);
        SessionCookieFilter filter =
                new SessionCookieConfiguration().penstockSessionCookieFilter(store, PenstockProperties.of(environment));
        assertThatThrownBy(() ->
                        filter.doFilter(new MockHttpServletRequest("GET", "/"), new MockHttpServletResponse(), null))
                .isInstanceOf(NoSuchBeanDefinitionException.class);
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

    /** What sends the head of an answer: after it a cookie comes too late. */
    enum Head {
        REDIRECT(answer -> answer.sendRedirect("/x")),
        REDIRECT_BY_STATUS(answer -> answer.sendRedirect("/x", 303)),
        REDIRECT_WITH_BODY(answer -> answer.sendRedirect("/x", false)),
        REDIRECT_BY_STATUS_WITH_BODY(answer -> answer.sendRedirect("/x", 303, false)),
        ERROR(answer -> answer.sendError(404)),
        ERROR_WITH_MESSAGE(answer -> answer.sendError(404, "gone")),
        WRITER(answer -> answer.getWriter().print("a")),
        WRITER_FLUSH(answer -> answer.getWriter().flush()),
        WRITER_CLOSE(answer -> answer.getWriter().close()),
        WRITER_CHECK(answer -> assertThat(answer.getWriter().checkError()).isFalse()),
        STREAM(answer -> answer.getOutputStream().write('a')),
        STREAM_OF_BYTES(answer -> answer.getOutputStream().write(new byte[2])),
        STREAM_PRINT(answer -> answer.getOutputStream().print("a")),
        STREAM_FLUSH(answer -> answer.getOutputStream().flush()),
        STREAM_CLOSE(answer -> answer.getOutputStream().close()),
        RESET(answer -> {
            answer.getWriter().print("a");
            answer.reset();
            answer.getOutputStream().write('b');
        }),
        FLUSH(HttpServletResponse::flushBuffer);

        private interface Step {
            void of(HttpServletResponse answer) throws IOException;
        }

        private final Step step;

        Head(Step step) {
            this.step = step;
        }
    }

    @ParameterizedTest
    @EnumSource(Head.class)
    void theHeadOfAnAnswerHasTheCookie(Head head) {
        boolean sinceServlet61 = head.name().startsWith("REDIRECT_");
        assumeThat(sinceServlet61 && SpringBootVersion.getVersion().startsWith("3"))
                .isFalse();
        Contexts.sharing(SHARED).run(server -> {
            MockHttpServletResponse answer = request(server, null, (request, response) -> {
                numbers(server).put("head", 1L);
                head.step.of((HttpServletResponse) response);
                ((HttpServletResponseWrapper) response).getResponse().flushBuffer();
            });
            assertThat(answer.getCookie(COOKIE)).isNotNull();
            assertThat(answer.getHeaders("Set-Cookie")).hasSize(1);
        });
    }

    /** The way to write is often taken long before the first byte. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theCookieIsThatOfTheFirstByte(boolean writer) {
        Contexts.sharing(SHARED)
                .run(first -> Contexts.sharing(SHARED).run(second -> {
                    MockHttpServletResponse answer = request(first, null, (request, response) -> {
                        var unused = numbers(first).get("byte");
                        if (writer) {
                            PrintWriter out = response.getWriter();
                            assertThat(response.getWriter()).isSameAs(out);
                            numbers(first).put("byte", 1L);
                            out.write("ü");
                        } else {
                            ServletOutputStream out = response.getOutputStream();
                            assertThat(response.getOutputStream()).isSameAs(out);
                            numbers(first).put("byte", 1L);
                            out.write("ü".getBytes(StandardCharsets.UTF_8));
                        }
                        response.flushBuffer();
                    });
                    assertThat(answer.getContentAsString(StandardCharsets.UTF_8))
                            .isEqualTo("ü");
                    request(
                            second,
                            answer.getCookie(COOKIE),
                            (request, response) ->
                                    assertThat(numbers(second).get("byte")).contains(1L));
                    numbers(first).delete("byte");
                }));
    }

    @Test
    void anAnswerWithoutABodyHasTheCookie() {
        Contexts.sharing(SHARED).run(server -> {
            MockHttpServletResponse answer = request(server, null, (request, response) -> {
                numbers(server).put("head", 1L);
                ((HttpServletResponse) response).setStatus(204);
            });
            assertThat(answer.getCookie(COOKIE)).isNotNull();
        });
    }

    /** What it has committed stays so, and its user sees it. */
    @Test
    void anAnswerToAFailureHasTheCookie() {
        Contexts.sharing(SHARED).run(server -> {
            MockHttpServletResponse answer = new MockHttpServletResponse();
            SessionCookieFilter filter = new SessionCookieFilter(server.getBean(Penstock.class), COOKIE);
            assertThatThrownBy(() ->
                            filter.doFilter(new MockHttpServletRequest("GET", "/"), answer, (request, response) -> {
                                numbers(server).put("head", 1L);
                                throw new ServletException("after a commit");
                            }))
                    .hasMessage("after a commit");
            assertThat(answer.getCookie(COOKIE)).isNotNull();
        });
    }

    /** However it ends: what the thread does next is in the session that all share. */
    @Test
    void theSessionOfAUserEndsWithHerRequest() {
        Contexts.sharing(SHARED).run(server -> {
            Penstock store = server.getBean(Penstock.class);
            List<Exception> ends = new ArrayList<>(List.of(new ServletException("end"), new IOException("end")));
            ends.add(new IllegalStateException("end"));
            ends.add(null);
            for (Exception end : ends) {
                FilterChain chain = (request, response) -> {
                    numbers(server).put("u", 1L);
                    assertThat(CurrentSession.of(store)).isNotSameAs(store.session());
                    switch (end) {
                        case ServletException thrown -> throw thrown;
                        case IOException thrown -> throw thrown;
                        case RuntimeException thrown -> throw thrown;
                        case null, default -> {}
                    }
                };
                if (end == null) {
                    request(server, null, chain);
                } else {
                    assertThatThrownBy(() -> request(server, null, chain)).isSameAs(end);
                }
                assertThat(CurrentSession.of(store)).isSameAs(store.session());
                numbers(server).put("after", 2L);
            }
        });
    }

    /** As a forward makes it. */
    @Test
    void aRequestWithinARequestGivesItsThreadBack() {
        Contexts.sharing(SHARED).run(server -> {
            Penstock store = server.getBean(Penstock.class);
            request(server, null, (request, response) -> {
                Session outer = CurrentSession.of(store);
                try {
                    request(
                            server,
                            null,
                            (inner, answer) ->
                                    assertThat(CurrentSession.of(store)).isNotSameAs(outer));
                } catch (Exception e) {
                    throw new ServletException(e);
                }
                assertThat(CurrentSession.of(store)).isSameAs(outer);
                numbers(server).put("outer", 1L);
            });
        });
    }

    @Test
    void anEmptyNameIsNoCookie() {
        for (String name : new String[] {"", "penstock", "it's"}) {
            named(name).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBeansOfType(SessionCookieFilter.class)).hasSize(name.isEmpty() ? 0 : 1);
            });
        }
    }

    private static WebApplicationContextRunner named(String cookie) {
        return new WebApplicationContextRunner()
                .withInitializer(Contexts::withoutBuild)
                .withConfiguration(AutoConfigurations.of(PenstockAutoConfiguration.class))
                .withPropertyValues("penstock.in-memory=true", "penstock.session-cookie=" + cookie);
    }

    /** Its user would find out, after what the request has committed. */
    @Test
    void aNameThatNoCookieCanHaveIsRefusedAtTheStart() {
        for (String name : List.of("my cookie", "a;b", "a=b", "\u00fc", "${x}")) {
            named(name)
                    .run(context -> assertThat(context)
                            .as(name)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(InvalidRequestException.class)
                            .hasMessageContaining("session-cookie"));
        }
    }
}
