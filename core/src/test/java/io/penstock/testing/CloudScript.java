package io.penstock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Calls of {@code scripts/cloud}, which installs, starts and ends real servers. Threads may share it. */
final class CloudScript {
    /** The output of a call, and its exit code: 0, or 3 when something is missing that could not be installed. */
    record Result(int code, String output, String errors) {
        static final int MISSING = 3;

        /** The last line of complaint: the script says in one line why it failed. */
        String reason() {
            String[] lines = errors.strip().split("\n");
            return lines[lines.length - 1];
        }
    }

    static final boolean OFFLINE = Boolean.getBoolean("penstock.offline");

    private CloudScript() {}

    /**
     * Starts servers in {@code folder}; they end when this JVM has ended, however it does.
     *
     * @param options who serves what, on which ports
     */
    static Result up(Path folder, String... options) {
        List<String> arguments = new ArrayList<>(List.of("up", "--folder", folder.toString()));
        arguments.addAll(List.of(options));
        arguments.addAll(
                List.of("--owner", Long.toString(ProcessHandle.current().pid())));
        if (OFFLINE) {
            arguments.add("--offline");
        }
        return call(arguments);
    }

    static Result down(Path folder) {
        return call(List.of("down", "--wipe", "--folder", folder.toString()));
    }

    private static Result call(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(script().toString()));
        command.addAll(arguments);
        try {
            // Files and not pipes: a server that is started must not keep the reader waiting for its end.
            Path output = Files.createTempFile("cloud", ".out");
            Path errors = Files.createTempFile("cloud", ".err");
            try {
                int code = new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start()
                        .waitFor();
                return new Result(code, Files.readString(output), Files.readString(errors));
            } finally {
                Files.delete(output);
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while servers were started", e);
        }
    }

    /** Tests run in the folder of a module, or in the checkout itself. */
    private static Path script() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isExecutable(folder.resolve("scripts/cloud"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException(
                    "no scripts/cloud above " + Path.of("").toAbsolutePath());
        }
        return folder.resolve("scripts/cloud");
    }
}
