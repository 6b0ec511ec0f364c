package io.penstock.commit.simulation.surface;

import io.penstock.KeySpan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A scan, as the store is asked for it and as a model answers it.
 *
 * @param byIndex whether keys are search keys
 * @param after the place of the last row before, in a list that is read page by page
 * @param most rows; 0 for all
 */
record Query(
        String collection,
        boolean byIndex,
        @Nullable String from,
        @Nullable String to,
        boolean prefixed,
        boolean reversed,
        @Nullable String after,
        int most)
        implements Serializable {
    /** The place of a record in the order of the scan; null where the scan leaves it out. */
    @Nullable
    String place(String key, String value) {
        String group = byIndex ? Item.group(value) : null;
        String search = byIndex ? group : key;
        if (search == null || !covers(search)) {
            return null;
        }
        String place = byIndex ? search + "|" + key : key;
        String last = after;
        boolean passed = last != null && (reversed ? place.compareTo(last) >= 0 : place.compareTo(last) <= 0);
        return passed ? null : place;
    }

    private boolean covers(String key) {
        String first = from;
        String end = to;
        if (first != null && prefixed) {
            return key.startsWith(first);
        }
        return (first == null || key.compareTo(first) >= 0) && (end == null || key.compareTo(end) < 0);
    }

    /** The rows of a state, in order: places and values. */
    List<Map.Entry<String, String>> rows(SortedMap<String, String> state) {
        SortedMap<String, String> rows =
                new TreeMap<>(reversed ? Comparator.<String>reverseOrder() : Comparator.<String>naturalOrder());
        String prefix = collection + "/";
        state.subMap(prefix, collection + "0").forEach((key, value) -> {
            String place = place(key.substring(prefix.length()), value);
            if (place != null) {
                rows.put(place, value);
            }
        });
        List<Map.Entry<String, String>> all = new ArrayList<>(rows.entrySet());
        return most > 0 && all.size() > most ? all.subList(0, most) : all;
    }

    KeySpan<String> span(@Nullable String token) {
        String first = from;
        String end = to;
        KeySpan<String> span = KeySpan.all();
        if (first != null) {
            span = prefixed
                    ? KeySpan.startingWith(first)
                    : end == null ? KeySpan.from(first) : KeySpan.between(first, end);
        }
        span = reversed ? span.reversed() : span;
        return (most > 0 ? span.limit(most) : span).after(token);
    }

    Query behind(String place) {
        return new Query(collection, byIndex, from, to, prefixed, reversed, place, most);
    }

    Query first(int rows) {
        return new Query(collection, byIndex, from, to, prefixed, reversed, after, rows);
    }

    @Override
    public String toString() {
        return collection
                + (byIndex ? " by group" : "")
                + (from == null ? "" : (prefixed ? " like " : " from ") + from)
                + (to == null ? "" : " to " + to)
                + (after == null ? "" : " after " + after)
                + (reversed ? " backwards" : "")
                + (most == 0 ? "" : " limit " + most);
    }
}
