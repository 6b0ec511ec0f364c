package io.penstock.commit.simulation.surface;

import io.penstock.query.Condition;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A condition, as the store is asked for it and as a model answers it.
 *
 * @param words what it says
 */
record Wanted(Condition condition, Model model, String words) {
    /** Whether a key and a value fulfil a condition. */
    interface Fits extends Serializable {
        boolean test(String key, String value);
    }

    /** The condition's answers of states. */
    record Model(String collection, Fits fits) implements Serializable {
        /** The records of a state that fulfil it, by their keys. */
        Map<String, String> records(SortedMap<String, String> state) {
            Map<String, String> found = new TreeMap<>();
            String prefix = collection + "/";
            state.subMap(prefix, collection + "0").forEach((key, value) -> {
                String rest = key.substring(prefix.length());
                if (fits.test(rest, value)) {
                    found.put(rest, value);
                }
            });
            return found;
        }

        /** The first values of a field in order, as text; null is greater than all. */
        List<String> first(SortedMap<String, String> state, String field, boolean descending, int most) {
            Comparator<String> up = Comparator.nullsLast(Comparator.naturalOrder());
            List<String> values = new ArrayList<>();
            records(state).forEach((key, value) -> values.add(Item.field(field, key, value)));
            values.sort(descending ? up.reversed() : up);
            return values.stream().limit(most).map(String::valueOf).toList();
        }
    }

    static Wanted draw(String collection, int keys, SplittableRandom random) {
        Wanted one = simple(collection, keys, random);
        Wanted other = simple(collection, keys, random);
        Fits a = one.model.fits;
        Fits b = other.model.fits;
        return switch (random.nextInt(4)) {
            case 0 ->
                of(
                        collection,
                        Condition.and(one.condition, other.condition),
                        (key, value) -> a.test(key, value) && b.test(key, value),
                        one.words + " and " + other.words);
            case 1 ->
                of(
                        collection,
                        Condition.or(one.condition, other.condition),
                        (key, value) -> a.test(key, value) || b.test(key, value),
                        one.words + " or " + other.words);
            default -> one;
        };
    }

    private static Wanted of(String collection, Condition condition, Fits fits, String words) {
        return new Wanted(condition, new Model(collection, fits), words);
    }

    /** @param group has a key and a group, never null */
    private static Wanted ofGroups(String collection, Condition condition, Fits group, String words) {
        return of(
                collection,
                condition,
                (key, value) -> {
                    String found = Item.group(value);
                    return found != null && group.test(key, found);
                },
                words);
    }

    private static Wanted simple(String collection, int keys, SplittableRandom random) {
        String group = "g" + random.nextInt(Item.GROUPS);
        String low = Acts.key(random.nextInt(keys));
        String high = Acts.key(random.nextInt(keys));
        return switch (random.nextInt(9)) {
            case 0 ->
                of(
                        collection,
                        Item.KEY.between(low, high),
                        (key, value) -> key.compareTo(low) >= 0 && key.compareTo(high) <= 0,
                        "keys " + low + " to " + high);
            case 1 -> of(collection, Item.GROUP.isNull(), (key, value) -> Item.group(value) == null, "without a group");
            case 2 ->
                ofGroups(
                        collection,
                        Condition.not(Item.GROUP.in(List.of(group, "g0"))),
                        (key, found) -> !found.equals(group) && !found.equals("g0"),
                        "neither of g0 nor " + group);
            case 3 ->
                of(
                        collection,
                        Item.ID.gt(high),
                        (key, value) -> Item.id(value).compareTo(high) > 0,
                        "ids above " + high);
            case 4 ->
                ofGroups(
                        collection, Item.GROUP.ge(group), (key, found) -> found.compareTo(group) >= 0, "from " + group);
            case 5 ->
                ofGroups(
                        collection, Item.GROUP.lt(group), (key, found) -> found.compareTo(group) < 0, "below " + group);
            case 6 -> of(collection, Item.KEY.ge(low), (key, value) -> key.compareTo(low) >= 0, "keys from " + low);
            default ->
                of(collection, Item.GROUP.eq(group), (key, value) -> group.equals(Item.group(value)), "of " + group);
        };
    }

    @Override
    public String toString() {
        return model.collection + " " + words;
    }
}
