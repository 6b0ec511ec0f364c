package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.program.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

/** The places of a command: a class that nobody adds to the list compiles, and its command is not there. */
class CommandPlacesTest {
    private static final Path ROOT = root();
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| (`[a-z].*?) \\|(?= )");
    private static final Pattern COMMAND = Pattern.compile("`([a-z][a-z-]*)");

    private static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("docs/OPERATIONS.md"))) {
                return at;
            }
        }
        throw new IllegalStateException("the pages are not above the working directory");
    }

    /** The commands that there are classes for. */
    private static Set<String> commands() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("commit/cli/src/main/java/io/penstock/cli"))) {
            return files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> name.endsWith("Command"))
                    .map(CommandPlacesTest::load)
                    .filter(type -> type != PenstockCommand.class && type.isAnnotationPresent(Command.class))
                    .map(type -> type.getAnnotation(Command.class).name())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(CommandPlacesTest.class.getPackageName() + "." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void eachCommandIsInTheListOfTheProgram() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertThat(PenstockCommand.run(printed, printed, "--help")).isEqualTo(Shell.DONE);
        assertThat(commands())
                .isNotEmpty()
                .allSatisfy(command -> assertThat(out.toString()).containsPattern("(?m)^  " + command + " "));
    }

    @Test
    void eachCommandIsInThePage() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/OPERATIONS.md"));
        String table = page.substring(page.indexOf("\n| command | does |"));
        Set<String> listed = FIRST_CELL
                .matcher(table.substring(0, table.indexOf("\n\n", 1)))
                .results()
                .flatMap(cell -> COMMAND.matcher(cell.group(1)).results())
                .map(span -> span.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(listed).containsAll(commands());
    }

    /** Those that are left out need more than one store, and have tests of their own; {@code policy} prints JSON. */
    @Test
    void eachCommandIsTriedInJson() throws IOException {
        Set<String> tried = triedBy(PenstockCommandTest.class, "everyCommandSpeaksJson");
        tried.addAll(Set.of("console", "policy", "restore", "rotate-keys"));
        assertThat(tried).isEqualTo(commands());
    }

    /** Those that are left out make a store, or tell of a place without one. */
    @Test
    void eachCommandIsTriedWithoutAStore() throws IOException {
        Set<String> tried = triedBy(NoStoreTest.class, "commandsSayThatThereIsNoStore");
        tried.addAll(Set.of("doctor", "import", "policy", "restore"));
        assertThat(tried).isEqualTo(commands());
    }

    /** The first words of the lines that a test runs. */
    private static Set<String> triedBy(Class<?> test, String method) {
        return Arrays.stream(test.getDeclaredMethods())
                .filter(each -> each.getName().equals(method))
                .flatMap(each ->
                        Arrays.stream(each.getAnnotation(ValueSource.class).strings()))
                .map(line -> line.split(" ", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
