package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.Json;
import io.penstock.Keys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The console below the actuator as a browser meets it, by the servers of Spring Boot themselves. */
class ConsoleOverHttpTest {
    private static final Pattern HREF = Pattern.compile(" href=\"([^\"#]*)\"");

    /** More than one page of them. */
    private static final int RECORDS = 60;

    /** Where it is served. All run until the end: the first that closes ends what Netty's servers share. */
    private static final Map<Place, ConfigurableApplicationContext> RUNNING = new EnumMap<>(Place.class);

    private static HttpClient browser;

    private enum Place {
        SERVLETS(WebApplicationType.SERVLET, "server", "/actuator/penstockconsole", "server.address=127.0.0.1"),
        WEBFLUX(WebApplicationType.REACTIVE, "server", "/actuator/penstockconsole", "server.address=127.0.0.1"),
        A_PORT_OF_ITS_OWN(
                WebApplicationType.SERVLET,
                "management",
                "/manage/store/look",
                "management.server.port=0",
                "management.server.address=127.0.0.1",
                "management.endpoints.web.base-path=/manage",
                "management.endpoints.web.path-mapping.penstockconsole=store/look");

        private final WebApplicationType type;
        private final String port;
        private final String path;
        private final List<String> properties;

        Place(WebApplicationType type, String port, String path, String... properties) {
            this.type = type;
            this.port = port;
            this.path = path;
            this.properties = List.of(properties);
        }

        ConfigurableApplicationContext started() {
            List<String> all = new ArrayList<>(properties);
            all.add(Contexts.WITHOUT_DATA_SOURCE);
            all.add("server.port=0");
            all.add("penstock.in-memory=true");
            all.add("spring.reactor.netty.shutdown-quiet-period=0s");
            all.add("management.endpoints.web.exposure.include=penstockconsole");
            return new SpringApplicationBuilder(Shop.class)
                    .web(type)
                    .bannerMode(Banner.Mode.OFF)
                    .initializers(Contexts::withoutBuild)
                    .properties(all.toArray(String[]::new))
                    .run();
        }

        /** The address of a page. */
        URI page(String within) {
            String number = RUNNING.get(this).getEnvironment().getRequiredProperty("local." + port + ".port");
            return URI.create("http://127.0.0.1:" + number + path + within);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    @BeforeAll
    static void start() {
        browser = HttpClient.newHttpClient();
        for (Place place : Place.values()) {
            ConfigurableApplicationContext application = place.started();
            RUNNING.put(place, application);
            Records<String, String> words =
                    application.getBean(PenstockTemplate.class).records("words", Keys.string(), Json.of(String.class));
            for (int i = 0; i < RECORDS; i++) {
                words.put("é/%2F+ " + i, "<b>" + i);
            }
        }
    }

    @AfterAll
    static void stop() {
        RUNNING.values().forEach(ConfigurableApplicationContext::close);
        browser.close();
    }

    private static HttpResponse<String> ask(String method, URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .method(method, BodyPublishers.noBody())
                .header("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
                .build();
        return browser.send(request, BodyHandlers.ofString());
    }

    private static String type(HttpResponse<String> answer) {
        return answer.headers().firstValue("Content-Type").orElseThrow();
    }

    /** The answers to all addresses that links lead to, by what is behind the first one's. */
    private static Map<String, HttpResponse<String>> walk(URI first) throws IOException, InterruptedException {
        Map<String, HttpResponse<String>> answers = new TreeMap<>();
        ArrayDeque<URI> left = new ArrayDeque<>(List.of(first));
        while (!left.isEmpty()) {
            URI address = left.remove();
            assertThat(address.toString()).startsWith(first.toString());
            String within = address.toString().substring(first.toString().length());
            if (answers.containsKey(within)) {
                continue;
            }
            HttpResponse<String> answer = ask("GET", address);
            assertThat(answer.statusCode()).as("%s: %s", address, answer.body()).isEqualTo(200);
            answers.put(within, answer);
            Matcher links = HREF.matcher(answer.body());
            while (links.find()) {
                left.add(address.resolve(links.group(1)));
            }
        }
        return answers;
    }

    @ParameterizedTest
    @EnumSource
    void everyLinkLeadsToAPage(Place place) throws Exception {
        Map<String, HttpResponse<String>> answers = walk(place.page(""));
        assertThat(answers.keySet())
                .contains("/overview", "/collections", "/logs", "/clients", "/backlog", "/quarantine", "/cost")
                .anyMatch(each -> each.startsWith("/collections/words/after/"))
                .filteredOn(each -> each.startsWith("/collections/words/record/"))
                .hasSize(RECORDS);
        assertThat(type(answers.remove("/style.css"))).isEqualTo("text/css;charset=utf-8");
        assertThat(type(answers.remove("/icon.svg"))).isEqualTo("image/svg+xml");
        assertThat(answers).allSatisfy((within, answer) -> {
            assertThat(type(answer)).isEqualTo("text/html;charset=utf-8");
            assertThat(answer.body())
                    .contains("\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; style-src")
                    .doesNotContain("<script", "<b>");
            assertThat(answer.headers().map()).doesNotContainKey("Access-Control-Allow-Origin");
        });
    }

    @ParameterizedTest
    @EnumSource
    void headIsAnsweredAsGetWithoutItsBody(Place place) throws Exception {
        for (String within : List.of("", "/collections/words", "/style.css")) {
            HttpResponse<String> answer = ask("HEAD", place.page(within));
            assertThat(answer.statusCode()).as(within).isEqualTo(200);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.headers().firstValueAsLong("Content-Length").orElseThrow())
                    .isGreaterThan(100);
        }
        assertThat(ask("HEAD", place.page("/none")).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void aWrongPathLeadsToThePageThatSaysSo(Place place) throws Exception {
        List<String> wrong = List.of(
                "/none",
                "/collections/none",
                "/collections/words/record/eA",
                "/collections/words/record/!",
                "/collections/words/after/none",
                "/logs/none",
                "/../penstock");
        for (String within : wrong) {
            HttpResponse<String> answer = ask("GET", place.page(within));
            assertThat(answer.statusCode()).as(within).isEqualTo(404);
            assertThat(answer.body()).contains("<h1>Not found</h1>").doesNotContain("\tat ");
        }
    }

    /** Some servers refuse such an address themselves, others hand it over. */
    @ParameterizedTest
    @EnumSource
    void anAddressThatMeansIllIsRefused(Place place) throws Exception {
        for (String within : List.of("/collections/%AA", "/collections/..%2F..%2Fhealth", "/collections/%00")) {
            assertThat(ask("GET", place.page(within)).statusCode()).as(within).isIn(400, 404);
        }
    }

    @ParameterizedTest
    @EnumSource
    void othersThanReadersAreRefused(Place place) throws Exception {
        for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
            for (String within : List.of("", "/collections/words")) {
                assertThat(ask(method, place.page(within)).statusCode())
                        .as("%s %s", method, within)
                        .isEqualTo(405);
            }
        }
    }
}
