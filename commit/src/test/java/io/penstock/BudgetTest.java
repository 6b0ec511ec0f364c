package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The budgets of breadth in {@code budgets.properties}, a ratchet: they may only fall. A commit that raises one says
 * why. A count that is well below its budget lowers it.
 */
class BudgetTest {
    /** A budget of lines follows its count when that is lower by more than this part of it. */
    private static final double SLACK = 0.02;

    private static final Path ROOT = TidyTest.root();
    private static final Pattern EXPORT = Pattern.compile("(?m)^    exports ([\\w.]+);");
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "(?m)^public ((abstract|final|static|sealed|non-sealed) )*(@?interface|class|enum|record) ");
    private static final Pattern SUBCOMMAND = Pattern.compile("\\.addSubcommand\\(");

    @Test
    void nothingIsBroaderThanItsBudget() {
        Map<String, Integer> budgets = budgets();
        Map<String, Integer> counts = counts();
        assertThat(counts.keySet()).isEqualTo(budgets.keySet());
        counts.forEach((what, count) -> assertThat(count)
                .as("%s: merge or remove something, or raise the budget in a commit that says why", what)
                .isLessThanOrEqualTo(budgets.get(what)));
    }

    @Test
    void budgetsFollowWhatFalls() {
        Map<String, Integer> counts = counts();
        budgets()
                .forEach((what, budget) -> assertThat(counts.get(what))
                        .as("%s: lower its budget to what there is", what)
                        .isGreaterThanOrEqualTo(what.startsWith("lines.") ? (int) (budget * (1 - SLACK)) : budget));
    }

    private static Map<String, Integer> budgets() {
        Properties properties = new Properties();
        try (InputStream in = BudgetTest.class.getResourceAsStream("/budgets.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> Integer.parseInt(properties.getProperty(name)),
                        (one, other) -> one,
                        TreeMap::new));
    }

    private static Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        for (String module : TidyTest.MODULES) {
            counts.put("lines." + module, linesOf(ROOT.resolve(module)));
        }
        counts.put(
                "public.types",
                TidyTest.MODULES.stream().mapToInt(BudgetTest::publicTypes).sum());
        counts.put("settings", (int) Arrays.stream(Settings.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getReturnType() == Settings.class)
                .map(java.lang.reflect.Method::getName)
                .distinct()
                .count());
        counts.put("commands", (int) SUBCOMMAND
                .matcher(read(ROOT.resolve("commit/cli/src/main/java/io/penstock/cli/PenstockCommand.java")))
                .results()
                .count());
        return counts;
    }

    private static int linesOf(Path module) {
        return sources(module.resolve("src/main/java"))
                .mapToInt(file -> (int) read(file).lines().count())
                .sum();
    }

    /** The public types of the packages that a module exports to all. */
    private static int publicTypes(String module) {
        Path java = ROOT.resolve(module).resolve("src/main/java");
        Path info = java.resolve("module-info.java");
        if (!Files.exists(info)) {
            return 0;
        }
        return EXPORT.matcher(read(info))
                .results()
                .map(export -> java.resolve(export.group(1).replace('.', '/')))
                .flatMap(BudgetTest::filesIn)
                .mapToInt(
                        file -> (int) PUBLIC_TYPE.matcher(read(file)).results().count())
                .sum();
    }

    private static Stream<Path> filesIn(Path folder) {
        return sources(folder).filter(file -> file.getParent().equals(folder));
    }

    private static Stream<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
