package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.JdkCompiler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Each recipe of the cookbook compiles, runs, and prints what its comments say; none is longer than a screen. */
@ResourceLock(Resources.SYSTEM_OUT)
class CookbookTest {
    private static final Pattern RECIPE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PRINTED = Pattern.compile("System\\.out\\.println\\(.*\\); // (.*)");
    private static final int SCREEN = 30;

    @TempDir
    private Path directory;

    @Test
    void eachRecipePrintsWhatItSays() throws Exception {
        List<String> recipes = recipes();
        assertThat(recipes).hasSizeGreaterThan(15);
        compile(recipes);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            Class<?> cookbook = loader.loadClass("Cookbook");
            for (int i = 0; i < recipes.size(); i++) {
                String recipe = recipes.get(i);
                assertThat(recipe.lines().count()).as(recipe).isLessThanOrEqualTo(SCREEN);
                try (Penstock store = Penstock.open(Settings.inMemory())) {
                    assertThat(run(cookbook, i, store)).as(recipe).isEqualTo(said(recipe));
                }
            }
        }
    }

    private static List<String> recipes() {
        List<String> recipes = new ArrayList<>();
        Matcher found = RECIPE.matcher(Repository.page("docs/COOKBOOK.md").whole());
        while (found.find()) {
            recipes.add(found.group(1));
        }
        return recipes;
    }

    /** The lines that a recipe prints by its comments; those of a loop are divided by "then". */
    private static List<String> said(String recipe) {
        List<String> said = new ArrayList<>();
        Matcher line = PRINTED.matcher(recipe);
        while (line.find()) {
            said.addAll(List.of(line.group(1).split(", then ")));
        }
        return said;
    }

    private static List<String> run(Class<?> cookbook, int number, Penstock store) throws ReflectiveOperationException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            cookbook.getMethod("recipe" + number, Penstock.class).invoke(null, store);
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private void compile(List<String> recipes) throws IOException {
        StringBuilder source = new StringBuilder("import io.penstock.*;\nimport io.penstock.annotation.*;\n"
                + "import io.penstock.core.*;\nimport io.penstock.feed.*;\nimport io.penstock.query.*;\n"
                + "import java.io.*;\nimport java.math.*;\nimport java.time.*;\nimport java.util.*;\n"
                + "public class Cookbook {\n");
        for (int i = 0; i < recipes.size(); i++) {
            source.append("public static void recipe%d(Penstock store) throws Exception {%n".formatted(i))
                    .append(recipes.get(i))
                    .append("}\n");
        }
        Path file = Files.writeString(directory.resolve("Cookbook.java"), source.append("}\n"));
        StringWriter messages = new StringWriter();
        JavaCompiler compiler = JdkCompiler.require();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options = List.of(
                    "-proc:none", "-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
            boolean done = compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
                    .call();
            assertThat(done).as(messages.toString()).isTrue();
        }
    }
}
