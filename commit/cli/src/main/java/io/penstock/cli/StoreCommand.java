package io.penstock.cli;

import io.penstock.Penstock;
import io.penstock.cli.StoreOptions.Use;
import io.penstock.cli.program.Shell;
import io.penstock.cli.transfer.JsonText;
import io.penstock.core.Compression;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A subcommand that works on an open store. It adds its options and its work. For one run. */
abstract class StoreCommand implements Callable<Integer> {
    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "prints the result as JSON")
    private boolean json;

    final PrintStream out;

    private final Use use;

    StoreCommand(PrintStream out, Use use) {
        this.out = out;
        this.use = use;
    }

    /** The options that select the store. */
    StoreOptions store() {
        return store;
    }

    /** Returns the use that this command makes of the store, by its options. */
    Use use() {
        return use;
    }

    boolean isJson() {
        return json;
    }

    /** Prints a result: as JSON if that is asked for, else in lines. */
    void print(Object result, Runnable lines) {
        if (json) {
            out.println(JsonText.of(result));
        } else {
            lines.run();
        }
    }

    /** Does the work, and returns whether the store is as it should be. */
    abstract boolean run(Penstock opened);

    /** The compression that an option names. */
    static Compression compression(String label) {
        return Compression.labelled(label)
                .orElseThrow(() -> new InvalidRequestException(
                        ErrorCode.INVALID_SETTING,
                        "there is no such compression; use none or zstd",
                        "compression",
                        label));
    }

    @Override
    public Integer call() {
        return store.open(use(), (opened, settings) -> run(opened)) ? Shell.DONE : Shell.FAILED;
    }
}
