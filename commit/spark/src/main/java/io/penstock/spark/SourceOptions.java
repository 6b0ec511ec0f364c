package io.penstock.spark;

import io.penstock.core.ErrorCode;
import io.penstock.core.InvalidRequestException;
import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a read. Case and separators do not count: {@code declaredBy} is {@code declared-by}. Immutable.
 *
 * @param collection its name
 * @param fields of payloads in JSON; empty for none
 * @param declaredBy the class that opens the collection; empty for one whose payloads are JSON, text or bytes
 * @param position the state to read; empty for the newest when a query is planned
 * @param hold the time for which checkpoints are asked to wait for a query
 * @param splits the most tasks of a query; 0 for twice the default parallelism
 * @param store those that say where the store is, and its settings
 */
record SourceOptions(
        String collection,
        String fields,
        String declaredBy,
        String position,
        Duration hold,
        int splits,
        TreeMap<String, String> store)
        implements Serializable {
    private static final long serialVersionUID = 1;
    private static final Duration HOLD = Duration.ofMinutes(2);

    /** @throws InvalidRequestException when one is missing, or has no meaning */
    static SourceOptions of(Map<String, String> given) {
        TreeMap<String, String> left = new TreeMap<>();
        given.forEach((name, value) -> left.put(plain(name), value));
        String collection = take(left, "collection");
        if (collection.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING, "no collection is named; give the option collection");
        }
        String fields = take(left, "fields");
        String declaredBy = take(left, "declaredby");
        if (!fields.isEmpty() && !declaredBy.isEmpty()) {
            throw new InvalidRequestException(
                    ErrorCode.INVALID_SETTING, "fields are declared twice; give one of fields and declared-by");
        }
        int seconds = whole("hold", take(left, "hold"), (int) HOLD.toSeconds());
        int splits = whole("splits", take(left, "splits"), 0);
        return new SourceOptions(
                collection, fields, declaredBy, take(left, "position"), Duration.ofSeconds(seconds), splits, left);
    }

    static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    static String take(Map<String, String> from, String name) {
        String value = from.remove(name);
        return value == null ? "" : value.strip();
    }

    private static int whole(String name, String value, int missing) {
        try {
            int number = value.isEmpty() ? missing : Integer.parseInt(value);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new InvalidRequestException(
                ErrorCode.INVALID_SETTING, "an option must be a whole number from 0", "option", name, "value", value);
    }
}
