package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.penstock.core.ErrorCode;
import io.penstock.core.record.RecordChange;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The lists in the documents are those of the code: nothing is missing, and nothing is listed in vain. */
class DocsTest {
    private static final Repository.Text ARCHITECTURE = Repository.page("docs/ARCHITECTURE.md");
    private static final Repository.Text CONCURRENCY = Repository.page("docs/CONCURRENCY.md");
    private static final Repository.Text CONSISTENCY = Repository.page("docs/CONSISTENCY.md");
    private static final Repository.Text OPERATIONS = Repository.page("docs/OPERATIONS.md");
    private static final Repository.Text ERRORS = Repository.page("docs/ERRORS.md");
    private static final Repository.Text SETTINGS = Repository.page("docs/SETTINGS.md");
    private static final Repository.Text HACKING = Repository.page("docs/HACKING.md");

    private static final List<Repository.Text> MAIN = Repository.sources("src/main");

    /** Main sources of the library and its command; a benchmark has no rules of its own. */
    private static final List<Repository.Text> LIBRARY = MAIN.stream()
            .filter(source -> !source.path().startsWith("bench-tpcw"))
            .toList();

    private static final String LOCKS =
            "MemoryLock|ReentrantLock|ReentrantReadWriteLock|ReadWriteLock|StampedLock|Lock";
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");
    private static final Pattern CODE_SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern NAME = Pattern.compile("[A-Z]\\w*[a-z]\\w*(\\.\\w+)*(\\(.*\\))?");

    // ---- ERRORS.md, SETTINGS.md

    /** {@link ReferencePages} writes what is not equal. */
    @Test
    void whatIsMadeOfJavadocFollowsIt() throws IOException {
        assertThat(ReferencePages.ERRORS).hasContent(ReferencePages.errors());
        assertThat(ReferencePages.SETTINGS).hasContent(ReferencePages.settings());
        assertThat(ReferencePages.PROPERTIES).hasContent(ReferencePages.properties());
        assertThat(ReferencePages.ADVICE).hasContent(ReferencePages.advice());
    }

    @Test
    void everyCodeIsListed() {
        assertThat(firstCells(ERRORS, "# Error codes"))
                .containsExactlyInAnyOrder(
                        Arrays.stream(ErrorCode.values()).map(Enum::name).toArray(String[]::new));
    }

    @Test
    void everySettingIsListed() {
        assertThat(firstCells(SETTINGS, "# Settings")).isEqualTo(setters(Settings.class));
        assertThat(firstCells(SETTINGS, "## Advanced")).isEqualTo(setters(Settings.Advanced.class));
    }

