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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table in {@code docs} of failures and their outcomes: one row for failures of the same meaning, one column
 * for each kind of call.
 */
public final class FailureTable {
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** A failure and its outcomes in the table, one for each kind of call. */
    public record Case(String failure, List<String> outcomes) {
        @Override
        public String toString() {
            return failure;
        }
    }

    private FailureTable() {}

    /** The cases of the first table of {@code docs/AWS.md} after {@code heading}. */
    public static List<Case> read(String heading) {
        return read("AWS.md", heading);
    }

    /** The cases of the first table of a page of {@code docs} after {@code heading}. */
    public static List<Case> read(String name, String heading) {
        List<Case> cases = new ArrayList<>();
        List<String> page = page(name);
        boolean inTable = false;
        for (String line : page.subList(page.indexOf(heading) + 1, page.size())) {
            if (line.startsWith("|")) {
                inTable = true;
                cases.addAll(cases(line));
            } else if (inTable) {
                break;
            }
        }
        return cases;
    }

    private static List<String> page(String name) {
        try {
            Path up = Path.of("..");
            return Files.readAllLines((Files.isDirectory(up.resolve("docs")) ? up : up.resolve(".."))
                    .resolve("docs")
                    .resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Case> cases(String row) {
        List<String> cells =
                Arrays.stream(row.substring(1).split("\\|")).map(String::strip).toList();
        List<Case> cases = new ArrayList<>();
        Matcher failure = QUOTED.matcher(cells.get(1));
        while (failure.find()) {
            cases.add(new Case(failure.group(1), cells.subList(2, cells.size())));
        }
        return cases;
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
