package io.penstock.testing;

import io.penstock.core.ConflictException;
import io.penstock.core.InvalidRequestException;
import io.penstock.core.OutcomeUnknownException;
import io.penstock.core.RefusedException;
import io.penstock.core.StoreException;
import io.penstock.core.UnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table in {@code docs/failures} of failures and their outcomes: one row for failures of the same meaning, one column
 * for each kind of call.
 */
public final class FailureTable {
    /** A comma outside of quotes. */
    private static final Pattern COMMA = Pattern.compile(",(?=([^\"]*\"[^\"]*\")*[^\"]*$)");

    /** A failure and its outcomes in the table, one for each kind of call. */
    public record Case(String failure, List<String> outcomes) {
        @Override
        public String toString() {
            return failure;
        }
    }

    private FailureTable() {}

    /** The cases of a table by its name, such as {@code s3}. */
    public static List<Case> read(String name) {
        return table(name).stream().skip(1).flatMap(FailureTable::cases).toList();
    }

    private static List<String> table(String name) {
        try {
            Path up = Path.of("..");
            return Files.readAllLines((Files.isDirectory(up.resolve("docs")) ? up : up.resolve(".."))
                    .resolve("docs/failures/" + name + ".csv"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Case> cases(String row) {
        List<String> cells = Arrays.stream(COMMA.split(row)).toList();
        return Arrays.stream(cells.get(1).replace("\"", "").split("; "))
                .filter(failure -> !failure.isEmpty())
                .map(failure -> new Case(failure, cells.subList(2, cells.size())));
    }

    /** The word of the table for what a call did; {@code otherwise} when it returned. */
    public static String outcome(Runnable call, String otherwise) {
        try {
            call.run();
            return otherwise;
        } catch (StoreException e) {
            return word(e);
        }
    }

    /** The word of the table for an exception. */
    public static String word(StoreException failure) {
        return switch (failure) {
            case ConflictException e -> "conflict";
            case RefusedException e -> "refused";
            case UnavailableException e -> "not done";
            case OutcomeUnknownException e -> "unknown";
            case InvalidRequestException e -> "invalid";
            default -> failure.getClass().getSimpleName();
        };
    }
}
