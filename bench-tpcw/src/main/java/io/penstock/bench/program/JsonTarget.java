package io.penstock.bench.program;

import io.penstock.cli.program.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** The destination of a JSON report: a file, standard output, or none. Checked before the run, which may take long. */
public final class JsonTarget {
    static final JsonTarget NONE = new JsonTarget(null, false);

    private final @Nullable Path file;

    private final boolean alone;

    private JsonTarget(@Nullable Path file, boolean alone) {
        this.file = file;
        this.alone = alone;
    }

    /**
     * @param name of a file; {@code -} for standard output
     * @throws UsageException if it cannot be written
     */
    public static JsonTarget of(String name) {
        if (name.equals("-")) {
            return new JsonTarget(null, true);
        }
        Path file = Path.of(name).toAbsolutePath();
        check(name, file);
        return new JsonTarget(file, false);
    }

    private static void check(String name, Path file) {
        Path parent = file.getParent();
        if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
            throw new UsageException(
                    "--json cannot write " + name + ": its directory is missing or read-only; name a writable place");
        }
        if (Files.isDirectory(file)) {
            throw new UsageException("--json cannot write " + name + ": it is a directory; name a file in it");
        }
    }

    /** Returns whether nothing but the JSON may go to standard output. */
    public boolean isAlone() {
        return alone;
    }

    /** Prints {@code tables}, unless the JSON goes to standard output alone, and writes {@code report} as JSON. */
    public void write(Object report, Object tables, PrintStream out) {
        if (!alone) {
            out.print(tables);
        }
        write(Json.of(report), out);
    }

    /** Writes all or nothing: an interrupted run leaves no partial file. */
    public void write(String json, PrintStream out) {
        if (alone) {
            out.print(json);
            out.flush();
        }
        if (file != null) {
            write(json, file);
        }
    }

    private static void write(String json, Path file) {
        try {
            Path part = Files.createTempFile(file.getParent(), ".json-", ".json");
            part.toFile().deleteOnExit();
            Files.writeString(part, json, StandardCharsets.UTF_8);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("the json report cannot be written; is the disk full? file=" + file, e);
        }
    }
}
