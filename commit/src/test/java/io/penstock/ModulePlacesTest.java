package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The places of a module, and of one that is the driver of a bucket: a forgotten one would be tested by nobody. */
class ModulePlacesTest {
    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("</parent>\\s*<artifactId>(.+)</artifactId>");
    private static final String DRIVER = "src/main/resources/META-INF/services/io.penstock.core.object.BucketDriver";

    /** Modules that no program of the scripts needs. */
    private static final Set<String> NOT_OF_SCRIPTS = Set.of("commit/bom", "commit/spark");

    /** The parts of the project that a user of any bucket has. */
    private static final List<String> USERS = List.of("commit", "commit/cli", "commit/spring-boot-starter");

    @Test
    void eachModuleIsBuiltAndHeldToTheRules() throws IOException {
        Set<String> built = MODULE.matcher(read("pom.xml"))
                .results()
                .map(module -> module.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(folders()).isEqualTo(built);
        assertThat(TidyTest.MODULES)
                .as("TidyTest.MODULES")
                .containsExactlyInAnyOrderElementsOf(built.stream()
                        .filter(module -> Files.isDirectory(path(module).resolve("src")))
                        .toList());
        assertThat(read("scripts/lib/build.sh").split("[ ()\\n]+"))
                .as("modules that scripts build")
                .containsAll(built.stream()
                        .filter(module -> !NOT_OF_SCRIPTS.contains(module))
                        .toList());
    }

    /** The folders with a build file, but for projects that only tests and scripts build. */
    private static Set<String> folders() throws IOException {
        try (Stream<Path> files = Files.walk(Repository.ROOT, 3)) {
            return files.filter(file -> file.endsWith("pom.xml"))
                    .map(file -> Repository.ROOT.relativize(file.getParent()).toString())
                    .filter(folder -> !folder.isEmpty() && !folder.matches("(scripts|\\.cloud|target)(/.*)?"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void eachDriverIsTestedNamedAndBroughtAlong() throws IOException {
        List<String> drivers = TidyTest.MODULES.stream()
                .filter(module -> Files.exists(path(module).resolve(DRIVER)))
                .filter(module -> !module.equals("core")) // S3's, which every user has
                .toList();
        assertThat(drivers).contains("core/gcs", "core/azure");
        for (String driver : drivers) {
            String artifact = artifact(driver);
            assertThat(tests(driver))
                    .as("a subclass of the contract in %s", driver)
                    .contains("ObjectStoreContract");
            assertThat(read("core/src/main/java/io/penstock/core/object/BucketAddress.java"))
                    .contains('"' + artifact + '"');
            assertThat(read("docs/CLOUDS.md")).contains('`' + artifact + '`');
            assertThat(path("docs/failures/" + path(driver).getFileName() + ".csv"))
                    .exists();
            for (String user : USERS) {
                assertThat(read(user + "/pom.xml"))
                        .as("dependencies of %s", user)
                        .contains("<artifactId>" + artifact + "</artifactId>");
            }
        }
    }

    private static String artifact(String module) throws IOException {
        MatchResult found = ARTIFACT.matcher(read(module + "/pom.xml"))
                .results()
                .findFirst()
                .orElseThrow();
        return found.group(1);
    }

    private static String tests(String module) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(path(module).resolve("src/test"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    private static Path path(String path) {
        return Repository.ROOT.resolve(path);
    }

    private static String read(String path) throws IOException {
        return Files.readString(path(path));
    }
}
