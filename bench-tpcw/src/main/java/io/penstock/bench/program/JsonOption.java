package io.penstock.bench.program;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a report goes besides its tables. */
public final class JsonOption {
    @Option(names = "--json", paramLabel = "FILE", description = "also as JSON; - for JSON alone, on standard output")
    private @Nullable String name;

    /**
     * What was asked for; {@link JsonTarget#NONE} where nothing was. To be called before the run, which may take long.
     *
     * @throws UsageException when it cannot be written
     */
    public JsonTarget target() {
        return name == null ? JsonTarget.NONE : JsonTarget.of(name);
    }
}
