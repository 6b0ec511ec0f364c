package io.penstock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of this repository, for tests that hold documents and sources to each other. */
final class Repository {
    /** The first directory upwards that has the documents. */
    static final Path ROOT = root();

    private Repository() {}

    /** A file and its lines. {@code path} is relative to the repository. */
    record Text(Path path, List<String> lines) {
        String name() {
            return path.getFileName().toString();
        }

        String whole() {
            return String.join("\n", lines) + "\n";
        }

        String at(int index) {
            return path + ":" + (index + 1);
        }
    }

    /** One page, such as {@code docs/OPERATIONS.md}. */
    static Text page(String path) {
        return read(ROOT.resolve(path));
    }

    /** All Markdown pages. */
    static List<Text> pages() {
        List<Text> pages = new ArrayList<>(texts(ROOT.resolve("docs"), path -> path.endsWith(".md")));
        try (Stream<Path> files = Files.list(ROOT)) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(file -> pages.add(read(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages;
    }

    /** Java sources of all modules below a folder such as {@code src/main}. */
    static List<Text> sources(String folder) {
        List<Text> sources = new ArrayList<>();
        for (Path module : modules()) {
            Path below = module.resolve(folder);
            if (Files.isDirectory(below)) {
                sources.addAll(texts(below, path -> path.endsWith(".java")));
            }
        }
        return sources;
    }

    private static List<Path> modules() {
        try (Stream<Path> folders = Files.walk(ROOT, 2)) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .filter(folder -> Files.isDirectory(folder.resolve("src")))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Text> texts(Path below, Predicate<String> wanted) {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(file -> wanted.test(file.toString()))
                    .sorted()
                    .map(Repository::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Text read(Path file) {
        try {
            return new Text(ROOT.relativize(file), Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("docs").resolve("ARCHITECTURE.md"))) {
                return at;
            }
        }
        throw new IllegalStateException("the documents are not above the working directory");
    }
}
