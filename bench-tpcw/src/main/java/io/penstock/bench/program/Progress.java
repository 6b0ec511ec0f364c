package io.penstock.bench.program;

/** A listener to the progress of a long command. Safe for use by many threads. */
public interface Progress {
    /** Begins a piece of work of {@code steps} steps; the one before is done. */
    void begin(String title, long steps);

    void advance(long steps);

    /** Ends the last piece of work. */
    void end();

    /** A listener that does nothing. */
    Progress NONE = new Progress() {
        @Override
        public void begin(String title, long steps) {}

        @Override
        public void advance(long steps) {}

        @Override
        public void end() {}
    };
}
