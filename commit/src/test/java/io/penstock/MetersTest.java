package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import io.penstock.testkit.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every meter is in the table beside the dashboard, and every name in dashboard and alert rules is one of a meter. */
class MetersTest {
    private static final String METERS = read("docs/observability/meters.csv");
    private static final String DASHBOARD = "docs/observability/grafana-dashboard.json";
    private static final String ALERTS = "docs/observability/prometheus-alerts.yml";

    /** A row of the table, without its meaning. */
    private record Row(String name, String type, String unit, Set<String> tags) {}

    private static String read(String file) {
        try {
            return Files.readString(Repository.ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has every meter come into being, and looks before the last handle is closed. */
    private static <T> T use(MeterRegistry registry, Supplier<T> look) {
        AtomicReference<T> seen = new AtomicReference<>();
        new SimulatedStore(1, World.CALM).run(cloud -> {
            for (ConsistencyLevel level : ConsistencyLevel.values()) {
                Settings settings =
                        cloud.settings(level.name().toLowerCase(Locale.ROOT)).level(level);
                try (Penstock store = Penstock.open(settings.meters(registry))) {
                    RecordCollection<String, String> words =
                            store.collection("of-" + level, Keys.string(), Json.of(String.class));
                    words.put("a", "1");
                    store.admin().checkpoint();
                    assertThat(words.getAll(List.of("a", "b")).keySet()).isSubsetOf("a");
                    try (Scan<Entry<String, String>> scan = words.scan(KeySpan.all())) {
                        assertThat(scan.stream()).hasSizeLessThanOrEqualTo(1);
                    }
                    if (level == ConsistencyLevel.SERIALIZABLE) {
                        conflict(store, words);
                    }
                    seen.set(look.get());
                }
            }
        });
        return seen.get();
    }

    private static void conflict(Penstock store, RecordCollection<String, String> words) {
        try (Transaction late = store.begin()) {
            late.put(words, "a", late.get(words, "a").orElseThrow() + "2");
            words.put("a", "3");
            assertThatThrownBy(late::commit).isInstanceOf(ConflictException.class);
        }
    }

    private static Set<Row> table() {
        return METERS.lines()
                .skip(1)
                .map(line -> line.split(",", 5))
                .map(cells -> new Row(cells[0], cells[1], cells[2], tags(cells[3])))
                .collect(Collectors.toSet());
    }

    private static Set<String> tags(String cell) {
        return cell.isEmpty() ? Set.of() : new TreeSet<>(Arrays.asList(cell.split(" ")));
    }

    private static Row row(Meter.Id id) {
        return new Row(
                id.getName(),
                id.getType().name().toLowerCase(Locale.ROOT),
                Objects.requireNonNullElse(id.getBaseUnit(), ""),
                id.getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void everyMeterIsInTheTable() {
        // As Prometheus has them, timers have seconds.
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Set<Row> meters = use(
                registry,
                () -> registry.getMeters().stream()
                        .map(meter -> meter.getId().getType() == Meter.Type.TIMER
                                ? row(meter.getId().withBaseUnit("seconds"))
                                : row(meter.getId()))
                        .collect(Collectors.toSet()));
        assertThat(table()).isEqualTo(meters);
    }

    @Test
    void everyNameOfDashboardAndAlertsIsOneOfAMeter() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Set<String> known = names(use(registry, registry::scrape));
        for (String file : List.of(DASHBOARD, ALERTS)) {
            assertThat(known).as(file).containsAll(names(read(file)));
        }
    }

    private static Set<String> names(String text) {
        return Pattern.compile("(?m)(?<!# (HELP|TYPE) )\\bpenstock_[a-z_]+")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyPanelAsksForSomething() throws Exception {
        JsonNode dashboard = new ObjectMapper().readTree(read(DASHBOARD));
        List<String> empty = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                if (names(target.path("expr").asText()).isEmpty()) {
                    empty.add(panel.path("title").asText());
                }
            }
            assertThat(panel.path("targets")).as(panel.path("title").asText()).isNotEmpty();
        }
        assertThat(dashboard.path("panels")).hasSizeGreaterThan(8);
        assertThat(empty).isEmpty();
    }

    /** An alert without a runbook wakes somebody who then does not know what to do. */
    @Test
    void everyAlertLeadsToASection() {
        String alerts = read(ALERTS);
        Set<String> sections = Pattern.compile("(?m)^## (.+)$")
                .matcher(read("docs/OPERATIONS.md"))
                .results()
                .map(found ->
                        found.group(1).toLowerCase(Locale.ROOT).replace("'", "").replace(' ', '-'))
                .collect(Collectors.toSet());
        List<String> runbooks = Pattern.compile("runbook: \"OPERATIONS\\.md#(.+)\"")
                .matcher(alerts)
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(runbooks).hasSize(alerts.split("- alert: ").length - 1);
        assertThat(sections).containsAll(runbooks);
    }

    @Test
    void requestsCostWhatTheListSays() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        use(registry, () -> true);
        double puts = registry.get("penstock.requests").tag("op", "s3.put").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
        double dollars = registry.get("penstock.cost").tag("op", "s3.put").functionCounters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
        assertThat(puts).isPositive();
        assertThat(dollars).isEqualTo(puts * 5e-6, within(1e-12));
    }

    private static List<Meter> ofHandles(MeterRegistry registry) {
        return registry.getMeters().stream()
                .filter(meter -> meter.getId().getTag("client") != null)
                .toList();
    }

    /** What is of one handle goes with it; what handles share stays, and is not made anew. */
    @Test
    void aHandleTakesItsMetersAlong() {
        for (MeterRegistry registry :
                List.of(new SimpleMeterRegistry(), new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))) {
            Settings settings = Settings.inMemory().meters(registry);
            Set<Integer> sizes = new TreeSet<>();
            for (int i = 0; i < 5; i++) {
                try (Penstock store = Penstock.open(settings)) {
                    store.collection("words", Keys.string(), Json.of(String.class))
                            .put("a", "1");
                    int ofOne = ofHandles(registry).size();
                    assertThat(ofOne).isGreaterThan(20);
                    try (Penstock other = Penstock.open(settings)) {
                        assertThat(other.collections()).containsExactly("words");
                        assertThat(ofHandles(registry)).hasSize(2 * ofOne);
                    }
                    assertThat(ofHandles(registry)).hasSize(ofOne);
                }
                assertThat(ofHandles(registry)).isEmpty();
                sizes.add(registry.getMeters().size());
            }
            assertThat(sizes).hasSize(1);
        }
    }

    @Test
    void whatCouldNotBeOpenedHasNoMeters() {
        MeterRegistry registry = new SimpleMeterRegistry();
        Settings settings = Settings.inMemory().meters(registry);
        try (Penstock store = Penstock.open(settings)) {
            store.collection("words", Keys.string(), Json.of(String.class)).get("a");
        }
        assertThatThrownBy(() -> Penstock.open(settings.provisioning(Provisioning.EXISTING)))
                .isInstanceOf(InvalidRequestException.class);
        assertThat(ofHandles(registry)).isEmpty();
    }
}
