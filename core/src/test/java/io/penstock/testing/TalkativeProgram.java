package io.penstock.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program in a process that logs all that can be logged, and returns what it wrote. */
public final class TalkativeProgram {
    private TalkativeProgram() {}

    /** The output of the program; without the JDK's log of HTTP, which shows all fields of all requests. */
    public static String run(Class<?> program, Path directory, String... arguments) throws IOException {
        Path logging = Files.writeString(
                directory.resolve("logging.properties"),
                "handlers=java.util.logging.ConsoleHandler\n.level=ALL\nsun.net.www.level=OFF\n"
                        + "java.util.logging.ConsoleHandler.level=ALL\n");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                "-Djava.util.logging.config.file=" + logging,
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } finally {
            process.destroyForcibly();
        }
    }
}
