package io.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The bill of materials has all that users need, in the versions that this build is tested with. */
class BomTest {
    /** What users depend on, and what the page tells them to. */
    private static final List<String> OURS = List.of(
            "penstock",
            "penstock-azure",
            "penstock-btree",
            "penstock-cli",
            "penstock-console",
            "penstock-core",
            "penstock-gcs",
            "penstock-jobrunr",
            "penstock-junit",
            "penstock-parquet",
            "penstock-shedlock",
            "penstock-spring-boot-starter",
            "penstock-spark",
            "penstock-spring-data",
            "penstock-spring-session",
            "penstock-sql",
            "penstock-testkit");

    /** Modules of no use to others. */
    private static final List<String> NOT_PUBLISHED = List.of("bench-tpcw", "bench-tpcw/shop", "commit/bom");

    private static Document pom(String path) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Pages.root().resolve(path).toFile());
    }

    private static String text(Element of, String name) {
        for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeName().equals(name)) {
                return child.getTextContent().strip();
            }
        }
        return "";
    }

    private static String property(Document pom, String version) {
        Matcher named = Pattern.compile("\\$\\{(.+)}").matcher(version);
        if (!named.matches() || named.group(1).startsWith("project.")) {
            return version;
        }
        return pom.getElementsByTagName(named.group(1)).item(0).getTextContent();
    }

    /** Version and exclusions of each managed dependency. */
    private static Map<String, String> managed(Document pom) {
        Map<String, String> managed = new TreeMap<>();
        Element management =
                (Element) pom.getElementsByTagName("dependencyManagement").item(0);
        NodeList dependencies = management.getElementsByTagName("dependency");
        for (int i = 0; i < dependencies.getLength(); i++) {
            Element dependency = (Element) dependencies.item(i);
            List<String> without = new ArrayList<>();
            NodeList exclusions = dependency.getElementsByTagName("exclusion");
            for (int j = 0; j < exclusions.getLength(); j++) {
                without.add(text((Element) exclusions.item(j), "artifactId"));
            }
            managed.put(text(dependency, "artifactId"), property(pom, text(dependency, "version")) + without);
        }
        return managed;
    }

    @Test
    void itHasEachModuleThatIsPublished() throws Exception {
        Document parent = pom("pom.xml");
        List<String> published = new ArrayList<>();
        NodeList modules = parent.getElementsByTagName("module");
        for (int i = 0; i < modules.getLength(); i++) {
            String module = modules.item(i).getTextContent();
            if (!NOT_PUBLISHED.contains(module)) {
                published.add(text(pom(module + "/pom.xml").getDocumentElement(), "artifactId"));
            }
        }
        assertThat(published).containsExactlyInAnyOrderElementsOf(OURS);
        assertThat(managed(pom("commit/bom/pom.xml")).keySet()).containsAll(OURS);
    }

    @Test
    void itsVersionsAreThoseOfThisBuild() throws Exception {
        Document parent = pom("pom.xml");
        Document bom = pom("commit/bom/pom.xml");
        assertThat(text(bom.getDocumentElement(), "version")).isEqualTo(text(parent.getDocumentElement(), "version"));
        Map<String, String> ofBuild = managed(parent);
        Map<String, String> ofUsers = managed(bom);
        ofUsers.keySet().removeAll(OURS);
        String sdk = parent.getElementsByTagName("version.aws-sdk").item(0).getTextContent();
        assertThat(ofUsers.remove("url-connection-client")).isEqualTo(sdk + "[]");
        String shedlock =
                parent.getElementsByTagName("version.shedlock").item(0).getTextContent();
        assertThat(ofUsers.remove("shedlock-spring")).isEqualTo(shedlock + "[]");
        assertThat(ofBuild).containsAllEntriesOf(ofUsers);
        assertThat(ofUsers).containsOnlyKeys("kms", "s3", "sqs", "zstd-jni");
    }

    /** A package of the API is compared with the release before, or says that it is young. */
    @Test
    void theApiIsComparedWithTheReleaseBefore() throws Exception {
        Document parent = pom("pom.xml");
        Set<String> compared = new TreeSet<>();
        NodeList includes = parent.getElementsByTagName("include");
        for (int i = 0; i < includes.getLength(); i++) {
            compared.add(includes.item(i).getTextContent());
        }
        Set<String> grown = new TreeSet<>();
        NodeList modules = parent.getElementsByTagName("module");
        for (int i = 0; i < modules.getLength(); i++) {
            String module = modules.item(i).getTextContent();
            if (!NOT_PUBLISHED.contains(module)) {
                grown.addAll(grown(Pages.root().resolve(module + "/src/main/java")));
            }
        }
        assertThat(compared).isEqualTo(grown);
    }

    /** What a module exports to all, without young packages: all of it, if it does not say. */
    private static List<String> grown(Path sources) throws IOException {
        Path module = sources.resolve("module-info.java");
        String exports = Files.exists(module) ? Files.readString(module) : null;
        List<String> grown = new ArrayList<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(each -> each.endsWith("package-info.java")).toList()) {
                String name = sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.');
                if ((exports == null || exports.contains("exports " + name + ";"))
                        && !Files.readString(file).contains("Young:")) {
                    grown.add(name);
                }
            }
        }
        return grown;
    }

    /** Each artifact that a page shows without its version has one here. */
    @Test
    void itHasWhatThePagesShow() throws IOException {
        String bom = Files.readString(Pages.root().resolve("commit/bom/pom.xml"));
        for (String page : List.of("docs/SPRING.md", "docs/AWS.md")) {
            Matcher shown = Pattern.compile("<artifactId>(.+?)</artifactId>\\s*</dependency>")
                    .matcher(Files.readString(Pages.root().resolve(page)));
            while (shown.find()) {
                assertThat(bom).contains("<artifactId>" + shown.group(1) + "</artifactId>");
            }
        }
        assertThat(Files.readString(Pages.root().resolve("docs/SPRING.md")))
                .contains("<artifactId>penstock-bom</artifactId>");
    }
}
