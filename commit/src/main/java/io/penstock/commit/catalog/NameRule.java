package io.penstock.commit.catalog;

import io.penstock.core.InvalidRequestException;
import java.util.regex.Pattern;

/** The rule for names of collections, indexes and domains, which are parts of keys and of queues' attributes. */
public final class NameRule {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private NameRule() {}

    static boolean allows(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Checks a name.
     *
     * @param the kind of thing that has the name, such as {@code collection}
     * @throws InvalidRequestException when it is not allowed
     */
    public static void require(String what, String name) {
        if (!allows(name)) {
            throw new InvalidRequestException(
                    "a name is 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit; choose another",
                    what,
                    name);
        }
    }
}
