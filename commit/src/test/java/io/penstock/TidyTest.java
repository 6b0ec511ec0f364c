package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Rules for sources that a formatter does not check: sizes, and what must or must not be in them. Reads the sources of
 * all modules.
 */
class TidyTest {
    static final List<String> MODULES = List.of(
            "core",
            "core/testkit",
            "core/gcs",
            "core/azure",
            "btree",
            "commit",
            "commit/spark",
            "commit/sql",
            "commit/console",
            "commit/cli",
            "commit/parquet",
            "commit/spring-boot-starter",
            "commit/jobrunr",
            "commit/junit",
            "commit/shedlock",
            "commit/spring-session",
            "commit/spring-data",
            "bench-tpcw",
            "bench-tpcw/shop");

    private static final int FILE_LINES_MAX = 600;
    private static final int TEST_FILE_LINES_MAX = 800;
    private static final int METHOD_LINES_MAX = 40;

    /** A test tells a story from its begin to its end. */
    private static final int TEST_METHOD_LINES_MAX = 60;

    private static final int LINE_CHARS_MAX = 120;

    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("\\s*public ((abstract|final|static|sealed|non-sealed) )*(class|interface|enum|record) .*");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final Pattern PRINT = Pattern.compile("\\bSystem\\.(out|err)(\\.|::)|\\.printStackTrace\\(");
    private static final Pattern LOCKED_BLOCK = Pattern.compile("\\bsynchronized\\s*\\(");
    private static final Pattern PROGRAM = Pattern.compile("\\bstatic void main\\(");

    private static final Pattern NAMED_LEVELS =
            Pattern.compile("@EnumSource\\((?![^)]*EXCLUDE)[^)]*\"(NAIVE|BASIC|MONOTONIC|ATOMIC)\""
                    + "|(?<!except|LEVELS = List\\.of)"
                    + "[({]\\s*ConsistencyLevel\\.\\w+,\\s*ConsistencyLevel\\.[A-Z]+\\b");

    /** Sources, build files, golden files, planted bugs, scripts and documents. */
    private static final Pattern TRACKED = Pattern.compile(".+/src/(main|test)/java/.+\\.java"
            + "|.+/src/(main|test)/resources/.+\\.(csv|css|factories|html|imports|js|json|kt|properties|svg)"
            + "|.+/src/main/resources/META-INF/services/[\\w.]+"
            + "|(.+/)?pom\\.xml|\\.mvn/maven\\.config|\\.ci/run|\\.gitignore"
            + "|core/src/test/resources/golden/v\\d+/[\\w-]+\\.bin"
            + "|commit/src/test/(resources/golden/v\\d+/[\\w-]+\\.(bin|json)|plants/[\\w-]+\\.patch)"
            + "|scripts/(lib/|lib/cloud/)?[\\w.]+"
            + "|[A-Z]+\\.md|docs/.+\\.md|docs/[a-z]+/[\\w-]+\\.csv|LICENSE"
            + "|docs/(console|report|shop)/[\\w-]+\\.(html|png)"
            + "|docs/observability/[\\w-]+\\.(json|yml)|docs/deploy/(Containerfile|[\\w-]+\\.(service|yml))");

    private static final List<Source> SOURCES = sources();

    /** One source file; {@code code} is its text without comments and literals, line for line. */
    private record Source(Path path, String module, boolean test, List<String> lines, String code) {
        String at(int index) {
            return path + ":" + (index + 1);
        }

        boolean isNamed(String name) {
            return path.getFileName().toString().equals(name);
        }
    }

    @Test
    void thereAreSources() {
        for (String module : MODULES) {
            assertThat(SOURCES.stream().filter(source -> source.module.equals(module)))
                    .as(module)
                    .isNotEmpty();
        }
    }

