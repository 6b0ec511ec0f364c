package io.penstock.bench.program;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Starts a program of this class path in a process of its own, on the same Java. */
public final class ChildJvm {
    /** A small heap by the standards of the parent, since there are several: pools and what is under way. */
    private static final List<String> FLAGS =
            List.of("-XX:+UseSerialGC", "-Xmx768m", "-Xshare:auto", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

    private final List<String> flags = new ArrayList<>(FLAGS);

    /** One more argument of the Java machine. */
    public ChildJvm flag(String flag) {
        flags.add(flag);
        return this;
    }

    /**
     * Starts {@code program} with pipes to its standard input and from its standard output; its standard error goes to
     * {@code errors}.
     */
    public Process start(Class<?> program, List<String> arguments, ProcessBuilder.Redirect errors) {
        try {
            return builder(program, arguments).redirectError(errors).start();
        } catch (IOException e) {
            throw new UncheckedIOException("a client process cannot be started; is there memory left?", e);
        }
    }

    /** Returns the command that starts {@code program}, with pipes. */
    public ProcessBuilder builder(Class<?> program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("-cp");
        command.add(absolute(System.getProperty("java.class.path")));
        command.add(program.getName());
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    private static String absolute(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
