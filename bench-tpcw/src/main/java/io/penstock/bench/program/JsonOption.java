package io.penstock.bench.program;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --json}. */
public final class JsonOption {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            order = 1, // after the options of the program itself
            description = "also writes JSON; with - only JSON, to standard output")
    private @Nullable String name;

    /**
     * The target given; {@link JsonTarget#NONE} without the option. Call before the run, which may take long.
     *
     * @throws UsageException if it cannot be written
     */
    public JsonTarget target() {
        return name == null ? JsonTarget.NONE : JsonTarget.of(name);
    }
}
