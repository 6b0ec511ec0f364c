package io.penstock.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Progress of a long command, on one line of a terminal that is overwritten. Silent without a terminal; {@code
 * scripts/penstock} detects one. For one thread.
 */
final class ProgressLine implements LongConsumer, AutoCloseable {
    private static final int WIDTH = 30;

    private final PrintStream err;
    private final String what;
    private final long total;
    private final LongSupplier done;
    private final boolean shown = Boolean.getBoolean("penstock.progress");

    /**
     * @param total the last value of {@code done}; 0 if unknown, and then there is no bar
     * @param done the amount done, in the unit of {@code total}
     */
    ProgressLine(PrintStream err, String what, long total, LongSupplier done) {
        this.err = err;
        this.what = what;
        this.total = total;
        this.done = done;
    }

    @Override
    public void accept(long records) {
        if (shown) {
            err.print("\r" + bar() + String.format(Locale.ROOT, "%,d records %s", records, what));
            err.flush();
        }
    }

    private String bar() {
        if (total <= 0) {
            return "";
        }
        long part = Math.min(total, done.getAsLong());
        int filled = (int) (part * WIDTH / total);
        return "[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + 100 * part / total + " % ";
    }

    @Override
    public void close() {
        if (shown) {
            err.println();
        }
    }
}
