package io.penstock.cli.doctor;

import io.penstock.core.ErrorCode;
import io.penstock.core.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The result of one check.
 *
 * @param text the facts, and what to do if something is wrong
 */
public record Finding(String check, Outcome outcome, String text) {
    /** The kinds of results. */
    public enum Outcome {
        OK("ok"),
        WARNING("warning"),
        FAILED("failed"),
        /** The check was not made, which says nothing. */
        UNCHECKED("not checked"),
        /** There is no store; its place may be well. */
        ABSENT("absent");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }
    }

    static Finding ok(String check, String text) {
        return new Finding(check, Outcome.OK, text);
    }

    static Finding warning(String check, String text) {
        return new Finding(check, Outcome.WARNING, text);
    }

    /** A check that failed. */
    public static Finding failed(String check, String text) {
        return new Finding(check, Outcome.FAILED, text);
    }

    static Finding unchecked(String check, String why) {
        return new Finding(check, Outcome.UNCHECKED, why);
    }

    /** A check that a failure of the servers kept from its end. */
    public static Finding failed(String check, StoreException failure) {
        return failed(check, text(failure));
    }

    /** Makes a check; one that throws has failed, unless a process that has the directory for itself refused it. */
    static Finding of(String check, Supplier<Finding> made) {
        try {
            return made.get();
        } catch (StoreException failure) {
            return failure.code() == ErrorCode.DIRECTORY_IN_USE
                    ? unchecked(check, text(failure))
                    : failed(check, failure);
        }
    }

    static Finding absent(String check, StoreException refusal) {
        return new Finding(check, Outcome.ABSENT, text(refusal));
    }

    private static String text(StoreException failure) {
        return failure.getMessage() + " [" + failure.code() + "]";
    }

    boolean isFailed() {
        return outcome == Outcome.FAILED;
    }

    boolean isUnchecked() {
        return outcome == Outcome.UNCHECKED;
    }

    /** The finding as one line. */
    public String line() {
        return outcome.word + ": " + check + ": " + text;
    }

    /** The finding as members of a JSON object. */
    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("check", check);
        members.put("outcome", outcome.word);
        members.put("text", text);
        return members;
    }
}
