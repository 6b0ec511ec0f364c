package io.penstock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts that are made of Javadoc: two pages of the documentation, and what editors tell of properties. Its program
 * writes them; {@code DocsTest} compares.
 */
final class ReferencePages {
    static final Path ERRORS = Repository.ROOT.resolve("docs/ERRORS.md");
    static final Path SETTINGS = Repository.ROOT.resolve("docs/SETTINGS.md");
    static final Path PROPERTIES = Repository.ROOT.resolve(
            "commit/spring-boot-starter/src/main/resources/META-INF/spring-configuration-metadata.json");
    static final Path ADVICE = Repository.ROOT.resolve(
            "commit/spring-boot-starter/src/main/resources/io/penstock/spring/advice.properties");

    private static final Pattern CODE = documented("    ", "(\\w+)[,;]?");
    private static final Pattern SETTING = documented("    ", "public Settings (\\w+)\\(([\\w. ]*)\\) \\{");
    private static final Pattern DISK_TIER = documented("    ", "public Settings (diskTier)\\(([^)]*)\\) \\{");
    private static final Pattern ADVANCED = documented("        ", "public Advanced (\\w+)\\(([\\w. ]*)\\) \\{");

    private static final String ERRORS_HEAD = """
            # Error codes

            Every `StoreException` has a `code()`. Its type says how the caller reacts
            ([OPERATIONS](OPERATIONS.md#what-to-do-on-each-exception)), its code what to mend. The command prints it in
            brackets, meters of failures have it as the tag `code`. Texts may change, codes stay. This page is made of
            the Javadoc of `ErrorCode`.

            | code | cause | what to do |
            |---|---|---|
            """;

    private static final String SETTINGS_HEAD = """
            # Settings

            Clients of one store may have different settings. [OPERATIONS](OPERATIONS.md#settings) shows the ways
            to give them, also by name. This page is made of the Javadoc of `Settings`.

            | setting | meaning |
            |---|---|
            """;

    private static final String ADVANCED_HEAD = """

            ## Advanced

            Few programs need these: `settings.advanced(advanced -> advanced.lease(...))`, by name `advanced.lease`.

            | setting | meaning |
            |---|---|
            """;

    /** A documented member of a type, with the type of its parameter if it has one. */
    private record Member(String name, String type, String text) {
        String kebab() {
            return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        }
    }

    private ReferencePages() {}

    private static Pattern documented(String indent, String member) {
        return Pattern.compile(
                "\\n" + indent + "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*\\n" + indent + member + "(?=\\n)", Pattern.DOTALL);
    }

    /** Writes all. */
    public static void main(String[] arguments) throws IOException {
        Files.writeString(ERRORS, errors());
        Files.writeString(SETTINGS, settings());
        Files.writeString(PROPERTIES, properties());
        Files.writeString(ADVICE, advice());
    }

    /** The text of {@code docs/ERRORS.md}. */
    static String errors() throws IOException {
        StringBuilder page = new StringBuilder(ERRORS_HEAD);
        for (Member code : codes()) {
            String cause = code.text.substring(0, code.text.indexOf(". "));
            page.append("| `" + code.name + "` | " + cause + " | " + remedy(code) + " |\n");
        }
        return page.toString();
    }

    private static List<Member> codes() throws IOException {
        return members("core/src/main/java/io/penstock/core/ErrorCode.java", CODE);
    }

    private static String remedy(Member code) {
        return code.text.substring(code.text.indexOf(". ") + 2, code.text.length() - 1);
    }

    /** What the starter advises of each code. */
    static String advice() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Member code : codes()) {
            all.append(code.name + "=" + remedy(code).replace("`", "") + "\n");
        }
        return all.toString();
    }

    /** The text of {@code docs/SETTINGS.md}. */
    static String settings() throws IOException {
        StringBuilder page = new StringBuilder(SETTINGS_HEAD);
        List<Member> settings = settings(SETTING);
        settings.addAll(settings(DISK_TIER));
        settings.forEach(setting -> page.append(row(setting)));
        page.append(ADVANCED_HEAD);
        settings(ADVANCED).forEach(setting -> page.append(row(setting)));
        return page.toString();
    }

    private static String row(Member setting) {
        return "| `" + setting.name + "` | " + setting.text + " |\n";
    }

    /** What editors tell of properties: of the starter's own what is there, of settings their Javadoc. */
    static String properties() throws IOException {
        Map<String, String> properties = new TreeMap<>();
        for (JsonNode one :
                new ObjectMapper().readTree(Files.readString(PROPERTIES)).get("properties")) {
            String name = one.get("name").asText();
            properties.put(
                    name,
                    property(
                            name,
                            one.get("type").asText(),
                            one.get("description").asText()));
        }
        properties.keySet().removeIf(name -> name.startsWith("penstock.advanced."));
        addProperties(properties, "penstock.", settings(SETTING));
        addProperties(properties, "penstock.advanced.", settings(ADVANCED));
        return """
                {
                  "groups": [
                    {
                      "name": "penstock",
                      "description": "A Penstock store."
                    },
                    {
                      "name": "penstock.advanced",
                      "description": "Settings that few programs need."
                    }
                  ],
                  "properties": [
                %s
                  ]
                }
                """.formatted(String.join(",\n", properties.values()));
    }

    private static void addProperties(Map<String, String> properties, String mark, List<Member> settings) {
        for (Member setting : settings) {
            String type = typeOf(setting);
            if (!type.isEmpty()) {
                String name = mark + setting.kebab();
                properties.put(name, property(name, type, setting.text.replace("`", "")));
            }
        }
    }

    private static String property(String name, String type, String description) {
        return """
                    {
                      "name": "%s",
                      "type": "%s",
                      "description": "%s"
                    }""".formatted(name, type, description).indent(4).stripTrailing();
    }

    /** The type of a property as editors know it; empty for settings that text cannot give. */
    private static String typeOf(Member setting) {
        return switch (setting.type) {
            case "boolean" -> "java.lang.Boolean";
            case "int", "long" -> "org.springframework.util.unit.DataSize";
            case "String", "Layout", "MasterKeys" -> "java.lang.String";
            case "Duration" -> "java.time.Duration";
            case "ConsistencyLevel", "Provisioning" -> "io.penstock." + setting.type;
            default -> "";
        };
    }

    private static List<Member> settings(Pattern member) throws IOException {
        return members("commit/src/main/java/io/penstock/Settings.java", member);
    }

    private static List<Member> members(String source, Pattern member) throws IOException {
        List<Member> members = new ArrayList<>();
        Matcher matcher = member.matcher(Files.readString(Repository.ROOT.resolve(source)));
        while (matcher.find()) {
            String type = matcher.groupCount() < 3 ? "" : matcher.group(3).split(" ")[0];
            members.add(new Member(matcher.group(2), type, plain(matcher.group(1))));
        }
        return members;
    }

    /** The text of a Javadoc in one line of Markdown. */
    private static String plain(String javadoc) {
        return javadoc.replaceAll("\\n *\\* ?", " ")
                .replaceAll("\\{@linkplain\\s+\\S+\\s+([^}]+)}", "$1")
                .replaceAll("\\{@(?:code|link)\\s+(?:Settings)?#(\\w+)}", "`$1`")
                .replaceAll("\\{@(?:code|link)\\s+([^}]+)}", "`$1`")
                .replaceAll("`(\\w+)#(\\w+)`", "`$1.$2`")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
