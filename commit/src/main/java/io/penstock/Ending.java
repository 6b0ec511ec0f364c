package io.penstock;

import io.penstock.core.Stamp;
import java.util.function.Function;
import java.util.function.Supplier;

/** The part that a framework has, once, in the end of a transaction; see {@link Transaction#endBy}. For one thread. */
final class Ending {
    private Function<Supplier<Stamp>, Stamp> commit = Supplier::get;
    private Runnable abort = () -> {};

    void set(Function<Supplier<Stamp>, Stamp> onCommit, Runnable onAbort) {
        commit = onCommit;
        abort = onAbort;
    }

    Stamp commit(Supplier<Stamp> alone) {
        Function<Supplier<Stamp>, Stamp> by = commit;
        set(Supplier::get, () -> {});
        return by.apply(alone);
    }

    void abort() {
        Runnable by = abort;
        set(Supplier::get, () -> {});
        by.run();
    }
}
