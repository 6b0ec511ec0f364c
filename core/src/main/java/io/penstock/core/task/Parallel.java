package io.penstock.core.task;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Bounded fan-out: one function over many inputs, some at a time. */
public final class Parallel {
    private Parallel() {}

    /**
     * Applies {@code work} to every input, at most {@code width} at a time (the calling task is one of them), and
     * returns the results in the order of the inputs. All inputs are tried; then the first failure, in the order of the
     * inputs, is thrown with the others as suppressed.
     */
    public static <A, B> List<B> map(Tasks tasks, int width, List<A> inputs, Function<A, B> work) {
        int size = inputs.size();
        List<Outcome<B>> outcomes = new ArrayList<>(java.util.Collections.nCopies(size, null));
        AtomicInteger next = new AtomicInteger();
        Runnable worker = () -> {
            for (int i = next.getAndIncrement(); i < size; i = next.getAndIncrement()) {
                Outcome<B> outcome = attempt(work, inputs.get(i));
                // Each index is written by one worker; join() publishes it to the caller.
                outcomes.set(i, outcome);
            }
        };
        List<Task<Boolean>> forked = new ArrayList<>();
        for (int i = 1; i < Math.min(width, size); i++) {
            forked.add(tasks.start("parallel", worker));
        }
        worker.run();
        // Also when this thread is interrupted: the outcome of what was begun is to be reported, not dropped.
        if (!forked.isEmpty()) {
            tasks.uninterruptibly("join", () -> {
                forked.forEach(Task::join);
                return true;
            });
        }
        return results(outcomes);
    }

    private static <A, B> Outcome<B> attempt(Function<A, B> work, A input) {
        try {
            return new Outcome<>(work.apply(input), null);
        } catch (TaskEnded end) {
            throw end;
        } catch (Throwable failure) { // of any kind, so that the other inputs are tried and awaited
            return new Outcome<>(null, failure);
        }
    }

    private static <B> List<B> results(List<Outcome<B>> outcomes) {
        List<B> results = new ArrayList<>(outcomes.size());
        Throwable first = null;
        for (Outcome<B> outcome : outcomes) {
            if (outcome.failure == null) {
                @SuppressWarnings("NullAway") // no failure means that there is a result
                B result = outcome.result;
                results.add(result);
            } else if (first == null) {
                first = outcome.failure;
            } else if (first != outcome.failure) {
                first.addSuppressed(outcome.failure);
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw (RuntimeException) first; // suppliers throw nothing else
        }
        return results;
    }

    private record Outcome<B>(@Nullable B result, @Nullable Throwable failure) {}
}
