package io.penstock.bench.program;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a long command: a bar on one line of a terminal, redrawn at every percent, if there is one. Safe for
 * use by many threads.
 */
public final class Progress {
    /** The property that the scripts set when standard error is a terminal: Java 21 cannot find that out by itself. */
    private static final String SHOW_PROGRESS = "penstock.progress";

    private static final int WIDTH = 30;
    private static final String ERASE_LINE = "\r\u001b[K";

    /** Progress that is not shown. */
    public static final Progress NONE = new Progress(null);

    private final @Nullable PrintStream terminal;
    private final ReentrantLock lock = new ReentrantLock();
    private String title = "";
    private long steps = 1;
    private long done;
    private long shown;

    public Progress(@Nullable PrintStream terminal) {
        this.terminal = terminal;
    }

    /** A bar on standard error if that is a terminal, else {@link #NONE}. */
    public static Progress on(PrintStream err) {
        return Boolean.getBoolean(SHOW_PROGRESS) ? new Progress(err) : NONE;
    }

    /** Begins a piece of work of {@code nextSteps} steps; the one before is done. */
    public void begin(String nextTitle, long nextSteps) {
        lock.lock();
        try {
            title = nextTitle;
            steps = Math.max(1, nextSteps);
            done = 0;
            shown = -1;
            show();
        } finally {
            lock.unlock();
        }
    }

    public void advance(long more) {
        lock.lock();
        try {
            done = Math.min(steps, done + more);
            show();
        } finally {
            lock.unlock();
        }
    }

    private void show() {
        long percent = 100 * done / steps;
        if (percent == shown) {
            return;
        }
        shown = percent;
        int filled = (int) (WIDTH * percent / 100);
        String bar = "#".repeat(filled) + ".".repeat(WIDTH - filled);
        print(String.format(Locale.ROOT, "%s[%s] %3d %% %s", ERASE_LINE, bar, percent, title));
    }

    /** Ends the last piece of work. */
    public void end() {
        print(ERASE_LINE);
    }

    private void print(String text) {
        if (terminal != null) {
            terminal.print(text);
            terminal.flush();
        }
    }
}
