package io.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.annotation.Key;
import io.penstock.commit.simulation.surface.Methods;
import io.penstock.core.Bytes;
import io.penstock.core.local.LocalCloud;
import io.penstock.core.object.ObjectStore;
import io.penstock.core.object.s3.S3ObjectStore;
import io.penstock.core.queue.QueueService;
import io.penstock.core.queue.sqs.SqsQueueService;
import io.penstock.core.seal.MasterKeys;
import io.penstock.core.task.Tasks;
import io.penstock.feed.ChangeFeed;
import io.penstock.query.Condition;
import io.penstock.report.VerifyReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/API.md} is the public surface: no type or method is missing from it, and none is listed in vain. */
class ApiTest {
    private static final Pattern NAME = Pattern.compile("`(\\w+(?:\\.\\w+)*)`");
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString", "values", "valueOf");

    @Test
    void thePageListsThePublicSurface() throws IOException {
        Map<String, Set<String>> surface = new TreeMap<>();
        Stream.of(Penstock.class, VerifyReport.class, ChangeFeed.class, Condition.class, Key.class)
                .flatMap(ApiTest::types)
                .forEach(type -> surface.put(nameOf(type), methods(type)));
        assertThat(listed()).isEqualTo(surface);
    }

    /** Of the core the page has the types, package by package. */
    @Test
    void thePageListsTheTypesOfTheCore() {
        Map<String, Set<String>> types = new TreeMap<>();
        Stream.of(
                        Bytes.class,
                        LocalCloud.class,
                        ObjectStore.class,
                        S3ObjectStore.class,
                        QueueService.class,
                        SqsQueueService.class,
                        MasterKeys.class,
                        Tasks.class)
                .forEach(one -> types.put(
                        one.getPackageName(),
                        types(one)
                                .map(ApiTest::nameOf)
                                .filter(name -> !name.contains("."))
                                .collect(Collectors.toCollection(TreeSet::new))));
        Map<String, Set<String>> named = new TreeMap<>();
        for (String line : page()) {
            String[] cells = line.split("\\|");
            Matcher of = Pattern.compile("`(io\\.penstock\\.core[a-z0-9.]*)`: .*")
                    .matcher(cells.length == 3 ? cells[1].strip() : "");
            if (of.matches()) {
                named.put(
                        of.group(1),
                        NAME.matcher(cells[2])
                                .results()
                                .map(name -> name.group(1))
                                .collect(Collectors.toCollection(TreeSet::new)));
            }
        }
        assertThat(named).isEqualTo(types);
    }

    /** A method that reads or writes is called by the programs of the generator, or left out with a reason. */
    @Test
    void everyMethodIsDrawnOrLeftOutWithAReason() {
        Set<String> known = new TreeSet<>(Methods.drawn());
        assertThat(Methods.leftOut().keySet()).doesNotContainAnyElementsOf(known);
        known.addAll(Methods.leftOut().keySet());
        assertThat(known).isEqualTo(Methods.all());
    }

    /** The public types of the package of {@code type}, nested ones included. */
    private static Stream<Class<?>> types(Class<?> type) {
        String folder = type.getPackageName().replace('.', '/');
        try {
            Path classes = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(classes)) {
                return types(type.getPackageName(), classes.resolve(folder));
            }
            try (FileSystem jar = FileSystems.newFileSystem(classes)) {
                return types(type.getPackageName(), jar.getPath(folder));
            }
        } catch (IOException | java.net.URISyntaxException e) {
            throw new IllegalStateException("the classes of " + type.getPackageName() + " cannot be listed", e);
        }
    }

    private static Stream<Class<?>> types(String name, Path classes) throws IOException {
        try (Stream<Path> files = Files.list(classes)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.contains("-info"))
                    .map(file -> name + "." + file.substring(0, file.length() - ".class".length()))
                    .toList();
            return names.stream().<Class<?>>map(ApiTest::load).filter(ApiTest::isPublic);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a class file holds another class: " + name, e);
        }
    }

    private static boolean isPublic(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getDeclaringClass()) {
            if (!Modifier.isPublic(each.getModifiers())) {
                return false;
            }
        }
        return !type.isAnonymousClass();
    }

    /** As a program names it: nested types behind the types around them. */
    private static String nameOf(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    private static Set<String> methods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName)
                .filter(name -> !OF_EVERY_OBJECT.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The methods that the page lists for each type: the last cell of the row that begins with its name. */
    private static Map<String, Set<String>> listed() {
        Map<String, Set<String>> listed = new TreeMap<>();
        for (String line : page()) {
            String[] cells = line.split("\\|");
            Matcher type = NAME.matcher(cells.length == 3 ? cells[1] : "");
            if (type.find() && !type.group(1).startsWith("io.")) {
                Set<String> methods = new TreeSet<>();
                Matcher name = NAME.matcher(cells[2]);
                while (name.find()) {
                    methods.add(name.group(1));
                }
                listed.put(type.group(1), methods);
            }
        }
        return listed;
    }

    private static List<String> page() {
        Path here = Path.of("docs", "API.md");
        try {
            return Files.readAllLines(Files.exists(here) ? here : Path.of("..", "docs", "API.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
