package io.penstock.bench.program;

/** Is told how a long command gets on. Safe for use by many threads. */
public interface Progress {
    /** A piece of work of so many steps begins; one before it is over. */
    void begin(String title, long steps);

    void advance(long steps);

    /** All is done. */
    void end();

    /** Tells nobody. */
    Progress NONE = new Progress() {
        @Override
        public void begin(String title, long steps) {}

        @Override
        public void advance(long steps) {}

        @Override
        public void end() {}
    };
}
