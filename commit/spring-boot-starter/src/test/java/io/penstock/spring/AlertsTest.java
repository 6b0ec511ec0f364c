package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;
import org.yaml.snakeyaml.Yaml;

/** The alert rules in the documentation, as Prometheus reads them. That their meters exist is a test of the store. */
class AlertsTest {
    private static final Path RULES = Path.of("../../docs/observability/prometheus-alerts.yml");

    @Test
    @SuppressWarnings("unchecked")
    void theRulesAreWellFormed() throws IOException {
        Map<String, List<Map<String, Object>>> file = new Yaml().load(Files.readString(RULES));
        assertThat(file).containsOnlyKeys("groups");
        Set<Object> names = new HashSet<>();
        for (Map<String, Object> group : file.get("groups")) {
            assertThat(group).containsKeys("name", "rules");
            for (Map<String, Object> rule : (List<Map<String, Object>>) group.get("rules")) {
                assertThat(names.add(rule.get("alert"))).as("%s", rule).isTrue();
                assertThat(rule).containsOnlyKeys("alert", "expr", "for", "labels", "annotations");
                assertThat(DurationStyle.SIMPLE.parse((String) rule.get("for")))
                        .isBetween(Duration.ZERO, Duration.ofDays(1));
                assertThat((String) rule.get("expr")).contains("penstock_").doesNotContain("\n");
                assertThat((Map<String, String>) rule.get("labels")).containsKey("severity");
                assertThat((Map<String, String>) rule.get("annotations")).containsOnlyKeys("summary", "runbook");
            }
        }
        assertThat(names).hasSizeGreaterThan(10);
    }
}
