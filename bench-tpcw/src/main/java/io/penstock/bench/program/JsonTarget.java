package io.penstock.bench.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.cli.program.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option {@code --json}, and the destination that it names: a file, or standard output; without it there is none.
 * Filled by picocli.
 */
public final class JsonTarget {
    private static final ObjectWriter WRITER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writer();

    @Option(
            names = "--json",
            paramLabel = "FILE",
            order = 1, // after the options of the program itself
            description = "also writes JSON; with - only JSON, to standard output")
    private @Nullable String name;

    private String option = "--json";

    /**
     * @param option that names it, for messages
     * @param name of a file; {@code -} for standard output; null for none
     */
    public static JsonTarget of(String option, @Nullable String name) {
        JsonTarget target = new JsonTarget();
        target.option = option;
        target.name = name;
        return target;
    }

    /**
     * Checks the destination. Call before the run, which may take long.
     *
     * @throws UsageException if it cannot be written
     */
    public void check() {
        if (name == null || isAlone()) {
            return;
        }
        Path file = Path.of(name).toAbsolutePath();
        Path parent = file.getParent();
        if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
            throw new UsageException(option + " cannot write " + name
                    + ": its directory is missing or read-only; name a writable place");
        }
        if (Files.isDirectory(file)) {
            throw new UsageException(option + " cannot write " + name + ": it is a directory; name a file in it");
        }
    }

    /** Returns whether nothing but the JSON may go to standard output. */
    public boolean isAlone() {
        return "-".equals(name);
    }

    /** Returns the components of records, whose names are an interface, as JSON that ends with a line feed. */
    public static String text(Object report) {
        try {
            return WRITER.writeValueAsString(report) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report of plain records cannot be written", e);
        }
    }

    /** Prints {@code tables}, unless the JSON goes to standard output alone, and writes {@code report} as JSON. */
    public void write(Object report, Object tables, PrintStream out) {
        if (!isAlone()) {
            out.print(tables);
        }
        write(text(report), out);
    }

    /** Writes all or nothing: an interrupted run leaves no partial file. */
    public void write(String json, PrintStream out) {
        if (isAlone()) {
            out.print(json);
            out.flush();
        } else if (name != null) {
            Path file = Path.of(name).toAbsolutePath();
            try {
                Path part = Files.createTempFile(file.getParent(), ".json-", ".json");
                part.toFile().deleteOnExit();
                Files.writeString(part, json);
                Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException("the json report cannot be written; is the disk full? file=" + file, e);
            }
        }
    }
}
