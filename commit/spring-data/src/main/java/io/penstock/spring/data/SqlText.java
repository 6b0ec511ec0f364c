package io.penstock.spring.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.data.repository.query.Parameters;

/**
 * SQL with parameters.
 *
 * @param pieces of the text, between the parameters
 * @param numbers of the method's parameters, one for each place
 */
record SqlText(List<String> pieces, List<Integer> numbers) {
    /** Text that has no parameters: literals, quoted names and comments; or a parameter. */
    private static final Pattern PARAMETER = Pattern.compile(
            "'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\\n]*|(?s)/\\*.*?\\*/|:(?<name>\\w+)|\\?(?<at>\\d*)");

    /** SQL with the values of its parameters, one for each question mark. */
    record Bound(String sql, List<@Nullable Object> values) {}

    /** @param parameters that have values */
    static SqlText of(String sql, Parameters<?, ?> parameters) {
        List<String> pieces = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        int from = 0;
        Matcher matcher = PARAMETER.matcher(sql);
        while (matcher.find()) {
            if (matcher.group("name") != null || matcher.group("at") != null) {
                pieces.add(sql.substring(from, matcher.start()));
                numbers.add(number(matcher.toMatchResult(), numbers.size(), parameters));
                from = matcher.end();
            }
        }
        pieces.add(sql.substring(from));
        if (Set.copyOf(numbers).size() < parameters.getNumberOfParameters()) {
            throw StoredRecords.refused("a method has a parameter that its query lacks", sql);
        }
        return new SqlText(List.copyOf(pieces), List.copyOf(numbers));
    }

    private static int number(MatchResult found, int place, Parameters<?, ?> parameters) {
        String name = found.group("name");
        String at = found.group("at");
        for (int i = 0; i < parameters.getNumberOfParameters(); i++) {
            boolean meant = name == null
                    ? i == (at.isEmpty() ? place : Integer.parseInt(at) - 1)
                    : parameters.getParameter(i).getName().filter(name::equals).isPresent();
            if (meant) {
                return i;
            }
        }
        throw StoredRecords.refused("a query has a parameter that its method lacks", found.group());
    }

    /** @param arguments of the method */
    Bound bind(List<@Nullable Object> arguments) {
        StringBuilder sql = new StringBuilder(pieces.getFirst());
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            List<?> given = values(arguments.get(numbers.get(i)));
            sql.append(String.join(", ", Collections.nCopies(given.size(), "?")))
                    .append(pieces.get(i + 1));
            values.addAll(given);
        }
        return new Bound(sql.toString(), values);
    }

    /** The values of an argument. A statement takes those of java.time and UUID as they are, and null is a value. */
    private static List<?> values(@Nullable Object argument) {
        return switch (argument) {
            case Enum<?> constant -> List.of(constant.name());
            case Object[] many -> values(Arrays.asList(many));
            case Collection<?> none
            when none.isEmpty() -> throw StoredRecords.refused("SQL has no empty list of values; do not ask", none);
            case Collection<?> many ->
                many.stream().flatMap(each -> values(each).stream()).toList();
            case null, default -> Collections.singletonList(argument);
        };
    }
}
