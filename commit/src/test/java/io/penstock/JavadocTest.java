package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The beginnings of Javadocs in the main sources of all modules. A type, field or constant is defined by a noun, a
 * method by a verb: "What a frame holds" leaves the reader to guess which kind of thing it is. "Whether" is for
 * booleans.
 */
class JavadocTest {
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/", Pattern.DOTALL);
    private static final Pattern MARGIN = Pattern.compile("\\s*\\R\\s*\\*? ?");
    private static final Pattern PART =
            Pattern.compile("(?:@param \\S+ |\\{?@return |^(?!\\{?@))(\\S.*?)" + "(?=@(?:param|return|throws) |$)");

    private static final Pattern ANNOTATION = Pattern.compile("@\\w+(\\([^)]*\\))?");
    private static final Pattern DECLARATION = Pattern.compile("[^;{=]*");
    private static final Pattern RIDDLE =
            Pattern.compile("(?i)(what|who|whose|whom|whoever|how|the same|as \\{@link|has the|has an?)\\b.*");
    private static final Pattern WHETHER = Pattern.compile("(?i)whether\\b.*");
    private static final Pattern BOOLEAN = Pattern.compile("\\b(boolean|\\w*Boolean\\w*|\\w*Predicate)\\b");

    /** More than the longest header of a record, in characters. */
    private static final int DECLARATION_CHARS_MAX = 3000;

    @Test
    void javadocsBeginWithANounOrAVerb() throws IOException {
        List<String> faults = new ArrayList<>();
        for (Path file : mainSources()) {
            faultsOf(Files.readString(file)).forEach(fault -> faults.add(file + ": " + fault));
        }
        assertThat(faults).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** What a frame holds. */ record Frame(long number) {}",
                "/** How long it waits. */ int wait;",
                "/**\n * The same.\n */\nvoid run() {}",
                "/** As {@link #find}. */ void look();",
                "/** Whether it is old. */ Runnable check();",
                "/** {@return what is left} */ int left();",
                "/** @param width how many at a time */ void run(int width);",
                "/**\n * Runs.\n *\n * @return whether or not, as text\n */\nString run() {}",
            })
    void aRiddleIsFound(String source) {
        assertThat(faultsOf(source)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** Whether it is old. */ boolean isOld();",
                "/**\n * Runs.\n *\n * @param old whether it is old\n */\nvoid run(boolean old) {}",
                "/** Settings. Howitzers, as {@link Whale}. */ class Settings {}",
            })
    void aDefinitionIsNone(String source) {
        assertThat(faultsOf(source)).isEmpty();
    }

    private static List<String> faultsOf(String source) {
        List<String> faults = new ArrayList<>();
        Matcher javadoc = JAVADOC.matcher(source);
        while (javadoc.find()) {
            String text = MARGIN.matcher(javadoc.group(1)).replaceAll(" ").strip();
            boolean ofBooleans =
                    BOOLEAN.matcher(declaration(source, javadoc.end())).find();
            PART.matcher(text)
                    .results()
                    .map(part -> part.group(1))
                    .filter(part -> RIDDLE.matcher(part).matches()
                            || WHETHER.matcher(part).matches() && !ofBooleans)
                    .forEach(faults::add);
        }
        return faults;
    }

    /** The declaration that follows a Javadoc, without its annotations. */
    private static String declaration(String source, int from) {
        String rest = source.substring(from, Math.min(source.length(), from + DECLARATION_CHARS_MAX));
        Matcher declaration = DECLARATION.matcher(ANNOTATION.matcher(rest).replaceAll(""));
        return declaration.lookingAt() ? declaration.group() : "";
    }

    private static List<Path> mainSources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : TidyTest.MODULES) {
            try (Stream<Path> files = Files.walk(TidyTest.root().resolve(module).resolve("src/main"))) {
                files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
            }
        }
        return sources;
    }
}
