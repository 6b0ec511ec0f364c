package io.penstock.commit.simulation.surface;

import io.penstock.core.CorruptDataException;
import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.StoreException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Everything that the users of a run did and saw, and what should not have been. */
final class Log {
    /** A promise that was not kept. */
    record Broken(String promise, String detail) implements Serializable {}

    /** The codes of what programs are told while something else is under way. */
    private static final Set<ErrorCode> EXPECTED =
            EnumSet.of(ErrorCode.INDEX_NOT_READY, ErrorCode.UNDECLARED_INDEX, ErrorCode.NOT_FOUND);

    /** The session that a token was taken of, and when. */
    record Origin(String session, long nanos) implements Serializable {}

    final Map<String, Origin> origins = new HashMap<>();
    final List<Attempt> attempts = new ArrayList<>();
    final List<Broken> broken = new ArrayList<>();
    final List<String> story = new ArrayList<>();
    final Calls calls = new Calls();

    /** The values of edits that users were shown last, by key, in whatever place; empty for no record. */
    final Map<String, String> forms = new ConcurrentHashMap<>();

    @Nullable
    Cycles cycles;

    private final boolean counts;
    private final String writer;
    private final Consumer<Attempt> commits;
    private int ids;

    /** @param counts whether pairs of features are counted */
    Log(boolean counts) {
        this(counts, "w", attempt -> {});
    }

    /**
     * @param writer the first letters of all ids
     * @param commits receives each attempt before it commits
     */
    Log(boolean counts, String writer, Consumer<Attempt> commits) {
        this.counts = counts;
        this.writer = writer;
        this.commits = commits;
    }

    String drawId() {
        return writer + ids++;
    }

    void commits(Attempt attempt) {
        commits.accept(attempt);
    }

    void alarm(String promise, String detail) {
        broken.add(new Broken(promise, detail));
    }

    void say(Handle handle, String text) {
        say(handle.machine.nanoTime(), handle.machine.name() + " " + text);
    }

    void say(long nanos, String text) {
        story.add(String.format(Locale.ROOT, "%12.3f s  %s", nanos / 1e9, text));
    }

    void unexpected(StoreException failure, Drawn drawn) {
        if (failure instanceof CorruptDataException) {
            alarm("sound data is never called damaged", stackOf(failure));
        } else if (failure instanceof InvalidRequestException && !EXPECTED.contains(failure.code())) {
            alarm("no unexpected failure", stackOf(failure));
        }
    }

    /** @param others the way that the step takes, and the session of it */
    void count(String step, Drawn drawn, String... others) {
        if (counts) {
            List<String> all = new ArrayList<>(List.of(others));
            drawn.features().stream()
                    .filter(Feature::isOfWorld)
                    .map(Feature::name)
                    .forEach(all::add);
            calls.together(step, all);
            for (int i = 0; i < others.length; i++) {
                calls.together(others[i], all.subList(i + 1, all.size()));
            }
        }
    }

    static String stackOf(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.toString());
        for (StackTraceElement element : failure.getStackTrace()) {
            if (element.getClassName().startsWith("io.penstock")) {
                text.append(" < ").append(element.getFileName()).append(':').append(element.getLineNumber());
            }
        }
        return failure.getCause() == null ? text.toString() : text + " caused by " + stackOf(failure.getCause());
    }
}