    @Test
    void filesAreShort() {
        List<String> faults = new ArrayList<>();
        for (Source source : SOURCES) {
            int max = source.test ? TEST_FILE_LINES_MAX : FILE_LINES_MAX;
            if (source.lines.size() > max) {
                faults.add(source.path + " has " + source.lines.size() + " lines, max " + max);
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void methodsAreShort() {
        List<String> faults = new ArrayList<>();
        for (Source source : SOURCES) {
            for (MethodLengths.Method method : MethodLengths.of(source.code)) {
                int most = source.test ? TEST_METHOD_LINES_MAX : METHOD_LINES_MAX;
                if (method.lines() > most) {
                    faults.add(source.at(method.line()) + " has a method of " + method.lines() + " lines, max " + most);
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void linesAreShortAndWithoutTabs() {
        List<String> faults = new ArrayList<>();
        forEachLine((source, index, line) -> {
            if (line.codePointCount(0, line.length()) > LINE_CHARS_MAX) {
                faults.add(source.at(index) + " is longer than " + LINE_CHARS_MAX);
            }
            if (line.indexOf('\t') >= 0) {
                faults.add(source.at(index) + " has a tab");
            }
        });
        assertThat(faults).isEmpty();
    }

    @Test
    void nothingIsLeftUnfinished() {
        List<String> faults = new ArrayList<>();
        forEachLine((source, index, line) -> {
            if (UNFINISHED.matcher(line).find()) {
                faults.add(source.at(index) + " is a note to oneself; do it or file it");
            }
        });
        assertThat(faults).isEmpty();
    }

    @Test
    void onlyProgramsPrint() {
        List<String> faults = new ArrayList<>();
        for (Source source : SOURCES) {
            boolean mayPrint = source.module.equals("bench-tpcw")
                    || source.test && PROGRAM.matcher(source.code).find();
            if (!mayPrint && PRINT.matcher(source.code).find()) {
                faults.add(source.path + " prints; use a logger");
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void noBlockIsSynchronized() {
        List<String> faults = SOURCES.stream()
                .filter(source -> LOCKED_BLOCK.matcher(source.code).find())
                .map(source -> source.path + " has a synchronized block; use a lock in a field")
                .toList();
        assertThat(faults).isEmpty();
    }

    /** A level or a kind of change that is new must not fall into a default: the compiler finds the places. */
    @Test
    void switchesOverLevelsAndKindsHaveNoDefault() {
        assertThat(SOURCES.stream()
                        .flatMap(source -> Switches.open(source.code).stream().map(source::at)))
                .isEmpty();
    }

    /** A list {@code LEVELS} has a test that no level is missing. */
    @Test
    void testsNameTheLevelsThatTheyLeaveOut() {
        assertThat(SOURCES.stream()
                        .filter(Source::test)
                        .flatMap(source -> NAMED_LEVELS
                                .matcher(String.join("\n", source.lines))
                                .results()
                                .map(found -> source.path + ": " + found.group())))
                .isEmpty();
    }

    /** The files of a store that a test had opened in its working directory were committed twice. */
    @Test
    void onlyKnownKindsOfFilesAreTracked() throws InterruptedException {
        List<String> tracked = tracked();
        assumeThat(tracked).as("files that git knows").isNotEmpty();
        assertThat(tracked)
                .filteredOn(path -> !TRACKED.matcher(path).matches())
                .as("files of no known kind")
                .isEmpty();
    }

    /** Empty where there is no git or no repository, as in an unpacked archive. */
    private static List<String> tracked() throws InterruptedException {
        try {
            Process git = new ProcessBuilder("git", "ls-files")
                    .directory(root().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            List<String> paths = git.inputReader().lines().toList();
            return git.waitFor() == 0 ? paths : List.of();
        } catch (IOException noGit) {
            return List.of();
        }
    }

    @Test
    void packagesAreExplained() {
        Set<Path> packages = new TreeSet<>();
        Set<Path> explained = new TreeSet<>();
        for (Source source : SOURCES) {
            if (source.test || source.isNamed("module-info.java")) {
                continue;
            }
            packages.add(source.path.getParent());
            if (source.isNamed("package-info.java") && source.lines.getFirst().startsWith("/**")) {
                explained.add(source.path.getParent());
            }
        }
        packages.removeAll(explained);
        assertThat(packages).as("packages without a documented package-info").isEmpty();
    }

    @Test
    void publicTypesAreExplained() {
        List<String> faults = new ArrayList<>();
        forEachLine((source, index, line) -> {
            if (!source.test && PUBLIC_TYPE.matcher(line).matches() && !hasJavadoc(source.lines, index)) {
                faults.add(source.at(index) + " is a public type without Javadoc");
            }
        });
        assertThat(faults).isEmpty();
    }

    /** Whether a comment ends right above the annotations of the declaration at {@code index}. */
    private static boolean hasJavadoc(List<String> lines, int index) {
        for (int i = index - 1; i >= 0; i--) {
            String above = lines.get(i).strip();
            if (above.endsWith("*/")) {
                return true;
            }
            if (above.isEmpty() || above.endsWith(";") || above.endsWith("{") || above.endsWith("}")) {
                return false;
            }
        }
        return false;
    }

    private interface OnLine {
        void accept(Source source, int index, String line);
    }

    private static void forEachLine(OnLine body) {
        for (Source source : SOURCES) {
            for (int i = 0; i < source.lines.size(); i++) {
                body.accept(source, i, source.lines.get(i));
            }
        }
    }

    private static List<Source> sources() {
        Path root = root();
        List<Source> sources = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .sorted()
                        .forEach(file -> sources.add(read(root, module, file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sources;
    }

    private static Source read(Path root, String module, Path file) {
        try {
            String text = Files.readString(file);
            Path path = root.relativize(file);
            boolean test = path.startsWith(Path.of(module, "src", "test"));
            return new Source(path, module, test, text.lines().toList(), MethodLengths.bare(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The repository: the first directory upwards that has all modules. */
    static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path here = at;
            if (MODULES.stream().allMatch(module -> Files.isDirectory(here.resolve(module)))) {
                return at;
            }
        }
        throw new IllegalStateException("the sources are not above the working directory");
    }
}
