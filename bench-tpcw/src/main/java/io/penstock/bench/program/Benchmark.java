package io.penstock.bench.program;

import io.penstock.cli.program.Shell;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;

/**
 * A program that measures. It checks its options, measures, and reports a table, or JSON by {@code --json}. It fails if
 * a figure misses its limit. For one thread.
 */
public abstract class Benchmark extends Program {
    @Mixin
    private JsonTarget json = new JsonTarget();

    private final List<Figure> figures = new ArrayList<>();

    /** Ends a measurement without a report: the exit code says that it failed, and one line says why. */
    public static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public FailedException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Checks the options before the run, which may take long.
     *
     * @throws io.penstock.cli.program.UsageException if one is out of range
     */
    protected void check() {}

    /** Does the work, and {@link #add adds} what it measures. */
    protected abstract void measure();

    protected final void add(Figure figure) {
        figures.add(figure);
    }

    /** Returns what is written as JSON, and printed: the figures, unless a benchmark has rows of its own. */
    protected Object report() {
        return figures;
    }

    /** Returns the printed form of {@link #report}. */
    protected String table() {
        return report() == figures ? Figure.table(figures) : report().toString();
    }

    @Override
    public final Integer call() {
        check();
        json.check();
        try {
            measure();
        } catch (FailedException failure) {
            return failed(String.valueOf(failure.getMessage()));
        }
        json.write(report(), table(), out);
        return figures.stream().allMatch(Figure::isMet) ? Shell.DONE : failed("a limit is missed");
    }
}
