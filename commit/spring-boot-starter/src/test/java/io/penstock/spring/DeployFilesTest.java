package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files for deployment name what there is: settings, commands, each other's ports. */
class DeployFilesTest {
    private static final Path ROOT = root();

    private static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve("docs/deploy"))) {
            root = root.getParent();
        }
        return root;
    }

    private static String read(String path) throws IOException {
        return Files.readString(ROOT.resolve(path));
    }

    private static List<Map<String, Object>> manifests() throws IOException {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        List<Map<String, Object>> all = new ArrayList<>();
        new Yaml(new SafeConstructor(strict))
                .loadAll(read("docs/deploy/kubernetes.yml"))
                .forEach(each -> all.add(map(each)));
        return all;
    }

    @SuppressWarnings("unchecked") // YAML of maps by name
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked") // YAML of lists of maps by name
    private static List<Map<String, Object>> maps(Object value) {
        return (List<Map<String, Object>>) value;
    }

    private static Map<String, Object> pod(Map<String, Object> manifest) {
        Map<String, Object> spec = map(manifest.get("spec"));
        while (!spec.containsKey("containers")) {
            spec = map(
                    spec.containsKey("jobTemplate")
                            ? spec.get("jobTemplate")
                            : spec.containsKey("template") ? spec.get("template") : spec.get("spec"));
        }
        return spec;
    }

    @Test
    void theManifestsAreWhole() throws IOException {
        assertThat(manifests())
                .extracting(each -> each.get("kind"))
                .containsExactly("StatefulSet", "Service", "Deployment", "CronJob");
        for (Map<String, Object> manifest : manifests()) {
            assertThat(manifest).containsKeys("apiVersion", "metadata", "spec");
            if (manifest.get("kind").equals("Service")) {
                continue;
            }
            Map<String, Object> container =
                    maps(pod(manifest).get("containers")).getFirst();
            assertThat(container).containsKey("image");
            if (container.get("args") instanceof List<?> arguments) {
                String command = String.valueOf(arguments.getFirst())
                                .toUpperCase(Locale.ROOT)
                                .substring(0, 1)
                        + String.valueOf(arguments.getFirst()).substring(1);
                assertThat(read("commit/cli/src/main/java/io/penstock/cli/" + command + "Command.java"))
                        .contains("name = \"" + arguments.getFirst() + "\"");
            }
        }
    }

    @Test
    void theServiceSetsKnownPropertiesAndHasProbes() throws IOException {
        Map<String, Object> pod = pod(manifests().getFirst());
        Map<String, Object> container = maps(pod.get("containers")).getFirst();
        String known =
                read("commit/spring-boot-starter/src/main/resources/META-INF/spring-configuration-metadata.json");
        for (Map<String, Object> variable : maps(container.get("env"))) {
            String name = String.valueOf(variable.get("name")).toLowerCase(Locale.ROOT);
            if (name.startsWith("penstock_")) {
                String property =
                        "penstock." + name.substring("penstock_".length()).replace('_', '-');
                assertThat(known).contains("\"" + property + "\"");
            }
        }
        for (String probe : Set.of("startupProbe", "livenessProbe", "readinessProbe")) {
            Map<String, Object> get = map(map(container.get(probe)).get("httpGet"));
            assertThat(get.get("port"))
                    .isEqualTo(maps(container.get("ports")).getFirst().get("name"));
            assertThat(String.valueOf(get.get("path"))).matches("/actuator/health/(liveness|readiness)");
        }
        // An orchestrator that kills while the store closes leaves work to others.
        assertThat((Integer) pod.get("terminationGracePeriodSeconds")).isGreaterThan(25);
    }

    @Test
    void theUnitRunsACommandThatIsThere() throws IOException {
        String unit = read("docs/deploy/penstock-sweep.service");
        assertThat(unit.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")))
                .allMatch(line -> line.matches("\\[(Unit|Service|Install)]|[A-Z][A-Za-z]+=.+"))
                .anyMatch(line ->
                        line.matches("ExecStart=.* io.penstock.cli.PenstockCommand sweep --every 60s \\$STORE"));
    }

    @Test
    void theImageCopiesWhatTheBuildMakes() throws IOException {
        String file = read("docs/deploy/Containerfile");
        assertThat(file).contains("-pl core,core/testkit,btree,commit,commit/sql,commit/cli package");
        assertThat(read("scripts/penstock")).contains("io.penstock.cli.PenstockCommand");
        assertThat(file).contains("io.penstock.cli.PenstockCommand", "target/lib", "target/classes");
    }
}
