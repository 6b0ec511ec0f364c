package io.penstock.bookstore;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers from a command line: {@code --name value}. Immutable. */
final class Options {
    private final Map<String, Integer> numbers = new HashMap<>();

    private Options() {}

    /** Ends the program with a line of usage if an option is unknown or has no number. */
    static Options of(String benchmark, String[] arguments, String... names) {
        Options options = new Options();
        String usage = "usage: scripts/bench " + benchmark;
        for (String name : names) {
            usage += " [--" + name + " N]";
        }
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
            boolean help = name.equals("help");
            if (help
                    || !List.of(names).contains(name)
                    || i + 1 == arguments.length
                    || !arguments[i + 1].matches("\\d{1,6}")) {
                (help ? System.out : System.err).println(usage);
                System.exit(help ? 0 : 2);
            }
            options.numbers.put(name, Integer.valueOf(arguments[i + 1]));
        }
        return options;
    }

    int number(String name, int otherwise) {
        return numbers.getOrDefault(name, otherwise);
    }
}
