package io.penstock.bench.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Where the JSON goes: a file, or {@code -} for standard output. Looked at before the run, which may take long. */
public record JsonTarget(Path file, boolean standardOutput) {
    /** @throws UsageException when it cannot be written */
    public static JsonTarget of(String name) {
        JsonTarget target = new JsonTarget(Path.of(name).toAbsolutePath(), name.equals("-"));
        if (!target.standardOutput) {
            target.check(name);
        }
        return target;
    }

    private void check(String name) {
        Path parent = file.getParent();
        if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
            throw new UsageException(
                    "--json cannot write " + name + ": its directory is missing or read-only; name a writable place");
        }
        if (Files.isDirectory(file)) {
            throw new UsageException("--json cannot write " + name + ": it is a directory; name a file in it");
        }
    }

    /** Writes all or nothing: an interrupted run leaves no half a file. */
    public void write(String json, PrintStream out) {
        if (standardOutput) {
            out.print(json);
            out.flush();
            return;
        }
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