    private static Set<String> setters(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getReturnType() == type && !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .filter(name -> !name.equals("with") && !name.equals("advanced"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ---- The lists of CONCURRENCY.md

    @Test
    void everyLockIsListed() {
        assertThat(firstColumn("locks")).isNotEmpty().isEqualTo(fields(LOCKS));
    }

    @Test
    void allPermitsAreListed() {
        assertThat(firstColumn("permits")).isNotEmpty().isEqualTo(fields("Permits"));
    }

    @Test
    void everySingleFlightIsListed() {
        assertThat(firstColumn("shared-calls")).isNotEmpty().isEqualTo(fields("SingleFlight|SharedCalls"));
    }

    @Test
    void everyTaskIsListed() {
        Pattern start = Pattern.compile("\\b(?:[tT]asks(?:\\(\\))?\\.(?:start|fork|uninterruptibly)\\("
                + "|new Recurring\\([\\w.()]+,)\\s*\"([^\"]+)\"");
        assertThat(firstColumn("tasks")).isNotEmpty().isEqualTo(found(LIBRARY, start));
    }

    /** Fields of a type (or of lists of it) in the library, each as {@code Owner.field}. */
    private static Set<String> fields(String types) {
        Pattern field = Pattern.compile("(\\s+)((?:(?:private|protected|public|static|final|volatile) )*)"
                + "(?:List<)?(?:" + types + ")(?:<[^=;]*>)?>? (\\w+)(?: =.*|;)");
        Set<String> fields = new TreeSet<>();
        for (Repository.Text source : LIBRARY) {
            for (int i = 0; i < source.lines().size(); i++) {
                Matcher line = field.matcher(source.lines().get(i));
                // A variable of a method has no modifier, and stands further to the right.
                if (line.matches() && (!line.group(2).isEmpty() || line.group(1).length() == 4)) {
                    fields.add(owner(source.lines(), i) + "." + line.group(3));
                }
            }
        }
        return fields;
    }

    /** The type whose member stands at {@code index}, with the types around it. */
    private static String owner(List<String> lines, int index) {
        String owner = "";
        int indent = indent(lines.get(index));
        for (int i = index; i >= 0 && indent > 0; i--) {
            String line = lines.get(i);
            Matcher type = TYPE.matcher(line);
            if (!line.isBlank() && indent(line) < indent && !line.strip().startsWith("*") && type.find()) {
                owner = type.group(1) + (owner.isEmpty() ? "" : "." + owner);
                indent = indent(line);
            }
        }
        return owner;
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }

    // ---- ARCHITECTURE.md

    @Test
    void everyPackageIsListed() {
        Set<String> packages = new TreeSet<>();
        for (Repository.Text source : MAIN) {
            if (source.name().equals("package-info.java")) {
                packages.add(shortName(packageOf(source)));
            }
        }
        Set<String> listed = new TreeSet<>();
        for (String word : parts()) {
            if (packages.contains(shortName(word)) || word.matches("[a-z]\\w*(\\.[a-z]\\w*)+")) {
                listed.add(shortName(word));
            }
        }
        assertThat(listed).isEqualTo(packages);
    }

    private static String packageOf(Repository.Text source) {
        String line = source.lines().stream()
                .filter(text -> text.startsWith("package "))
                .findFirst()
                .orElseThrow();
        return line.substring("package ".length(), line.indexOf(';'));
    }

    /** The page leaves out what all packages begin with, but not the name of the front door. */
    private static String shortName(String name) {
        return name.startsWith("io.penstock.") ? name.substring("io.penstock.".length()) : name;
    }

    /** The words of the list of parts. */
    private static List<String> parts() {
        String section = section(ARCHITECTURE, "## The parts");
        String list = section.substring(section.indexOf("```") + 3, section.lastIndexOf("```"));
        return Arrays.asList(list.split("[\\s,;:()]+"));
    }

    // ---- OPERATIONS.md

    @Test
    void everyObservationIsListed() {
        Pattern name = Pattern.compile("\"(penstock\\.[a-z.]+)\"");
        Set<String> listed = new TreeSet<>();
        for (String row : section(OPERATIONS, "## Observations").split("\n")) {
            if (row.startsWith("| `penstock.")) {
                addMeters(row.substring(0, row.indexOf('|', 1)), listed);
            }
        }
        assertThat(listed).isEqualTo(found(named("Observations.java"), name));
    }

    /** Adds the names of a cell; one such as {@code .misses} replaces the end of the whole name before it. */
    private static void addMeters(String cell, Set<String> listed) {
        String group = "";
        Matcher names = CODE_SPAN.matcher(cell);
        while (names.find()) {
            String name = names.group(1);
            if (!name.startsWith(".")) {
                group = name.substring(0, name.lastIndexOf('.'));
            }
            listed.add(name.startsWith(".") ? group + name : name);
        }
    }

    private static List<Repository.Text> named(String file) {
        return LIBRARY.stream().filter(source -> source.name().equals(file)).toList();
    }

    // ---- Levels

    /** CONSISTENCY.md has a row, a section and a column of what each exception means. */
    @Test
    void everyLevelIsExplained() {
        for (ConsistencyLevel level : ConsistencyLevel.values()) {
            assertThat(section(CONSISTENCY, "## The levels")).contains("\n| " + level + " |");
            assertThat(section(CONSISTENCY, "## " + level)).isNotEmpty();
            assertThat(section(CONSISTENCY, "## What an exception means for the outcome")
                            .lines()
                            .filter(line -> line.startsWith("| exception |")))
                    .singleElement(STRING)
                    .contains("| " + level + " |");
        }
    }

    /** FORMATS.md tells how a log record carries each kind of change. */
    @Test
    void everyKindOfChangeHasAFormat() {
        String format =
                section(Repository.page("docs/FORMATS.md"), "## Messages").toLowerCase(Locale.ROOT);
        for (Class<?> kind : RecordChange.class.getPermittedSubclasses()) {
            assertThat(format).contains("a " + kind.getSimpleName().toLowerCase(Locale.ROOT));
        }
    }

    // ---- Names

    /** A class that a page names is there, and has the members that the page names. */
    @Test
    void namesInPagesAreThoseOfTheCode() {
        Map<String, String> types = types();
        List<String> faults = new ArrayList<>();
        for (Repository.Text page : List.of(ARCHITECTURE, CONCURRENCY, HACKING)) {
            Matcher span = CODE_SPAN.matcher(page.whole().replaceAll("(?s)```.*?```", ""));
            while (span.find()) {
                if (NAME.matcher(span.group(1)).matches() && !isThere(span.group(1), types)) {
                    faults.add(page.path() + " names " + span.group(1) + ", which is not in the code");
                }
            }
        }
        Predicate<String> isName = NAME.asMatchPredicate();
        for (String word : parts()) {
            if (isName.test(word) && !isThere(word, types)) {
                faults.add(ARCHITECTURE.path() + " lists " + word + ", which is not in the code");
            }
        }
        assertThat(faults).isEmpty();
    }

    /** All types of the project, each with the text of the files that declare it. */
    private static Map<String, String> types() {
        Map<String, String> types = new HashMap<>();
        for (Repository.Text source : Repository.sources("src")) {
            Matcher type = TYPE.matcher(source.whole());
            while (type.find()) {
                types.merge(type.group(1), source.whole(), String::concat);
            }
        }
        return types;
    }

    private static boolean isThere(String name, Map<String, String> types) {
        String[] words = name.replaceFirst("\\(.*", "").split("\\.");
        String text = types.get(words[0]);
        return text != null
                && Arrays.stream(words)
                        .allMatch(word -> Pattern.compile("\\b" + word + "\\b")
                                .matcher(text)
                                .find());
    }

    // ---- Pages

    /** From a heading to the next one of its level. */
    private static String section(Repository.Text page, String heading) {
        String whole = page.whole();
        int from = whole.indexOf(heading + "\n");
        assertThat(from).as("%s has the heading %s", page.path(), heading).isNotNegative();
        int to = whole.indexOf("\n## ", from);
        return whole.substring(from, to < 0 ? whole.length() : to);
    }

    /** The names in the first cells of a section's first table. */
    private static Set<String> firstCells(Repository.Text page, String heading) {
        Set<String> names = new TreeSet<>();
        List<String> rows = section(page, heading)
                .lines()
                .dropWhile(line -> !line.startsWith("|---"))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        for (String row : rows) {
            Matcher name = CODE_SPAN.matcher(row.substring(0, row.indexOf('|', 1)));
            while (name.find()) {
                names.add(name.group(1));
            }
        }
        return names;
    }

    /** The names in the first column of a list. */
    private static Set<String> firstColumn(String list) {
        return Repository.page("docs/concurrency/" + list + ".csv").lines().stream()
                .skip(1)
                .map(row -> row.substring(0, row.indexOf(',')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> found(List<Repository.Text> sources, Pattern pattern) {
        Set<String> found = new TreeSet<>();
        for (Repository.Text source : sources) {
            Matcher matcher = pattern.matcher(source.whole());
            while (matcher.find()) {
                found.add(matcher.group(1));
            }
        }
        return found;
    }
}
