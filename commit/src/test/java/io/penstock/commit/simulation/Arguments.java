package io.penstock.commit.simulation;

import io.penstock.core.InvalidRequestException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The options on the command line of a simulation. */
public final class Arguments {
    private Arguments() {}

    /**
     * The values of options by their names; empty ones of flags.
     *
     * @param flags options without a value
     * @param values options with one
     * @throws InvalidRequestException saying what is wrong with the command line
     */
    public static Map<String, String> parse(
            List<String> arguments, Set<String> flags, Set<String> values, String usage) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            boolean last = i + 1 == arguments.size();
            if (flags.contains(name)) {
                given.put(name, "");
            } else if (!values.contains(name)) {
                throw new InvalidRequestException("unknown option " + name + "; use " + usage);
            } else if (last || arguments.get(i + 1).startsWith("--")) {
                throw new InvalidRequestException("option " + name + " needs a value; use " + usage);
            } else {
                given.put(name, arguments.get(++i));
            }
        }
        return given;
    }
}
